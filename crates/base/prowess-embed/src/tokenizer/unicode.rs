//! Classes of characters as the public tokenizers see them.
//!
//! They do not follow one version of Unicode, so the tables are theirs: `models/reference/unicode.py` asks
//! them about every character.

#[rustfmt::skip]
#[allow(clippy::unreadable_literal, reason = "characters are known by their plain numbers")]
mod tables;

use self::tables::{IDEOGRAPHS, LETTERS, MARKS, PUNCTUATION, REMOVED};

/// First and last character of a run.
type Range = (u32, u32);

fn contains(ranges: &[Range], c: char) -> bool {
    let c = u32::from(c);
    let after = ranges.partition_point(|(first, _)| *first <= c);
    after.checked_sub(1).and_then(|index| ranges.get(index)).is_some_and(|(_, last)| c <= *last)
}

/// Control characters and the like, which WordPiece drops.
pub(super) fn is_removed(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r')
    } else {
        contains(&REMOVED, c)
    }
}

/// Accents and other marks, which WordPiece drops.
pub(super) fn is_mark(c: char) -> bool {
    !c.is_ascii() && contains(&MARKS, c)
}

/// What is a word of its own to WordPiece.
pub(super) fn is_punctuation(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_punctuation() } else { contains(&PUNCTUATION, c) }
}

/// Chinese characters, each a word of its own to WordPiece.
pub(super) fn is_ideograph(c: char) -> bool {
    !c.is_ascii() && contains(&IDEOGRAPHS, c)
}

/// Letters of any script, for byte pairs.
pub(super) fn is_letter(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { contains(&LETTERS, c) }
}
