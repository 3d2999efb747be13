//! Trigger phrases, found in a message at word boundaries.
//!
//! A phrase is its author's claim, and authors claim much (`big data`, `I'm stuck`). So a phrase that merely
//! occurs is a strong hint; only where it makes up the greater part of what the message says, and is more than a single
//! word, does it settle the matter. A `none` phrase always rules its skill out.

use std::collections::{BTreeMap, HashMap, HashSet};

use prowess_types::Triggers;

use crate::stop::is_stop_word;
use crate::words::words;

/// A phrase settles the matter with at least this many words that mean something.
const SETTLING_WORDS: usize = 2;
/// And with at least this share of those in the message.
const SETTLING_SHARE: f32 = 0.5;

/// All trigger phrases, by their first word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phrases {
    by_first_word: HashMap<String, Vec<Phrase>>,
    /// The number of phrases that the rows with an `all` list need.
    needed: HashMap<u32, usize>,
}

#[derive(Clone, Debug)]
struct Phrase {
    row: u32,
    list: List,
    text: String,
    words: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    Any,
    All,
    None,
}

/// What the triggers of one row say about a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Triggered {
    /// The phrases that were found, when they call for the row.
    pub(crate) phrases: Vec<String>,
    /// The share of the message's meaningful words that the phrases cover.
    pub(crate) coverage: f32,
    /// True if they leave no doubt.
    pub(crate) is_settled: bool,
    /// The phrase that rules the row out.
    pub(crate) vetoed_by: Option<String>,
}

impl Phrases {
    /// Adds the triggers of a row.
    pub(crate) fn add(&mut self, triggers: &Triggers, row: u32) {
        let lists = [(List::Any, &triggers.any), (List::All, &triggers.all), (List::None, &triggers.none)];
        for (list, phrases) in lists {
            for text in phrases {
                let words = words(text);
                let Some(first) = words.first().cloned() else { continue };
                if list == List::All {
                    *self.needed.entry(row).or_default() += 1;
                }
                let phrase = Phrase { row, list, text: text.trim().to_owned(), words };
                self.by_first_word.entry(first).or_default().push(phrase);
            }
        }
    }

    /// The rows whose triggers have something to say about the message.
    pub(crate) fn find(&self, message: &str) -> BTreeMap<u32, Triggered> {
        if self.by_first_word.is_empty() {
            return BTreeMap::new();
        }
        let message = words(message);
        let mut hits: BTreeMap<u32, Vec<(&Phrase, usize)>> = BTreeMap::new();
        for (at, word) in message.iter().enumerate() {
            for phrase in self.by_first_word.get(word).into_iter().flatten() {
                if message[at..].starts_with(&phrase.words) {
                    hits.entry(phrase.row).or_default().push((phrase, at));
                }
            }
        }
        let judged =
            hits.into_iter().filter_map(|(row, hits)| Some((row, self.judge(row, &hits, &message)?)));
        judged.collect()
    }

    fn judge(&self, row: u32, hits: &[(&Phrase, usize)], message: &[String]) -> Option<Triggered> {
        let found = |list: List| hits.iter().filter(move |(phrase, _)| phrase.list == list);
        if let Some((veto, _)) = found(List::None).next() {
            return Some(Triggered { vetoed_by: Some(veto.text.clone()), ..Triggered::default() });
        }
        let mut all: Vec<&str> = found(List::All).map(|(phrase, _)| phrase.text.as_str()).collect();
        all.sort_unstable();
        all.dedup();
        let needs_more = self.needed.get(&row).is_some_and(|&needed| all.len() < needed);
        let calling: Vec<_> =
            hits.iter().filter(|(phrase, _)| phrase.list == List::Any || !needs_more).collect();
        if calling.is_empty() {
            return None;
        }
        let mut phrases: Vec<String> = calling.iter().map(|(phrase, _)| phrase.text.clone()).collect();
        phrases.sort_unstable();
        phrases.dedup();
        let positions = calling.iter().flat_map(|(phrase, at)| *at..at + phrase.words.len());
        let positions: HashSet<usize> = positions.filter(|&at| !is_stop_word(&message[at])).collect();
        let meaningful = message.iter().filter(|word| !is_stop_word(word)).count();
        let coverage = positions.len() as f32 / meaningful.max(1) as f32;
        let is_settled = positions.len() >= SETTLING_WORDS && coverage >= SETTLING_SHARE;
        Some(Triggered { phrases, coverage, is_settled, vetoed_by: None })
    }
}

/// What the trigger phrases of a row add to its score.
pub(crate) fn trigger_share(triggered: &Triggered) -> f32 {
    TRIGGER_WEIGHT * triggered.coverage
}

/// What a trigger phrase adds to the score when it is all that the message says; else its share of that.
const TRIGGER_WEIGHT: f32 = 2.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn find(triggers: &[Triggers], message: &str) -> BTreeMap<u32, Triggered> {
        let mut phrases = Phrases::default();
        for (row, triggers) in (0..).zip(triggers) {
            phrases.add(triggers, row);
        }
        phrases.find(message)
    }

    fn list(phrases: &[&str]) -> Vec<String> {
        phrases.iter().map(|&phrase| phrase.to_owned()).collect()
    }

    fn any(phrases: &[&str]) -> Triggers {
        Triggers { any: list(phrases), ..Triggers::default() }
    }

    #[test]
    fn a_phrase_that_is_most_of_the_message_settles_it() {
        let found = find(&[any(&["log expense"])], "Please log expense: 12 euros");
        assert_eq!(found[&0].phrases, ["log expense"]);
        assert!(found[&0].is_settled && found[&0].coverage >= 0.5);
    }

    #[test]
    fn a_phrase_that_merely_occurs_is_a_hint() {
        let message = "write a speech for the opening of our big data conference next week";
        let found = find(&[any(&["big data"])], message);
        assert!(!found[&0].is_settled && found[&0].coverage > 0.0);
    }

    #[test]
    fn one_word_never_settles() {
        assert!(!find(&[any(&["database"])], "database")[&0].is_settled);
        assert!(find(&[any(&["data"])], "database").is_empty());
        assert!(!find(&[any(&["how to"])], "how to?")[&0].is_settled);
    }

    #[test]
    fn all_means_all_and_none_means_none() {
        let all = Triggers { all: list(&["invoice", "overdue"]), ..Triggers::default() };
        assert!(find(std::slice::from_ref(&all), "one invoice").is_empty());
        assert!(find(&[all], "an overdue invoice")[&0].is_settled);
        let none = Triggers { none: list(&["draft"]), ..any(&["send mail"]) };
        let found = find(&[none], "send mail from the Draft");
        assert_eq!(found[&0].vetoed_by.as_deref(), Some("draft"));
        assert!(found[&0].phrases.is_empty());
    }

    #[test]
    fn chinese_phrases_are_found_inside_sentences() {
        assert_eq!(find(&[any(&["查天气"])], "帮我查天气")[&0].phrases, ["查天气"]);
    }
}
