//! The examples in the documents: every `$` line of a `console` block is run, and what it prints is compared.
//!
//! A document is one session: its lines run one after the other in one [`Home`]. A `…` stands for anything in a
//! line, a line of `…` for any lines. A command that is to fail is followed by `[exit N]`.

use std::path::Path;

use anyhow::Result;

use crate::home::Home;

/// One command of a document, and what the document says it prints.
#[derive(Debug, PartialEq, Eq)]
struct Example {
    line: usize,
    command: String,
    expected: Vec<String>,
    exit: i32,
}

/// The differences from what a document says.
pub(crate) fn wrong(text: &str, prowess: &Path) -> Result<Vec<String>> {
    let examples = examples(text);
    if examples.is_empty() {
        return Ok(Vec::new());
    }
    let home = Home::new(prowess)?;
    let mut problems = Vec::new();
    for example in examples {
        let (printed, exit) = home.run(&example.command)?;
        if exit != example.exit {
            problems.push(format!(
                "line {}: `{}` exits with {exit}, not {}:\n{printed}",
                example.line, example.command, example.exit
            ));
        } else if !matches(&example.expected, &printed.lines().collect::<Vec<_>>()) {
            problems.push(format!("line {}: `{}` prints\n{printed}", example.line, example.command));
        }
    }
    Ok(problems)
}

fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut is_console = false;
    let mut is_first = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            is_console = line == "```console";
            is_first = true;
        } else if is_console && let Some(command) = line.strip_prefix("$ ") {
            is_first = false;
            found.push(Example { line: index + 1, command: command.into(), expected: Vec::new(), exit: 0 });
        } else if is_console
            && !is_first
            && let Some(example) = found.last_mut()
        {
            let exit = line.strip_prefix("[exit ").and_then(|rest| rest.strip_suffix(']')?.parse().ok());
            match exit {
                Some(exit) => example.exit = exit,
                None => example.expected.push(line.into()),
            }
        }
    }
    found
}

/// Returns true if lines are as expected; blank lines at the end do not count.
fn matches(expected: &[String], actual: &[&str]) -> bool {
    match (expected.split_first(), actual.split_first()) {
        (None, None) => true,
        (None, Some(_)) => actual.iter().all(|line| line.trim().is_empty()),
        (Some((first, rest)), _) if first.trim() == "…" => {
            (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..]))
        }
        (Some((first, rest)), None) => first.trim().is_empty() && matches(rest, &[]),
        (Some((first, rest)), Some((line, others))) => fits(first, line) && matches(rest, others),
    }
}

/// Returns true if a line is as expected. How many blanks there are does not count: the width of a column is not a
/// promise.
fn fits(expected: &str, actual: &str) -> bool {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let (expected, actual) = (words(expected), words(actual));
    let mut parts: Vec<&str> = expected.split('…').collect();
    let (Some(last), [first, middle @ ..]) = (parts.pop(), parts.as_slice()) else {
        return expected == actual;
    };
    let Some(mut rest) = actual.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    middle.iter().all(|part| {
        rest.split_once(part).is_some_and(|(_, after)| {
            rest = after;
            true
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn console_blocks_are_read_line_by_line() {
        let text = "```sh\n$ not this\n```\n```console\n$ a\nb\n$ c\n[exit 1]\n```\n";
        let example = |line, command: &str, expected: &[&str], exit| Example {
            line,
            command: command.into(),
            expected: expected.iter().map(|&line| line.into()).collect(),
            exit,
        };
        assert_eq!(examples(text), [example(5, "a", &["b"], 0), example(7, "c", &[], 1)]);
    }

    #[test]
    fn dots_stand_for_anything() {
        let check = |expected: &str, actual: &str| {
            let expected: Vec<String> = expected.lines().map(str::to_owned).collect();
            matches(&expected, &actual.lines().collect::<Vec<_>>())
        };
        assert!(check("a\n…\nd", "a\nb\nc\nd\n\n"));
        assert!(check("a …", "a b c"));
        assert!(check("a … c", "a b c c"));
        assert!(check("a … c … e", "a b c d e"));
        assert!(check("  a  b", "a b  "));
        assert!(check("", ""));
        assert!(!check("a … c", "a b d"));
        assert!(!check("a", "a\nb"));
        assert!(!check("a\nb", "a"));
        assert!(!check("…a", "ab"));
    }
}
