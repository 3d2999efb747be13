//! Special tokens that a text spells out.
//!
//! The public tokenizers read `[SEP]` or `</s>` in a text as that token, and so do these: a text has the
//! same vector here as there.

use serde::Deserialize;

/// A token that is written out in a text.
#[derive(Debug, Deserialize)]
pub(super) struct Special {
    /// As it is written.
    pub(super) text: String,
    /// Its number.
    pub(super) id: u32,
    /// True if white space before it belongs to it.
    #[serde(default)]
    pub(super) takes_space_before: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Text(&'a str),
    Token(u32),
}

/// The text in order: runs without special tokens, and the tokens between them.
pub(super) fn parts<'a>(text: &'a str, special: &'a [Special]) -> impl Iterator<Item = Part<'a>> {
    let mut rest = text;
    let mut pending = None;
    std::iter::from_fn(move || {
        if let Some(token) = pending.take() {
            return Some(Part::Token(token));
        }
        if rest.is_empty() {
            return None;
        }
        let Some((start, found)) = find(rest, special) else {
            return Some(Part::Text(std::mem::take(&mut rest)));
        };
        let before = &rest[..start];
        let before = if found.takes_space_before { before.trim_end() } else { before };
        rest = &rest[start + found.text.len()..];
        if before.is_empty() {
            return Some(Part::Token(found.id));
        }
        pending = Some(found.id);
        Some(Part::Text(before))
    })
}

/// The first special token; of several at one place the longest.
fn find<'a>(text: &str, special: &'a [Special]) -> Option<(usize, &'a Special)> {
    let begins = |c: char| special.iter().any(|special| special.text.starts_with(c));
    text.match_indices(begins).find_map(|(start, _)| {
        let here = special.iter().filter(|special| text[start..].starts_with(&special.text));
        Some((start, here.max_by_key(|special| special.text.len())?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn special() -> Vec<Special> {
        let token =
            |text: &str, id, takes_space_before| Special { text: text.into(), id, takes_space_before };
        vec![token("<s>", 0, false), token("<s>x", 1, false), token("<mask>", 2, true)]
    }

    #[test]
    fn a_text_is_cut_at_special_tokens() {
        use Part::{Text, Token};
        let special = special();
        let cut = |text| parts(text, &special).collect::<Vec<_>>();
        assert_eq!(cut(""), []);
        assert_eq!(cut("a < b"), [Text("a < b")]);
        assert_eq!(cut("a <s> b"), [Text("a "), Token(0), Text(" b")]);
        assert_eq!(cut("<s><s>xé"), [Token(0), Token(1), Text("é")]);
        assert_eq!(cut("a \n<mask> b"), [Text("a"), Token(2), Text(" b")]);
        assert_eq!(cut(" <mask>"), [Token(2)]);
        assert_eq!(cut("<s> <mask"), [Token(0), Text(" <mask")]);
    }
}
