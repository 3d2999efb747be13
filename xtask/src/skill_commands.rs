//! The commands that the bundled skills show, held against the programs themselves.
//!
//! What a skill shows in a block of shell is taken apart into programs, sub-commands and options; each option must
//! be in what the program says about itself. Programs that are not on this machine are named and left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, bail};

use crate::process::root;

/// How a program tells what it understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Help {
    /// By this argument, after each sub-command.
    After(&'static str),
    /// All at once, by these arguments; there are no sub-commands.
    Whole(&'static [&'static str]),
}

/// The programs that can be had on a test machine.
const PROGRAMS: [(&str, Help); 15] = [
    ("codex", Help::After("--help")),
    ("curl", Help::Whole(&["--help", "all"])),
    ("ffmpeg", Help::Whole(&["-h", "full"])),
    ("ffprobe", Help::Whole(&["-h"])),
    ("gemini", Help::After("--help")),
    ("gh", Help::After("--help")),
    ("himalaya", Help::After("--help")),
    ("jq", Help::Whole(&["--help"])),
    ("mcporter", Help::After("--help")),
    ("nano-pdf", Help::After("--help")),
    ("oracle", Help::After("--help")),
    ("prowess", Help::After("--help")),
    ("summarize", Help::After("--help")),
    ("tmux", Help::Whole(&["list-commands"])),
    ("uv", Help::After("--help")),
];

/// A command as it is shown: the program first.
type Words = Vec<String>;

/// Checks every bundled skill. `ask` gives what a program prints for some arguments; none if it is not there.
pub(crate) fn check(ask: &mut dyn FnMut(&str, &[&str]) -> Option<String>) -> Result<Report> {
    let mut report = Report::default();
    let mut known: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut help = |program: &str, arguments: &[&str]| {
        let key = format!("{program} {}", arguments.join(" "));
        known.entry(key).or_insert_with(|| ask(program, arguments)).clone()
    };
    for (place, words) in shown_commands(&root().join("skills"))? {
        let Some((program, kind)) = PROGRAMS.iter().find(|(program, _)| words[0] == *program) else {
            continue;
        };
        match objections(&words, *kind, &mut |arguments| help(program, arguments)) {
            None => drop(report.absent.insert((*program).to_owned())),
            Some(list) => {
                report.checked += 1;
                let line = words.join(" ");
                report.objections.extend(list.into_iter().map(|what| format!("{place}: {what} in `{line}`")));
            }
        }
    }
    Ok(report)
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Commands that were held against their program.
    pub(crate) checked: usize,
    /// Programs that are not on this machine.
    pub(crate) absent: BTreeSet<String>,
    objections: Vec<String>,
}

impl Report {
    /// Fails if a skill shows something that its program does not understand.
    pub(crate) fn verdict(&self) -> Result<()> {
        if self.objections.is_empty() {
            return Ok(());
        }
        bail!("the bundled skills show what does not exist:\n{}", self.objections.join("\n"))
    }
}

/// What a program does not know of a command; none if the program is not there.
fn objections(
    words: &Words,
    kind: Help,
    help: &mut dyn FnMut(&[&str]) -> Option<String>,
) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    let mut wrong = Vec::new();
    match kind {
        Help::Whole(arguments) => texts.push(help(arguments)?),
        Help::After(argument) => {
            texts.push(help(&[argument])?);
            let mut path: Vec<&str> = Vec::new();
            for word in words[1..].iter().take_while(|word| is_name(word)) {
                let text = texts.last().map(String::as_str).unwrap_or_default();
                if !names(text, word) {
                    // Below a group of commands there is no other word than a command.
                    if has_commands(text) {
                        wrong.push(format!("no command `{word}`"));
                    }
                    break;
                }
                path.push(word);
                texts.push(help(&[path.as_slice(), &[argument]].concat()).unwrap_or_default());
            }
        }
    }
    let options = words[1..].iter().filter_map(|word| option(word));
    let unknown = options.filter(|option| !is_known(option, kind, &texts));
    wrong.extend(unknown.map(|option| format!("no option `{option}`")));
    Some(wrong)
}

/// The option in a word, without its value.
fn option(word: &str) -> Option<&str> {
    let name = word.split(['=', ':']).next()?;
    let rest = name.strip_prefix("--").or_else(|| name.strip_prefix('-'))?;
    let is_plain = rest.chars().all(|char| char.is_ascii_alphanumeric() || char == '-');
    (is_plain && rest.starts_with(|first: char| first.is_ascii_alphabetic())).then_some(name)
}

/// Returns true if what a program says about itself has an option.
fn is_known(option: &str, kind: Help, texts: &[String]) -> bool {
    let is_named = |option: &str| texts.iter().any(|text| names(text, option));
    // Everybody understands these, and not everybody says so.
    if is_named(option) || ["--help", "--version", "-version"].contains(&option) {
        return true;
    }
    let letters = option.trim_start_matches('-');
    if option.starts_with("--") {
        return false;
    }
    match (letters.len(), kind) {
        // A short help of all at once leaves single letters out, or runs them together.
        (1, Help::Whole(_)) => true,
        (1, Help::After(_)) => false,
        // Several letters in one word, or what a program can do turned off.
        _ => {
            letters.chars().all(|letter| is_named(&format!("-{letter}")))
                || letters.strip_prefix("no").is_some_and(|rest| is_named(&format!("-{rest}")))
        }
    }
}

