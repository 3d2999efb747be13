//! The description of a skill, from its task in general words.

use super::lexicon::is_verb;
use super::{Wording, synonyms};

/// Other words for the request that a description has.
const OTHERS: usize = 2;

/// Descriptions of a skill in plain words, the fullest first. `place` says where it works (`on the phone`).
///
/// ```
/// let wording = prowess_forge::wording("Set an alarm for 7am tomorrow").expect("words");
/// assert_eq!(
///     prowess_forge::describe(&wording, "on the phone")[0],
///     "Sets an alarm for a given time on the phone. Use when asked to set an alarm for a given time, create an alarm, \
///      make an alarm or wake up at a given time."
/// );
/// ```
pub fn describe(wording: &Wording, place: &str) -> Vec<String> {
    let phrase = wording.phrase.as_str();
    let place = if place.is_empty() || phrase.contains(place) { String::new() } else { format!(" {place}") };
    let native = wording.native.as_deref().map(|native| format!(" ({native})")).unwrap_or_default();
    if !wording.is_action {
        let lead = if is_question(phrase) { "Answers the question" } else { "Handles requests about" };
        return distinct(vec![
            format!("{lead}: {phrase}{place}. Use when asked: {phrase}{native}."),
            format!("{}. Use when asked about {phrase}{native}.", capital(phrase)),
        ]);
    }
    let short = if wording.core.is_empty() { phrase } else { wording.core.as_str() };
    let others: Vec<String> = alternatives(short).into_iter().take(OTHERS).collect();
    let also = synonyms::also(phrase).map(str::to_owned);
    let named: Vec<String> = others.iter().cloned().chain(also).collect();
    let asked = listed(phrase, &named);
    // A verb that is also said of other things may load the skill for them: other words stand in for it.
    let instead = others
        .iter()
        .map(|other| format!("{}{place}. Use when asked to {other}{native}.", capital(&does(other))));
    let mut list = vec![
        format!("{}{place}. Use when asked to {asked}{native}.", capital(&does(phrase))),
        format!("{}. Use when asked to {phrase}{native}.", capital(&does(phrase))),
        format!("{}{place}. Use when asked to {}{native}.", capital(&does(short)), listed(short, &named)),
        format!("{}. Use when asked to {short}{native}.", capital(&does(short))),
    ];
    list.extend(instead);
    distinct(list)
}

/// The request with other words for what is to be done.
pub(super) fn alternatives(request: &str) -> Vec<String> {
    let Some((verb, others)) = synonyms::of(request) else { return Vec::new() };
    let rest = &request[verb.len()..];
    others.iter().map(|other| format!("{other}{rest}")).collect()
}

fn distinct(list: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in list {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

fn listed(first: &str, others: &[String]) -> String {
    match others.split_last() {
        None => first.to_owned(),
        Some((last, rest)) => {
            let all: Vec<&str> = [first].into_iter().chain(rest.iter().map(String::as_str)).collect();
            format!("{} or {last}", all.join(", "))
        }
    }
}

/// A request as what the skill does: `set an alarm and open the app` is `sets an alarm and opens the app`.
fn does(phrase: &str) -> String {
    let words: Vec<&str> = phrase.split(' ').collect();
    let mut said: Vec<String> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let is_start = at == 0;
        let after_and = at > 1 && matches!(words.get(at - 1), Some(&"and" | &"then"));
        // `search and replace` has a thing after it; `bread and butter` has not.
        let goes_on = words.get(at + 1).is_some_and(|next| !["and", "or"].contains(next));
        if is_verb(word) && (is_start || (after_and && goes_on)) {
            said.push(third_person(word));
        } else {
            said.push((*word).to_owned());
        }
    }
    said.join(" ")
}

fn third_person(verb: &str) -> String {
    let ends = |list: &[&str]| list.iter().any(|end| verb.ends_with(end));
    let before_last = verb.chars().rev().nth(1).unwrap_or_default();
    if ends(&["s", "sh", "ch", "x", "z", "o"]) {
        format!("{verb}es")
    } else if verb.ends_with('y') && !"aeiou".contains(before_last) {
        format!("{}ies", &verb[..verb.len() - 1])
    } else {
        format!("{verb}s")
    }
}

fn is_question(phrase: &str) -> bool {
    let first = phrase.split(' ').next().unwrap_or_default();
    ["what", "how", "when", "where", "which", "who", "why", "is", "are", "will", "does", "do"]
        .contains(&first)
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
