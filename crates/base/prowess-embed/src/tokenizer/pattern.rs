//! Cutting a text before byte pairs are merged, as GPT-2 does it.
//!
//! The public pattern is `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.

use super::unicode;

const CONTRACTIONS: [&str; 7] = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Letter,
    Number,
    Other,
}

fn class(c: char) -> Class {
    if c.is_whitespace() {
        Class::Space
    } else if unicode::is_letter(c) {
        Class::Letter
    } else if c.is_numeric() {
        Class::Number
    } else {
        Class::Other
    }
}

/// The text in pieces; together they are the text again.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(length_of_first(rest)?);
        rest = after;
        Some(piece)
    })
}

/// Bytes of the first piece; none if there is no text.
fn length_of_first(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if let Some(contraction) = CONTRACTIONS.iter().find(|contraction| text.starts_with(**contraction)) {
        return Some(contraction.len());
    }
    // One blank belongs to the word after it.
    let word = text.strip_prefix(' ').unwrap_or(text);
    let kind = word.chars().next().map_or(Class::Space, class);
    if kind != Class::Space {
        let end = word.find(|c| class(c) != kind).unwrap_or(word.len());
        return Some(text.len() - word.len() + end);
    }
    // White space up to the end, or all but the last character, which may belong to the next word.
    let Some(end) = text.find(|c: char| !c.is_whitespace()) else { return Some(text.len()) };
    let last = text[..end].chars().next_back().map_or(0, char::len_utf8);
    Some(if end > last { end - last } else { first.len_utf8() })
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn a_text_is_cut_as_by_the_public_pattern() {
        let cut = |text| pieces(text).collect::<Vec<_>>();
        assert_eq!(cut(""), [""; 0]);
        assert_eq!(cut("I'm sure it's 42!"), ["I", "'m", " sure", " it", "'s", " 42", "!"]);
        assert_eq!(cut("I'M"), ["I", "'", "M"]);
        assert_eq!(cut(" 's"), [" '", "s"]);
        assert_eq!(cut("a  b"), ["a", " ", " b"]);
        assert_eq!(cut("a \n b"), ["a", " \n", " b"]);
        assert_eq!(cut("a\n\nb"), ["a", "\n", "\n", "b"]);
        assert_eq!(cut("a\nb"), ["a", "\n", "b"]);
        assert_eq!(cut("  "), ["  "]);
        assert_eq!(cut("a "), ["a", " "]);
        assert_eq!(cut("日本語です。²x_1"), ["日本語です", "。", "²", "x", "_", "1"]);
        assert_eq!(cut("e\u{301}"), ["e", "\u{301}"]);
        assert_eq!(cut("\u{a0} x"), ["\u{a0}", " x"]);
    }
}