/// Returns true if a word could be a command.
fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && word.chars().all(|char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-')
}

fn has_commands(text: &str) -> bool {
    let text = text.to_lowercase();
    ["\ncommands:", "commands\n", "subcommands:", "available commands"].iter().any(|mark| text.contains(mark))
}

/// Returns true if a text has a word, whole.
fn names(text: &str, word: &str) -> bool {
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Every command in the shell blocks of every skill, with its file.
fn shown_commands(skills: &Path) -> Result<Vec<(String, Words)>> {
    let mut found = Vec::new();
    let mut folders: Vec<_> =
        std::fs::read_dir(skills)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    folders.sort();
    for folder in folders {
        let references = std::fs::read_dir(folder.join("references")).into_iter().flatten();
        let mut files: Vec<_> = references.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        files.sort();
        files.insert(0, folder.join("SKILL.md"));
        for file in files {
            let text = std::fs::read_to_string(&file)?;
            let place = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
            found.extend(commands(&text).into_iter().map(|words| (place.clone(), words)));
        }
    }
    Ok(found)
}

/// The commands in the shell blocks of a text.
fn commands(text: &str) -> Vec<Words> {
    let mut found = Vec::new();
    let mut is_shell = false;
    let mut line = String::new();
    for next in text.lines() {
        if let Some(language) = next.trim_start().strip_prefix("```") {
            is_shell = !is_shell && ["sh", "bash", "shell", "console"].contains(&language.trim());
            line.clear();
            continue;
        }
        if !is_shell {
            continue;
        }
        let next = next.trim().trim_start_matches("$ ");
        if let Some(part) = next.strip_suffix('\\') {
            line.push_str(part);
            continue;
        }
        line.push_str(next);
        split(&line, &mut found);
        line.clear();
    }
    found
}

/// Takes a line apart into commands and words, as a shell does in simple cases.
fn split(line: &str, found: &mut Vec<Words>) {
    let mut words: Words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut finish = |words: &mut Words, word: &mut String, ends: bool| {
        if !word.is_empty() {
            words.push(std::mem::take(word));
        }
        if ends {
            let is_setting = |word: &String| word.contains('=') && !word.starts_with('-') || word == "sudo";
            let command: Words = std::mem::take(words).into_iter().skip_while(is_setting).collect();
            if !command.is_empty() {
                found.push(command);
            }
        }
    };
    for char in line.chars() {
        match (quote, char) {
            (Some(open), _) if char == open => {
                quote = None;
                // What is quoted is a value, whatever it looks like.
                word.push('\u{1}');
            }
            (Some(_), _) => word.push(if char == '-' || char == ' ' { '\u{1}' } else { char }),
            (None, '\'' | '"') => quote = Some(char),
            (None, '#') if word.is_empty() => break,
            (None, '|' | ';' | '&' | '(' | ')' | '`') => finish(&mut words, &mut word, true),
            (None, ' ' | '\t') => finish(&mut words, &mut word, false),
            (None, _) => word.push(char),
        }
    }
    finish(&mut words, &mut word, true);
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Text `gh nothing`.\n\n```sh\n# all of them\nGH_TOKEN=x gh pr list --json number,title \\\n  \
        --jq '.[] | --not' | jq -r '.x'\n```\n```json\ngh no\n```\n";

    #[test]
    fn commands_are_taken_apart() {
        let found = commands(TEXT);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0][..5], ["gh", "pr", "list", "--json", "number,title"]);
        assert_eq!(found[1][..2], ["jq", "-r"]);
        let options: Vec<&str> = found[0].iter().filter_map(|word| option(word)).collect();
        assert_eq!(options, ["--json", "--jq"]);
    }

    #[test]
    fn letters_may_stand_together() {
        let whole = Help::Whole(&["--help"]);
        let texts = ["-f, --fail\n-s, --silent\n-stdin  listen\n".to_owned()];
        for (option, expected) in [
            ("-fs", true),
            ("-fx", false),
            ("-nostdin", true),
            ("-noout", false),
            ("--fails", false),
            ("-z", true),
        ] {
            assert_eq!(is_known(option, whole, &texts), expected, "{option}");
        }
    }

    #[test]
    fn what_a_program_does_not_know_is_told() {
        let mut help = |arguments: &[&str]| {
            Some(match arguments {
                ["pr", "list", _] => "--json fields\n-q, --jq expression".to_owned(),
                ["pr", _] => "COMMANDS\n  list: all of them\n  view".to_owned(),
                _ => "CORE COMMANDS\n  pr: pull requests".to_owned(),
            })
        };
        let mut ask = |line: &str| {
            let mut found = Vec::new();
            split(line, &mut found);
            objections(&found[0], Help::After("--help"), &mut help).expect("it is there")
        };
        assert_eq!(ask("gh pr list --json x --jq y"), Vec::<String>::new());
        assert_eq!(ask("gh pr list --jsonx x"), ["no option `--jsonx`"]);
        assert_eq!(ask("gh prs list"), ["no command `prs`"]);
        assert_eq!(ask("gh pr lists"), ["no command `lists`"]);
        assert_eq!(ask("gh pr list -q .x -w"), ["no option `-w`"]);
        assert_eq!(ask("gh --version"), Vec::<String>::new());
    }
}
