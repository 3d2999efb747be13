//! Finds the frontmatter block.

use std::ops::Range;

use prowess_types::Dialect;

use crate::fields;

/// Where the block is, in bytes of the decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// The text does not open with a fence.
    Missing,
    /// It opens, and never closes.
    Unterminated,
    /// What stands between the fences, and where the body starts.
    Block { yaml: Range<usize>, body_start: usize },
}

pub(crate) fn find(text: &str, dialect: Dialect) -> Fence {
    match dialect {
        Dialect::Prowess | Dialect::Openclaw => find_exact(text),
        Dialect::Openpocket => find_prefix(text),
    }
}

/// A fence is a line of exactly three dashes; blanks and tabs may follow.
fn find_exact(text: &str) -> Fence {
    let mut start = 0;
    let mut opened: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if is_fence(line) {
            match opened {
                None => opened = Some(end),
                Some(yaml_start) => {
                    return Fence::Block { yaml: yaml_start..start, body_start: end };
                }
            }
        } else if opened.is_none() {
            return Fence::Missing;
        }
        start = end;
    }
    if opened.is_some() { Fence::Unterminated } else { Fence::Missing }
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n')))
}

/// Frontmatter whose fences are missing or not exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LooseFence {
    pub(crate) yaml: Range<usize>,
    pub(crate) body_start: usize,
    /// The place that is not as it should be.
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
}

/// Finds frontmatter that [`find`] does not: after blank lines, after a fence that is not exact, or without a fence that
/// closes it. There must be a name or a description.
pub(crate) fn find_loosely(text: &str) -> Option<LooseFence> {
    let blank: usize =
        text.split_inclusive('\n').take_while(|line| line.trim().is_empty()).map(str::len).sum();
    let opening = text[blank..].split_inclusive('\n').next().filter(|line| is_dashes(line))?;
    let yaml_start = blank + opening.len();
    let opening = blank..blank + opening.trim_end().len();
    let odd_opening = if blank > 0 {
        Some("the frontmatter starts after blank lines")
    } else if text[opening.clone()].trim_end() != "---" {
        Some("the line that opens the frontmatter is not `---`")
    } else {
        None
    };
    let mut start = yaml_start;
    let mut close = None;
    for line in text[yaml_start..].split_inclusive('\n') {
        if is_dashes(line) || line.trim_end() == "..." {
            close = Some(start..start + line.len());
            break;
        }
        start += line.len();
    }
    // A line of dashes far below may be a rule in the Markdown.
    let end = close.as_ref().map_or(text.len(), |close| close.start);
    let markdown = fields::body_at(&text[yaml_start..end]).map(|at| yaml_start + at);
    let (yaml, body_start) = match (&close, markdown) {
        (_, Some(at)) => (yaml_start..at, at),
        (Some(close), None) => (yaml_start..close.start, close.end),
        (None, None) => (yaml_start..text.len(), text.len()),
    };
    let describes = |key: &str| key.eq_ignore_ascii_case("name") || key.eq_ignore_ascii_case("description");
    if !fields::split(&text[yaml.clone()]).iter().any(|field| describes(field.key)) {
        return None;
    }
    let (at, message) = match (odd_opening, close.filter(|_| markdown.is_none())) {
        (Some(message), _) => (opening, message.to_owned()),
        (None, Some(close)) => {
            let shown = text[close.clone()].trim();
            let message = format!("the line that closes the frontmatter is `{shown}`, not `---`");
            (close.start..close.start + text[close].trim_end().len(), message)
        }
        (None, None) => {
            let line = text[..body_start].matches('\n').count();
            (opening, format!("the frontmatter is never closed; its last line is taken to be line {line}"))
        }
    };
    Some(LooseFence { yaml, body_start, at, message })
}

fn is_dashes(line: &str) -> bool {
    let dashes = line.trim();
    dashes.len() >= 3 && dashes.bytes().all(|byte| byte == b'-')
}

/// OpenPocket: `---` LF first; the block ends at the first LF `---`, whatever follows on that line.
fn find_prefix(text: &str) -> Fence {
    if !text.starts_with("---\n") {
        return Fence::Missing;
    }
    let Some(close) = text[4..].find("\n---").map(|offset| offset + 4) else {
        return Fence::Unterminated;
    };
    let after = close + "\n---".len();
    let body_start = if text[after..].starts_with('\n') { after + 1 } else { after };
    Fence::Block { yaml: 4..close, body_start }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yaml(text: &str, dialect: Dialect) -> Option<&str> {
        match find(text, dialect) {
            Fence::Block { yaml, .. } => Some(&text[yaml]),
            Fence::Missing | Fence::Unterminated => None,
        }
    }

    #[test]
    fn only_exact_fences_count() {
        let read = |text| yaml(text, Dialect::Prowess);
        assert_eq!(read("---\na: 1\n---\nbody"), Some("a: 1\n"));
        assert_eq!(read("--- \t\na: 1\n---\t \nbody"), Some("a: 1\n"));
        assert_eq!(read("---\na: 1\n---"), Some("a: 1\n"));
        assert_eq!(read("---\n---\n"), Some(""));
        assert_eq!(read("---\na: 1\n ---\nb: 2\n---\n"), Some("a: 1\n ---\nb: 2\n"));
        assert_eq!(read("----\na: 1\n----\n"), None);
        assert_eq!(read("\n---\na: 1\n---\n"), None);
        assert_eq!(read("---x\na: 1\n---\n"), None);
        assert_eq!(read(""), None);
        assert_eq!(find("---\na: 1\n...\n", Dialect::Prowess), Fence::Unterminated);
        assert_eq!(find("---", Dialect::Prowess), Fence::Unterminated);
    }

    #[test]
    fn loose_fences_are_found_where_exact_ones_are_not() {
        let read = |text: &'static str| {
            find_loosely(text).map(|found| (&text[found.yaml], &text[found.body_start..], found.message))
        };
        let never = "the frontmatter is never closed; its last line is taken to be line 2";
        for (text, yaml, body, message) in [
            ("\n---\nname: a\n---\nBody", "name: a\n", "Body", "the frontmatter starts after blank lines"),
            (
                "----\nname: a\n---\nBody",
                "name: a\n",
                "Body",
                "the line that opens the frontmatter is not `---`",
            ),
            (
                "---\nname: a\n----\nB",
                "name: a\n",
                "B",
                "the line that closes the frontmatter is `----`, not `---`",
            ),
            (
                "---\nname: a\n...\nB",
                "name: a\n",
                "B",
                "the line that closes the frontmatter is `...`, not `---`",
            ),
            ("---\nname: a\n# Title\nText\n", "name: a\n", "# Title\nText\n", never),
            ("---\nname: a\n", "name: a\n", "", never),
        ] {
            assert_eq!(read(text), Some((yaml, body, message.to_owned())), "{text:?}");
        }
        for text in ["", "# Title\n", "---\n", "\n---\nSome text.\n---\n", "name: a\n---\n", "---\nx: y\n"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn openpocket_closes_at_the_first_line_that_starts_with_dashes() {
        let read = |text| yaml(text, Dialect::Openpocket);
        assert_eq!(read("---\na: 1\n---\nbody"), Some("a: 1"));
        assert_eq!(read("---\na: 1\n---- x\nbody"), Some("a: 1"));
        assert_eq!(read("---\na: 1\n---"), Some("a: 1"));
        assert_eq!(read("--- \na: 1\n---"), None);
        assert_eq!(read("---\n---\nbody"), None);
    }
}
