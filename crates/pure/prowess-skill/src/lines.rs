//! OpenClaw's second, line-based reading of the frontmatter.
//!
//! It fills keys that YAML gave as null, and it hands a one-line `metadata: {…}` to the JSON5 parser as it was
//! written. Only lines that start with a key count; a key without a value takes the indented lines below it.

/// One top-level `key: value` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) key: &'a str,
    /// The rest of the key's own line, trimmed, quotes kept.
    pub(crate) raw: &'a str,
    /// Byte offset of the line in the block.
    pub(crate) start: usize,
    /// Zero-based number of the line.
    pub(crate) number: usize,
}

/// The top-level lines of a block.
pub(crate) fn lines(block: &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (number, line) in block.split('\n').enumerate() {
        if let Some((key, raw)) = split(line) {
            found.push(Line { key, raw, start, number });
        }
        start += line.len() + 1;
    }
    found
}

fn split(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let is_key = !key.is_empty()
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    is_key.then(|| (key, rest.trim()))
}

/// What the line parser reads for a key: its own line, or the indented lines below it.
pub(crate) fn value_of(block: &str, line: &Line<'_>) -> String {
    if !line.raw.is_empty() {
        return strip_quotes(line.raw).to_owned();
    }
    let below = block[line.start..].split_once('\n').map_or("", |(_, below)| below);
    let indented: Vec<&str> =
        below.split('\n').take_while(|next| next.is_empty() || next.starts_with([' ', '\t'])).collect();
    indented.join("\n").trim().to_owned()
}

/// Drops one pair of matching quotes.
pub(crate) fn strip_quotes(text: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_start_a_line() {
        let block = "name: a\n  nested: b\nbad key: c\nempty:\n  one\n  two\nquoted: \"q\"\n";
        let lines = lines(block);
        let keys: Vec<_> = lines.iter().map(|line| (line.key, line.number)).collect();
        assert_eq!(keys, [("name", 0), ("empty", 3), ("quoted", 6)]);
        assert_eq!(value_of(block, &lines[1]), "one\n  two");
        assert_eq!(value_of(block, &lines[2]), "q");
    }
}
