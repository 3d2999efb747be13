//! The entity filter: what a task is about, without whom or what it is about.
//!
//! Names cannot be listed, but the words for tasks can. So nothing is filtered *out*: a word gets *in* if it is in a
//! fixed vocabulary of verbs, abstract nouns and tools ([`lexicon`]), and stands where it means itself. What comes out is
//! therefore always a word of the vocabulary, whatever went in; a name, date, number, path or address cannot get through.
//!
//! What remains to be decided is whether a known word is part of a name (`Acme Data Systems`, `Larry Page`, `Herr
//! Koch`): capitals, titles, quotes, possessives and neighbours tell ([`words`]). When in doubt, it is left out.

mod chinese;
mod inflection;
mod lexicon;
mod words;

use crate::constants::MAX_NEW_SIGNALS;
use lexicon::Strength;

/// At least so many are sought; then words that say little are left out.
const ENOUGH: usize = 2;

/// Up to four words that tell a kind of task, in lower case and in the order of the text.
///
/// English, Chinese, German and Spanish are understood; of other languages only names of tools are.
///
/// ```
/// assert_eq!(prowess_cortex::signals("Look up Alice's Q3 sales report"), ["query", "sales", "report"]);
/// assert_eq!(prowess_cortex::signals("Schicke Herrn Koch die Rechnung"), ["schicken", "rechnung"]);
/// ```
pub fn signals(text: &str) -> Vec<String> {
    let mut found: Vec<Found> = Vec::new();
    for item in words::find(text).into_iter().chain(chinese::find(text)) {
        if !found.iter().any(|known| known.word == item.word) {
            found.push(item);
        }
    }
    found.sort_by_key(|item| item.at);
    let strong = found.iter().filter(|item| item.strength == Strength::Strong).count();
    // Weak words only fill up; the sort keeps the order of the text within each kind.
    let mut wanted = ENOUGH.saturating_sub(strong);
    found.retain(|item| {
        let stays = item.strength == Strength::Strong || wanted > 0;
        if item.strength == Strength::Weak && stays {
            wanted -= 1;
        }
        stays
    });
    found.truncate(MAX_NEW_SIGNALS);
    found.into_iter().map(|item| item.word).collect()
}

/// A word of the vocabulary in a text.
#[derive(Debug)]
struct Found {
    /// Where it stands, in bytes.
    at: usize,
    word: String,
    strength: Strength,
}

#[cfg(test)]
#[path = "signals/signals_tests.rs"]
mod tests;
