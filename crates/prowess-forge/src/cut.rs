//! Texts within a length, as OpenPocket measures it: UTF-16 units.

/// One line of at most `limit` UTF-16 units; what is longer ends with `...` inside the limit.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.encode_utf16().count() <= limit {
        return line;
    }
    start(&line, limit.saturating_sub(3)).trim_end().to_owned() + "..."
}

/// The beginning of a text, at most `limit` UTF-16 units long.
pub(crate) fn start(text: &str, limit: usize) -> &str {
    let mut used = 0;
    for (at, character) in text.char_indices() {
        used += character.len_utf16();
        if used > limit {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_utf_16_and_include_the_dots() {
        assert_eq!(cut(" a \n b\t c ", 5), "a b c");
        assert_eq!(cut("abcdefgh", 6), "abc...");
        assert_eq!(cut("😀😀😀😀", 6), "😀...");
        assert_eq!(cut("ab cd ef", 6), "ab...");
        assert_eq!(start("a😀", 2), "a");
    }
}
