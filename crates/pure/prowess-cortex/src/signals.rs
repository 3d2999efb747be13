//! The entity filter: what a task is about, without whom or what it is about.
//!
//! Names cannot be listed, but common words can. So nothing is filtered *out*: a word gets *in* if it is in a
//! fixed vocabulary (verbs, abstract nouns and tools in [`lexicon`], the common words of English in [`common`]), and
//! stands where it means itself. What comes out is therefore always a word of the vocabulary, whatever went in; a name,
//! date, number, path or address cannot get through.
//!
//! What remains to be decided is whether a known word is part of a name (`Acme Data Systems`, `Larry Page`, `Herr
//! Koch`): capitals, titles, quotes, possessives and neighbours tell ([`words`]). When in doubt, it is left out.

mod chinese;
mod common;
mod foreign;
mod gist;
mod inflection;
mod lexicon;
mod words;

use crate::constants::MAX_NEW_SIGNALS;
use lexicon::Strength;

pub use gist::gist;
pub use words::tools;

/// Words that say little are left out once this many others were found.
const ENOUGH: usize = 2;
/// Common words are taken, the rarest first, until there are this many.
const PLENTY: usize = 3;

/// Up to four words that tell a kind of task, in lower case and in the order of the text.
///
/// Of English all common words are understood, of Chinese, German and Spanish words for tasks, of other languages only
/// names of tools.
///
/// ```
/// assert_eq!(prowess_cortex::signals("Look up Alice's Q3 sales report"), ["query", "sales", "report"]);
/// assert_eq!(prowess_cortex::signals("Will it rain in Lisbon tomorrow?"), ["rain"]);
/// assert_eq!(prowess_cortex::signals("Schicke Herrn Koch die Rechnung"), ["schicken", "rechnung"]);
/// ```
pub fn signals(text: &str) -> Vec<String> {
    let mut found = find(text);
    let count = |found: &[Found], strength| found.iter().filter(|item| item.strength == strength).count();
    let strong = count(&found, Strength::Strong);
    // Rarer words say more; the list has the most frequent first.
    let mut ranks: Vec<usize> =
        found.iter().filter(|item| item.strength == Strength::Common).map(|item| item.rank).collect();
    ranks.sort_unstable_by(|one, other| other.cmp(one));
    ranks.truncate(if strong >= ENOUGH { 0 } else { PLENTY - strong });
    found.retain(|item| item.strength != Strength::Common || ranks.contains(&item.rank));
    let telling = strong + count(&found, Strength::Common);
    // Weak words only fill up; the sort keeps the order of the text within each kind.
    let mut wanted = ENOUGH.saturating_sub(telling);
    found.retain(|item| {
        let stays = item.strength != Strength::Weak || wanted > 0;
        if item.strength == Strength::Weak && stays {
            wanted -= 1;
        }
        stays
    });
    found.truncate(MAX_NEW_SIGNALS);
    found.into_iter().map(|item| item.word).collect()
}

/// All words that [`signals`] chooses from, in the order of the text.
pub fn vocabulary_words(text: &str) -> Vec<String> {
    find(text).into_iter().map(|item| item.word).collect()
}

fn find(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for item in words::find(text).into_iter().chain(chinese::find(text)) {
        if !found.iter().any(|known| known.word == item.word) {
            found.push(item);
        }
    }
    found.sort_by_key(|item| item.at);
    found
}

/// A word of the vocabulary in a text.
#[derive(Debug)]
struct Found {
    /// Where it stands, in bytes.
    at: usize,
    word: String,
    strength: Strength,
    rank: usize,
}

#[cfg(test)]
#[path = "signals/signals_tests.rs"]
mod tests;
