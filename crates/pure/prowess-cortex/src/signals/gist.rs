//! The text of a task that is encoded: without names, dates, numbers, paths, addresses and quotes.
//!
//! Unlike a signal, a vector is not text, so a word need not be known: names are filtered out by how they are written, by
//! what stands around them, and by a list of first names. Other languages than English have rules of their own
//! ([`foreign`]).

use super::lexicon::{LEXICONS, TOOLS};
use super::words::{Token, barred, entries, file_noun, is_determiner, means_itself, tokens};
use super::{common, foreign};

/// First names that are common in the languages that the encoders read, in lower case. They are left out wherever they
/// stand.
pub(super) const NAMES: &str = include_str!("names.txt");

/// The text of a task from which its vector is computed: without names, numbers and addresses. Empty if nothing is left.
///
/// ```
/// use prowess_cortex::gist;
///
/// assert_eq!(gist("Prepare Alice's Q3 sales report", true), "prepare sales report");
/// assert_eq!(gist("email bob@example.com the invoice for $2,500", true), "email the invoice for");
/// assert_eq!(gist("Schicke Herrn Koch die Rechnung vom 3. Mai", false), "schicke die rechnung vom");
/// assert_eq!(gist("给王芳发送会议纪要", false), "给发送会议纪要");
/// ```
pub fn gist(text: &str, is_english: bool) -> String {
    if is_english { english(text) } else { foreign::gist(text) }
}

/// Words after which a name may follow in lower case.
const BEFORE_NAMES: [&str; 18] = [
    "to", "from", "with", "for", "and", "by", "at", "in", "of", "ask", "tell", "call", "email", "mail",
    "message", "remind", "invite", "near",
];

pub(super) fn is_first_name(word: &str) -> bool {
    NAMES.split_whitespace().any(|name| name == word)
}

/// Text in which capitals say something.
pub(super) fn with_telling_capitals(text: &str) -> std::borrow::Cow<'_, str> {
    let is_shouted = !text.contains(char::is_lowercase) && text.split_whitespace().count() > 1;
    if is_shouted { text.to_lowercase().into() } else { text.into() }
}

fn english(text: &str) -> String {
    let text = with_telling_capitals(text);
    let tokens = tokens(&text);
    let lexicon = &LEXICONS[0];
    let barred = barred(&tokens, lexicon);
    let mut kept: Vec<String> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if barred[at] {
            continue;
        }
        if !token.is_word {
            kept.extend(
                without_apostrophe(token)
                    .or_else(|| file_noun(&token.text, lexicon.language).map(ToOwned::to_owned)),
            );
            continue;
        }
        let word = token.lower.as_str();
        if let Some((_, meant)) =
            lexicon.phrases.iter().find(|(words, _)| matches!(words[..], [only] if only == word))
        {
            kept.push((*meant).to_owned());
            continue;
        }
        let is_thing = at > 0 && is_determiner(&tokens[at - 1], lexicon);
        let entries = entries(token, lexicon, true);
        let is_filler = lexicon.stop.contains(word) || common::is_filler(word);
        let is_plain = !token.is_capital || token.is_initial || word == "i";
        let means = |(_, entry): &(usize, super::lexicon::Entry)| {
            means_itself(token, entry, tokens.get(at + 1), is_thing, lexicon)
        };
        let is_meant = !entries.is_empty() && entries.iter().all(means);
        // Not every word for a task is known; a name in lower case stands where names do, or is a common one.
        let follows_preposition = at > 0 && BEFORE_NAMES.contains(&tokens[at - 1].lower.as_str());
        let is_lower = !token.is_capital && word.chars().count() > 2;
        let is_likely = is_lower && !follows_preposition && !is_first_name(word);
        if TOOLS.contains(word) || (is_filler && is_plain) || is_meant || is_likely {
            kept.push(word.to_owned());
        }
    }
    kept.join(" ")
}

/// `don't`, `what's`: the part before the apostrophe, if it is a word that is not a name.
fn without_apostrophe(token: &Token) -> Option<String> {
    let (word, rest) = token.lower.split_once(['\'', '’'])?;
    if rest == "t" {
        return Some("not".to_owned());
    }
    let is_known = LEXICONS[0].stop.contains(word) && matches!(rest, "s" | "re" | "ve" | "ll" | "d" | "m");
    is_known.then(|| word.to_owned())
}

#[cfg(test)]
#[path = "gist_tests.rs"]
mod tests;
