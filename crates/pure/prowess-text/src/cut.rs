//! Prefixes of a text by bytes, characters or UTF-16 units; a character is never split.

/// The longest prefix of at most `bytes` bytes.
pub fn byte_prefix(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// The first `chars` characters.
pub fn char_prefix(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

/// The longest prefix of at most `units` UTF-16 units, the unit of limits that come from JavaScript peers.
pub fn utf16_prefix(text: &str, units: usize) -> &str {
    if text.is_ascii() {
        return &text[..units.min(text.len())];
    }
    let mut used = 0;
    let end = text.char_indices().find(|(_, next)| {
        used += next.len_utf16();
        used > units
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// The length in UTF-16 units.
pub fn utf16_len(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    // One unit for each byte that does not continue a character, and one more for characters of four bytes.
    let units = |byte: u8| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0);
    text.bytes().map(units).sum()
}

/// A text cut to `limit` units of the given prefix function, with `…` after it if something is missing.
///
/// ```
/// use prowess_text::{char_prefix, ellipsize};
/// assert_eq!(ellipsize("skills", 3, char_prefix), "ski…");
/// assert_eq!(ellipsize("skills", 6, char_prefix), "skills");
/// ```
pub fn ellipsize(text: &str, limit: usize, prefix: fn(&str, usize) -> &str) -> String {
    let kept = prefix(text, limit);
    if kept.len() < text.len() { format!("{kept}…") } else { text.to_owned() }
}

/// Joins the words of a text with single blanks. Blanks are what `\s` matches in JavaScript.
pub fn collapse_blanks(text: &str) -> String {
    let words = text.split(is_blank).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Cuts a text to `limit` UTF-16 units, the last three of which are dots.
pub fn shorten_utf16(text: &str, limit: usize) -> String {
    const DOTS: &str = "...";
    if utf16_len(text) <= limit {
        return text.to_owned();
    }
    let kept = utf16_prefix(text, limit.saturating_sub(DOTS.len()));
    format!("{}{DOTS}", kept.trim_end_matches(is_blank))
}

/// The first `head` bytes, the last `tail` bytes and the number of bytes between them; none if nothing is between.
pub fn omit_middle(text: &str, head: usize, tail: usize) -> Option<(&str, &str, usize)> {
    if text.len() <= head.saturating_add(tail) {
        return None;
    }
    let head = text.floor_char_boundary(head);
    let tail = text.ceil_char_boundary(text.len() - tail);
    Some((&text[..head], &text[tail..], tail - head))
}

fn is_blank(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lengths_are_utf16_units() {
        for (text, length) in [("", 0), ("abc", 3), ("ä", 1), ("日本", 2), ("🎉", 2), ("⚠️", 2)] {
            assert_eq!(utf16_len(text), length, "{text}");
        }
    }

    #[test]
    fn a_character_is_never_split() {
        assert_eq!((byte_prefix("aäb", 2), byte_prefix("aäb", 3), byte_prefix("aäb", 9)), ("a", "aä", "aäb"));
        assert_eq!((char_prefix("aäb", 0), char_prefix("aäb", 2), char_prefix("aäb", 9)), ("", "aä", "aäb"));
        assert_eq!(
            (utf16_prefix("a🎉b", 2), utf16_prefix("a🎉b", 3), utf16_prefix("a🎉b", 9)),
            ("a", "a🎉", "a🎉b")
        );
    }

    #[test]
    fn shortening_leaves_no_blank_before_the_dots() {
        let table = [
            ("short", 5, "short"),
            ("longer", 5, "lo..."),
            ("ab cdef", 6, "ab..."),
            ("日本語です", 4, "日..."),
        ];
        for (text, limit, expected) in table {
            assert_eq!(shorten_utf16(text, limit), expected);
        }
    }

    #[test]
    fn blanks_are_collapsed_as_javascript_does() {
        assert_eq!(collapse_blanks(" a\n\t b\u{feff}\u{a0}c  "), "a b c");
        assert_eq!(collapse_blanks("a\u{85}b"), "a\u{85}b");
        assert_eq!(collapse_blanks(" \n "), "");
    }

    #[test]
    fn the_middle_is_omitted_only_where_there_is_one() {
        assert_eq!(omit_middle("abcdef", 3, 3), None);
        assert_eq!(omit_middle("abcdefg", 3, 3), Some(("abc", "efg", 1)));
        assert_eq!(omit_middle("ää-ää", 3, 3), Some(("ä", "ä", 5)));
    }

    proptest! {
        #[test]
        fn lengths_and_prefixes_agree(text in "\\PC{0,40}", units in 0..60_usize) {
            prop_assert_eq!(utf16_len(&text), text.encode_utf16().count());
            let prefix = utf16_prefix(&text, units);
            prop_assert!(utf16_len(prefix) <= units && text.starts_with(prefix));
            if let Some(next) = text[prefix.len()..].chars().next() {
                prop_assert!(utf16_len(prefix) + next.len_utf16() > units);
            }
            prop_assert!(utf16_len(&shorten_utf16(&text, units)) <= units.max(3));
        }

        #[test]
        fn a_larger_limit_never_gives_a_shorter_text(text in "[a-c &🎉]{0,60}", limit in 4_usize..60) {
            let text = collapse_blanks(&text);
            let cut = shorten_utf16(&text, limit);
            prop_assert!(utf16_len(&cut) <= limit);
            prop_assert!(utf16_len(&cut) <= utf16_len(&shorten_utf16(&text, limit + 1)));
        }
    }
}
