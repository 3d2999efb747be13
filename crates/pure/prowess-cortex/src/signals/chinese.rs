//! Chinese: words are found, not split off, because nothing stands between them.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Found;
use super::lexicon::{Strength, TOOLS, section};
use super::words::quoted;

const LIST: &str = include_str!("chinese.txt");
/// The longest word of the list, in characters.
const LONGEST: usize = 6;

static WORDS: LazyLock<HashMap<&'static str, Strength>> = LazyLock::new(|| {
    let words = |name, strength| {
        section(LIST, name).flat_map(str::split_whitespace).map(move |word| (word, strength))
    };
    words("words", Strength::Strong).chain(words("light", Strength::Weak)).collect()
});

pub(super) fn find(text: &str) -> Vec<Found> {
    let quotes = quoted(text);
    let mut found = Vec::new();
    for (start, run) in runs(text) {
        let words = words_of(run);
        let organisations = organisations(run);
        for (at, word, strength) in words {
            let is_quoted = quotes.iter().any(|quote| quote.contains(&(start + at)));
            if !is_quoted && !organisations.iter().any(|name| name.contains(&at)) {
                found.push(Found { at: start + at, word: word.to_owned(), strength, rank: 0 });
            }
        }
    }
    found
}

/// Stretches of Chinese characters with where they begin.
fn runs(text: &str) -> Vec<(usize, &str)> {
    let is_han = |letter: char| ('\u{4e00}'..='\u{9fff}').contains(&letter);
    let mut found = Vec::new();
    let mut at = 0;
    for run in text.split_inclusive(|letter| !is_han(letter)) {
        let han = run.trim_end_matches(|letter| !is_han(letter));
        if !han.is_empty() {
            found.push((at, han));
        }
        at += run.len();
    }
    found
}

/// The longest known words from left to right.
pub(super) fn words_of(run: &str) -> Vec<(usize, &str, Strength)> {
    let mut found = Vec::new();
    let mut rest = 0;
    for (at, _) in run.char_indices() {
        if at < rest {
            continue;
        }
        let ends = run[at..].char_indices().map(|(end, letter)| at + end + letter.len_utf8()).take(LONGEST);
        let known = ends.filter_map(|end| {
            let word = &run[at..end];
            let strength =
                WORDS.get(word).copied().or_else(|| TOOLS.contains(word).then_some(Strength::Strong));
            strength.map(|strength| (at, word, strength))
        });
        if let Some(longest) = known.last() {
            rest = at + longest.1.len();
            found.push(longest);
        }
    }
    found
}

/// Where names of companies, schools and the like stand: from after the last particle up to the word that says what it
/// is. A known word right after the particle is more likely the verb of the task.
pub(super) fn organisations(run: &str) -> Vec<std::ops::Range<usize>> {
    let boundaries: Vec<&str> = section(LIST, "boundaries").flat_map(str::split_whitespace).collect();
    let mut found = Vec::new();
    for kind in section(LIST, "organisations").flat_map(str::split_whitespace) {
        for (end, _) in run.match_indices(kind) {
            let before = &run[..end];
            let particle = boundaries.iter().filter_map(|word| Some(before.rfind(word)? + word.len())).max();
            let start = particle.unwrap_or(0);
            let verb = words_of(&run[start..end])
                .first()
                .filter(|(at, ..)| *at == 0)
                .map_or(0, |(_, word, _)| word.len());
            // Only a verb and what it says: nothing is left that could be a name.
            found.push(start + verb..end);
        }
    }
    found
}
