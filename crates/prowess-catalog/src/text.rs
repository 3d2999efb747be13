//! Lengths and cuts in UTF-16 units, as JavaScript counts them, without ever splitting a character.

/// The length of a text in UTF-16 units.
pub(crate) fn utf16_len(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(char::len_utf16).sum()
}

/// The longest prefix of at most `units` UTF-16 units.
pub(crate) fn utf16_prefix(text: &str, units: usize) -> &str {
    if text.is_ascii() {
        return &text[..units.min(text.len())];
    }
    let mut used = 0;
    for (start, character) in text.char_indices() {
        used += character.len_utf16();
        if used > units {
            return &text[..start];
        }
    }
    text
}

/// Joins the words of a text with single blanks.
pub(crate) fn collapse_blanks(text: &str) -> String {
    let words = text.split(is_blank).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Cuts a collapsed text to `limit` units, the last three of which are dots.
pub(crate) fn shorten(collapsed: &str, limit: usize) -> String {
    const DOTS: &str = "...";
    if utf16_len(collapsed) <= limit {
        return collapsed.to_owned();
    }
    let kept = utf16_prefix(collapsed, limit.saturating_sub(DOTS.len()));
    format!("{}{DOTS}", kept.trim_end_matches(is_blank))
}

/// What `\s` matches in JavaScript.
fn is_blank(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_are_utf16_units() {
        for (text, length) in [("", 0), ("abc", 3), ("ä", 1), ("日本", 2), ("🎉", 2), ("⚠️", 2)] {
            assert_eq!(utf16_len(text), length, "{text}");
        }
    }

    #[test]
    fn a_pair_is_never_split() {
        assert_eq!(utf16_prefix("a🎉b", 2), "a");
        assert_eq!(utf16_prefix("a🎉b", 3), "a🎉");
        assert_eq!(utf16_prefix("ab", 9), "ab");
        assert_eq!(utf16_prefix("ab", 0), "");
    }

    #[test]
    fn blanks_are_collapsed_as_javascript_does() {
        assert_eq!(collapse_blanks(" a\n\t b\u{feff}\u{a0}c  "), "a b c");
        assert_eq!(collapse_blanks("a\u{85}b"), "a\u{85}b");
        assert_eq!(collapse_blanks(" \n "), "");
    }

    #[test]
    fn shortening_keeps_whole_words_apart_from_the_dots() {
        assert_eq!(shorten("abcdefgh", 8), "abcdefgh");
        assert_eq!(shorten("abcdefgh", 7), "abcd...");
        assert_eq!(shorten("abc defgh", 7), "abc...", "no blank before the dots");
        assert_eq!(shorten("abcdefgh", 4), "a...");
    }

    proptest! {
        #[test]
        fn a_larger_limit_never_gives_a_shorter_text(text in "[a-c &🎉]{0,60}", limit in 4_usize..60) {
            let text = collapse_blanks(&text);
            let cut = shorten(&text, limit);
            prop_assert!(utf16_len(&cut) <= limit);
            prop_assert!(utf16_len(&cut) <= utf16_len(&shorten(&text, limit + 1)));
        }
    }
}
