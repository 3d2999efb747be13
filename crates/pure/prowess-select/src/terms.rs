//! Text as the terms that the lexical index counts.
//!
//! A term is a word without its ending (`deploying` and `deploys` are `deploi`); identifiers count by their parts too
//! (`camelCase`, `kebab-case`), scripts without spaces by pairs of characters. Words that say nothing are left out.

use crate::stop::is_stop_word;
use crate::words::{is_spaceless, plain};

/// A term and the word that it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term<'a> {
    pub(crate) text: &'a str,
    pub(crate) word: &'a str,
}

/// Calls `each` with every term of the text, in order.
pub(crate) fn terms(text: &str, mut each: impl FnMut(Term<'_>)) {
    let text = plain(text);
    let mut rest = &*text;
    // One buffer for all words: this runs over every word of every skill.
    let mut buffer = String::new();
    while let Some(start) = rest.find(char::is_alphanumeric) {
        rest = &rest[start..];
        let pairs_up = rest.starts_with(is_paired);
        let ends = |letter: char| !letter.is_alphanumeric() || is_paired(letter) != pairs_up;
        let end = rest.find(ends).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if pairs_up {
            pairs(run, &mut each);
        } else {
            parts(run, |word| term(word, &mut buffer, &mut each));
        }
        rest = after;
    }
}

/// Scripts whose words are not told apart by spaces, or (Korean) carry endings.
fn is_paired(letter: char) -> bool {
    is_spaceless(letter) || matches!(letter, '\u{ac00}'..='\u{d7af}')
}

fn pairs(run: &str, each: &mut impl FnMut(Term<'_>)) {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    if starts.len() == 2 {
        each(Term { text: run, word: run });
    }
    for window in starts.windows(3) {
        let pair = &run[window[0]..window[2]];
        each(Term { text: pair, word: pair });
    }
}

/// The words of a run. An identifier (`getHTTPStatus`) counts by its parts and as a whole; a name of two parts
/// (`GitHub`) as a whole alone.
fn parts(run: &str, mut each: impl FnMut(&str)) {
    if run.is_ascii() {
        let is_identifier = run.starts_with(|first: char| first.is_ascii_lowercase());
        let count = humps(run.as_bytes()).count() + 1;
        if count > 2 || (count == 2 && is_identifier) {
            let mut start = 0;
            for hump in humps(run.as_bytes()) {
                each(&run[start..hump]);
                start = hump;
            }
            each(&run[start..]);
        }
    }
    each(run);
}

/// Where the parts of a compound start, but for the first.
fn humps(run: &[u8]) -> impl Iterator<Item = usize> {
    (1..run.len()).filter(|&at| {
        let next_is_lower = run.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        run[at].is_ascii_uppercase() && (!run[at - 1].is_ascii_uppercase() || next_is_lower)
    })
}

fn term(word: &str, buffer: &mut String, each: &mut impl FnMut(Term<'_>)) {
    buffer.clear();
    if word.is_ascii() {
        buffer.push_str(word);
        buffer.make_ascii_lowercase();
    } else {
        buffer.extend(word.chars().flat_map(char::to_lowercase));
    }
    let mut letters = buffer.chars();
    let is_single_letter =
        letters.next().is_some_and(|first| !first.is_numeric()) && letters.next().is_none();
    if !is_single_letter && !is_stop_word(buffer) {
        if buffer.is_ascii() {
            stem(buffer);
        }
        each(Term { text: buffer, word });
    }
}

/// Takes the endings of English plurals and verbs off a lower-case word.
fn stem(word: &mut String) {
    take_plural_off(word);
    take_verb_ending_off(word);
    if word.len() > 3 && word.ends_with('e') {
        word.pop();
    }
    if word.len() > 3 && word.ends_with('y') {
        word.pop();
        word.push('i');
    }
}

fn take_plural_off(word: &mut String) {
    let length = word.len();
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    if length > 4 && ends(&["ies"]) {
        word.truncate(length - 3);
        word.push('y');
    } else if length > 4 && ends(&["sses", "shes", "ches", "xes", "zes"]) {
        word.truncate(length - 2);
    } else if length > 3 && ends(&["s"]) && !ends(&["ss", "us", "is"]) {
        word.pop();
    }
}

fn take_verb_ending_off(word: &mut String) {
    for ending in ["ing", "ed"] {
        let Some(stem) = word.strip_suffix(ending) else { continue };
        let has_vowel = stem.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        if stem.len() < 3 || !has_vowel {
            continue;
        }
        let length = stem.len();
        word.truncate(length);
        let bytes = word.as_bytes();
        let is_doubled = length > 3 && bytes[length - 1] == bytes[length - 2] && bytes[length - 1].is_ascii();
        if is_doubled && !word.ends_with(['l', 's', 'z']) {
            word.pop();
        }
        return;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        terms(text, |term| all.push(term.text.to_owned()));
        all
    }

    #[test]
    fn identifiers_count_by_their_parts_and_whole() {
        let expected = ["museum", "design", "getmuseumdesign", "kebab", "cas", "snak", "cas"];
        assert_eq!(all("getMuseumDesign kebab-case snake_case"), expected);
        assert_eq!(all("myHTTPServer"), ["http", "server", "myhttpserver"]);
    }

    #[test]
    fn names_count_whole() {
        assert_eq!(all("GitHub HTTPServer v2beta PDFs"), ["github", "httpserver", "v2beta", "pdf"]);
    }

    #[test]
    fn endings_are_taken_off() {
        let same = |words: &str| {
            let stems = all(words);
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{stems:?}");
        };
        same("deploy deploys deployed deploying");
        same("category categories");
        same("plan plans planning planned");
        same("schedule schedules scheduled scheduling");
        same("box boxes");
        assert_eq!(all("status analysis bus red king"), ["status", "analysis", "bus", "red", "king"]);
    }

    #[test]
    fn scripts_without_spaces_count_by_pairs() {
        assert_eq!(all("查天气 PDF文件"), ["查天", "天气", "pdf", "文件"]);
        assert_eq!(all("猫"), ["猫"]);
        assert_eq!(all("한국어"), ["한국", "국어"]);
    }

    #[test]
    fn words_that_say_nothing_are_left_out() {
        assert_eq!(all("Can you please do it for me?"), Vec::<String>::new());
    }

    #[test]
    fn a_term_remembers_its_word() {
        let mut words = Vec::new();
        terms("Deploying GitHub", |term| words.push(term.word.to_owned()));
        assert_eq!(words, ["Deploying", "GitHub"]);
    }

    /// The same terms as the reference implementation, `models/reference/selection.py`.
    #[test]
    fn odd_texts_give_the_terms_of_the_reference() {
        #[derive(serde::Deserialize)]
        struct Case {
            text: String,
            tokens: Vec<String>,
        }
        let fixture = include_str!("../tests/fixtures/tokens.jsonl");
        let cases: Vec<Case> = fixture.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(cases.len() > 30);
        for case in cases {
            assert_eq!(all(&case.text), case.tokens, "{}", case.text);
        }
    }
}
