//! The common words of English: known by the base form, found by any regular form.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::lexicon::{Class, Entry, Strength, section};

const LIST: &str = include_str!("common.txt");

/// A word that is neither a thing nor an action.
const NO_CLASS: Option<Class> = None;

/// A base form with its class and its place in the list.
type CommonWord = (&'static str, Option<Class>, usize);

/// Class and place of every word; words without a class only hold a sentence together.
static WORDS: LazyLock<HashMap<&'static str, CommonWord>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    for (name, class) in [
        ("names", Some(Class::Ambiguous)),
        ("nouns", Some(Class::Noun)),
        ("verbs", Some(Class::Verb)),
        ("other", NO_CLASS),
    ] {
        for (rank, item) in section(LIST, name).flat_map(str::split_whitespace).enumerate() {
            let (word, forms) = item.split_once(':').unwrap_or((item, ""));
            for form in std::iter::once(word).chain(forms.split(',').filter(|form| !form.is_empty())) {
                words.entry(form).or_insert((word, class, rank));
            }
        }
    }
    words
});

/// The common word that a form (in lower case) stands for.
pub(super) fn find(form: &str) -> Option<Entry> {
    let (word, class, rank) = look_up(form)?;
    Some(Entry { word: word.to_owned(), class: class?, strength: Strength::Common, rank })
}

/// Returns true if a form is a word that only holds a sentence together.
pub(super) fn is_filler(form: &str) -> bool {
    look_up(form).is_some_and(|(_, class, _)| class.is_none())
}

/// Returns true if a form is a common word of any kind.
pub(super) fn is_known(form: &str) -> bool {
    look_up(form).is_some()
}

/// The word itself, or the one that it is a form of: `raining` is listed for itself, and is `rain`.
fn look_up(form: &str) -> Option<CommonWord> {
    let known = |form: &str| WORDS.get(form).copied();
    let itself = known(form);
    let has_class = itself.is_some_and(|(_, class, _)| class.is_some());
    let stems = if has_class { Vec::new() } else { stems(form) };
    let stem = stems
        .iter()
        .filter_map(|stem| known(stem))
        .find(|(_, class, _)| itself.is_none() || matches!(class, Some(Class::Noun | Class::Verb)));
    if has_class { itself } else { stem.or(itself) }
}

/// The base forms that a regular form may come from.
pub(super) fn stems(form: &str) -> Vec<String> {
    const ENDINGS: [(&str, &str); 9] = [
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ied", "y"),
        ("ing", ""),
        ("ing", "e"),
        ("ed", ""),
        ("ed", "e"),
        ("ly", ""),
    ];
    const SHORTEST_STEM: usize = 3;
    let mut found = Vec::new();
    for (ending, instead) in ENDINGS {
        let Some(stem) = form.strip_suffix(ending).filter(|stem| stem.len() >= SHORTEST_STEM) else {
            continue;
        };
        found.push(format!("{stem}{instead}"));
        // `stopped` is `stop`.
        let mut letters = stem.chars().rev();
        let (last, before) = (letters.next(), letters.next());
        if instead.is_empty() && matches!(ending, "ing" | "ed") && last == before {
            found.extend(stem.char_indices().next_back().map(|(at, _)| stem[..at].to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_forms_are_found() {
        for (form, word) in [
            ("umbrellas", "umbrella"),
            ("raining", "rain"),
            ("bulbs", "bulb"),
            ("knitted", "knit"),
            ("boiled", "boil"),
            ("forgotten", "forget"),
        ] {
            assert_eq!(find(form).map(|entry| entry.word).as_deref(), Some(word), "{form}");
        }
        assert!(is_filler("weirdly") || is_filler("really"));
        assert!(!is_filler("raining") && !is_filler("rain"));
        assert!(find("alice").is_none() && find("lisbon").is_none() && find("s").is_none());
    }

    #[test]
    fn no_word_of_the_list_is_a_frequent_first_name() {
        for name in super::super::gist::NAMES.split_whitespace() {
            let found = find(name).filter(|entry| entry.class != Class::Ambiguous);
            assert!(found.is_none() && !is_filler(name), "{name}");
        }
    }
}
