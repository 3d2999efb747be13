//! What a word is worth: the rarer it is among skills in general, the more.
//!
//! The table was counted once over public skills, and does not change with the skills at hand. A term counts
//! once per skill: name, description and the beginning of the body.

use crate::terms::terms;

/// How many documents of which sources; then a term and its number of documents by line, sorted by the bytes of the
/// term. Terms of a single document are left out.
const TABLE: &str = include_str!("../data/rarity.txt");

/// The inverse document frequency of a term, as BM25 defines it.
pub(crate) fn rarity(term: &str) -> f32 {
    let (documents, lines) = parts(TABLE);
    let count = lookup(lines, term).unwrap_or(0.0);
    (1.0 + (documents - count + 0.5) / (count + 0.5)).ln()
}

/// Returns true if a text has a word that skills use, or one in letters that the table does not cover. A text without one
/// may be a rare word, a name or no word at all.
///
/// ```
/// assert!(prowess_select::has_known_word("board games"));
/// assert!(prowess_select::has_known_word("играть"));
/// assert!(!prowess_select::has_known_word("zzzzqqqq"));
/// ```
pub fn has_known_word(text: &str) -> bool {
    let (_, lines) = parts(TABLE);
    let mut is_known = false;
    terms(text, |term| is_known |= !term.word.is_ascii() || lookup(lines, term.text).is_some());
    is_known
}

/// The number of documents, and the lines of the terms.
fn parts(table: &str) -> (f32, &str) {
    let (first, lines) = table.split_once('\n').unwrap_or_default();
    let documents = first.split(' ').next().and_then(|number| number.parse().ok());
    (documents.unwrap_or(1.0), lines)
}

/// Finds a term by halving the text at line breaks: nothing has to be built before the first question.
fn lookup(mut lines: &str, term: &str) -> Option<f32> {
    while !lines.is_empty() {
        let bytes = lines.as_bytes();
        let middle = bytes.len() / 2;
        let start = bytes[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let end = bytes[start..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| start + at);
        let (found, count) = lines[start..end].split_once('\t')?;
        match term.cmp(found) {
            std::cmp::Ordering::Less => lines = &lines[..start],
            std::cmp::Ordering::Equal => return count.parse().ok(),
            std::cmp::Ordering::Greater => lines = lines.get(end + 1..).unwrap_or_default(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_found() {
        let (documents, lines) = parts(TABLE);
        assert!(documents > 1_000.0);
        assert!(lines.lines().map(|line| line.split('\t').next()).is_sorted());
        for line in lines.lines() {
            let (term, count) = line.split_once('\t').expect("two columns");
            assert_eq!(lookup(lines, term), count.parse().ok(), "{term}");
        }
    }

    #[test]
    fn what_is_not_in_the_table_is_rarest() {
        let (_, lines) = parts(TABLE);
        for term in ["", "0000000", "zzzzzzzzz", "\u{10ffff}", "qwertzuiop"] {
            assert_eq!(lookup(lines, term), None);
            assert!(rarity(term) >= rarity("file"));
        }
    }

    #[test]
    fn tables_of_any_size_are_searched() {
        assert_eq!(lookup("", "a"), None);
        assert_eq!(lookup("a\t1", "a"), Some(1.0));
        assert_eq!(lookup("a\t1\nb\t2\nc\t3\n", "c"), Some(3.0));
        assert_eq!(lookup("a\t1\nb\t2\nc\t3\n", "bb"), None);
    }
}
