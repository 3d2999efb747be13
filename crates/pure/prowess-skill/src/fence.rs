//! Finds the frontmatter block.

use std::ops::Range;

use prowess_types::Dialect;

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
    fn openpocket_closes_at_the_first_line_that_starts_with_dashes() {
        let read = |text| yaml(text, Dialect::Openpocket);
        assert_eq!(read("---\na: 1\n---\nbody"), Some("a: 1"));
        assert_eq!(read("---\na: 1\n---- x\nbody"), Some("a: 1"));
        assert_eq!(read("---\na: 1\n---"), Some("a: 1"));
        assert_eq!(read("--- \na: 1\n---"), None);
        assert_eq!(read("---\n---\nbody"), None);
    }
}
