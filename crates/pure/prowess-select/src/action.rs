//! The action of a request: the part before its topic.
//!
//! "Search the web for the latest Akka.NET release" asks for a search, yet its rarest words are those of the topic, and
//! skills about the topic share them. So the action is read once more by itself. Where it clearly asks for a skill, and the
//! whole message does not or asks for one that has nothing to do with the action, both readings count one half.

use crate::calibration::Route;
use crate::clauses::{OPENERS, clauses, words};
use crate::gate::log_odds;
use crate::index::Index;
use crate::judge::Judge;
use crate::judged::Judged;
use crate::query::{Clause, Query};
use crate::reading::Reading;
use crate::search::{Candidate, Search};

/// Words that lead from an action to its topic; "on" often leads to the place where it is to be done.
const TOPIC_WORDS: [&str; 4] = ["about", "concerning", "for", "regarding"];
/// Words of a question or a statement among those that open a request.
const NOT_ACTIONS: [&str; 17] = [
    "are", "can", "could", "do", "does", "how", "i", "is", "let", "what", "when", "where", "which", "who",
    "why", "will", "would",
];
/// Politeness in front of an action, the longest first.
const POLITE: [&str; 12] = [
    "i would like you to",
    "i'd like you to",
    "i want you to",
    "i need you to",
    "could you please",
    "can you please",
    "would you please",
    "could you",
    "can you",
    "would you",
    "help me",
    "please",
];
/// An action has at least this many words.
const FEWEST_WORDS: usize = 2;
/// From here on the action asks for a skill by itself.
const SURE: f32 = 0.8;
/// A skill for the action must have at least this confidence for the whole message.
const FLOOR: f32 = 0.1;

/// Returns the action of a request that names a topic; none if the message is not such a request, or makes several.
///
/// ```
/// # use prowess_select::action;
/// assert_eq!(action("Please search the web for the latest Akka.NET release"), Some("search the web"));
/// assert_eq!(action("Is there any news about Akka.NET?"), None);
/// assert_eq!(action("Search the web for a recipe"), None, "the topic has no name");
/// ```
pub fn action(message: &str) -> Option<&str> {
    let message = without_politeness(message.trim());
    let words = words(message);
    let (_, first) = words.first()?;
    let first = bare(first).to_lowercase();
    if OPENERS.binary_search(&first.as_str()).is_err() || NOT_ACTIONS.contains(&first.as_str()) {
        return None;
    }
    let is_topic = |word: &str| TOPIC_WORDS.contains(&word.to_lowercase().as_str());
    let (start, _) = words.iter().skip(FEWEST_WORDS).find(|(_, word)| is_topic(word))?;
    let (action, topic) = message.split_at_checked(*start)?;
    let is_named = topic.split_whitespace().any(|word| is_name(bare(word)));
    (is_named && clauses(message).is_empty()).then(|| action.trim_end())
}

fn without_politeness(mut message: &str) -> &str {
    while let Some(rest) = POLITE.iter().find_map(|words| {
        let start = message.get(..words.len())?;
        let rest = message.get(words.len()..)?;
        let is_word_end = rest.starts_with(|char: char| !char.is_alphanumeric());
        (start.eq_ignore_ascii_case(words) && is_word_end).then_some(rest)
    }) {
        message = rest.trim_start_matches(|char: char| char.is_whitespace() || char == ',');
    }
    message
}

fn bare(word: &str) -> &str {
    word.trim_matches(|char: char| !char.is_alphanumeric())
}

/// Capitals, digits and signs inside a word make a name of it.
fn is_name(word: &str) -> bool {
    word.chars().any(|char| char.is_uppercase() || char.is_ascii_digit() || "._/".contains(char))
}

/// The action of a message, searched and judged like a message of its own.
pub(crate) struct Action<'a> {
    index: &'a Index,
    route: &'a Route,
    query: Query<'a>,
}

impl<'a> Action<'a> {
    pub(crate) fn of(index: &'a Index, query: &Query<'a>, route: &'a Route) -> Option<Self> {
        let Clause { text, vectors } = query.action?;
        Some(Self { index, route, query: Query { text, vectors, action: None, clauses: &[], ..*query } })
    }

    /// Lets the action count one half if it asks for another skill than the topic does.
    pub(crate) fn weigh(&self, whole: &Judge<'_>, judged: &mut Vec<Judged>) {
        let search = Search::plain(self.index, &self.query, self.route);
        let judge = Judge::new(&search);
        let reading = Reading::of(&self.query, self.route);
        let read = |row: usize| {
            let first = judge.report(row, search.score(row)).confidence;
            reading.and_then(|reading| reading.confidence(&judge, row, search.score(row))).unwrap_or(first)
        };
        let Some(best) = judged.iter().find(|judged| judged.candidate.is_open()) else { return };
        let Some(wanted) = search.best(1).into_iter().find(Candidate::is_open) else { return };
        let is_same = wanted.row == best.candidate.row;
        let is_settled = judged.iter().any(|judged| judged.candidate.certain.is_some())
            || (is_same && best.confidence() >= self.route.load);
        let is_sure = || read(wanted.row) >= SURE;
        let is_off_topic = || is_same || read(best.candidate.row) < self.route.suggest;
        if is_settled || !is_sure() || !is_off_topic() {
            return;
        }
        if !judged.iter().any(|judged| judged.candidate.row == wanted.row) {
            judged.push(Judged::new(whole, whole.search.candidate(wanted.row)));
        }
        let is_supported =
            |judged: &Judged| judged.candidate.row == wanted.row && judged.confidence() >= FLOOR;
        if !judged.iter().any(is_supported) {
            return;
        }
        for judged in judged.iter_mut() {
            let row = judged.candidate.row;
            let half = |of_action: f32, of_whole: f32| (of_action - of_whole) / 2.0;
            let score = half(search.score(row), judged.candidate.score);
            judged.count_action(
                self.query.text,
                score,
                half(log_odds(read(row)), log_odds(judged.gate.confidence)),
            );
        }
        judged.sort_by(|a, b| Candidate::order(&a.candidate, &b.candidate));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_can_be_searched() {
        assert!(TOPIC_WORDS.is_sorted() && NOT_ACTIONS.is_sorted());
        assert!(NOT_ACTIONS.iter().all(|word| OPENERS.binary_search(word).is_ok()));
    }

    #[test]
    fn an_action_ends_before_its_topic() {
        for (message, expected) in [
            ("Can you please look up the docs for Postgres 16?", "look up the docs"),
            ("write a short post about Anna's birthday", "write a short post"),
            ("Please, could you translate this page for Marie", "translate this page"),
            ("Create slides regarding the foo_bar module", "Create slides"),
        ] {
            assert_eq!(action(message), Some(expected), "{message}");
        }
    }

    #[test]
    fn other_messages_have_none() {
        for message in [
            "",
            "please",
            "for Anna",
            "Search for Anna",
            "I searched the web for Akka.NET",
            "How do I write tests for Akka.NET",
            "search the web for a recipe",
            "on the web about Anna",
            "Searching für Ünïcödé about É",
            "Search the web for Akka.NET and send the result to Anna",
        ] {
            assert_eq!(action(message), None, "{message}");
        }
    }
}
