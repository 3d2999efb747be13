//! A token estimate that needs no vocabulary.

use std::ops::Range;

/// One token in the unit the estimate is summed in, so that a quarter and a half are whole numbers.
const TOKEN: usize = 4;

/// Estimates how many tokens a model spends on a text.
///
/// Counted by script, from what byte-pair vocabularies do on average: four ASCII characters a token, two
/// letters of other alphabets, one CJK character, and two tokens for a symbol outside the basic plane
/// (emoji). Good to about a quarter either way, which is enough to compare catalogues.
///
/// ```
/// # use prowess_catalog::estimate_tokens;
/// assert_eq!(estimate_tokens("hello world!"), 3);
/// assert_eq!(estimate_tokens("日本語"), 3);
/// ```
pub fn estimate_tokens(text: &str) -> usize {
    let parts: usize = text.chars().map(parts_of).sum();
    parts.div_ceil(TOKEN)
}

/// Splits the estimate of a text among places in it, in order and without overlap, so that they and the rest add up.
///
/// ```
/// # use prowess_catalog::{estimate_tokens, split_tokens};
/// let text = "abcde fghij";
/// assert_eq!(split_tokens(text, &[0..5, 6..11]), [2, 1]);
/// assert_eq!(estimate_tokens(text), 3);
/// ```
pub fn split_tokens(text: &str, places: &[Range<usize>]) -> Vec<usize> {
    let (mut at, mut parts) = (0, 0);
    let mut until = |end: usize| {
        let passed = text.get(at..end).unwrap_or_default();
        parts += passed.chars().map(parts_of).sum::<usize>();
        at = at.max(end);
        parts.div_ceil(TOKEN)
    };
    places.iter().map(|place| (until(place.start), until(place.end))).map(|(from, to)| to - from).collect()
}

fn parts_of(character: char) -> usize {
    match u32::from(character) {
        0..=0x7f => TOKEN / 4,
        // Hangul Jamo; CJK radicals to the compatibility ideographs, with Hangul in between; full-width
        // forms; ideographs outside the basic plane.
        0x1100..=0x11ff
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7ff
        | 0xf900..=0xfaff
        | 0xff00..=0xffef
        | 0x2_0000..=0x3_ffff => TOKEN,
        0x1_0000.. => 2 * TOKEN,
        _ => TOKEN / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_has_its_price() {
        let table = [
            ("", 0),
            ("a", 1),
            ("abcd", 1),
            ("abcde", 2),
            ("день", 2),
            ("한국어", 3),
            ("中文", 2),
            ("🎉", 2),
            ("𠀀", 1),
            ("abcd日本", 3),
        ];
        for (text, tokens) in table {
            assert_eq!(estimate_tokens(text), tokens, "{text}");
        }
    }
}
