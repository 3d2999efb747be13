//! A task in general words: what was asked for, without whom, when or which.
//!
//! A word of a task is taken over only if it is in a list of common words ([`lexicon`], [`concepts`]) and stands where it means
//! itself. Everything else becomes a general word (`a given time`, `someone`, `a spreadsheet`) or is left out. So a
//! description can be written from a task, and nothing of a person gets into it.

mod concepts;
mod describe;
mod english;
mod gloss;
mod lexicon;
mod paraphrase;
mod synonyms;
mod tokens;
mod values;

pub use describe::describe;
pub use paraphrase::{Paraphrase, ParaphraseKind, paraphrases};

use serde::{Deserialize, Serialize};

/// A task in general words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wording {
    /// The request in English, as one would say it: `set an alarm for a given time`.
    pub phrase: String,
    /// Its beginning, up to where the circumstances begin: `set an alarm`. Empty if it is not a request to do something.
    pub core: String,
    /// The words that mean something, for names.
    pub words: Vec<String>,
    /// The words of the task's own language, for a task that is not in English.
    pub native: Option<String>,
    /// True if the phrase begins with what is to be done.
    pub is_action: bool,
}

/// Returns true if a word (in lower case) is a common one of English.
pub fn is_general_word(word: &str) -> bool {
    lexicon::is_known(word)
}

/// As much of a task as is looked at, in characters.
const MAX_TEXT: usize = 2_000;

/// A task in general words; none if it has no word that may be said.
///
/// ```
/// let wording = prowess_forge::wording("Set an alarm for 7am tomorrow").expect("words");
/// assert_eq!(wording.phrase, "set an alarm for a given time");
/// assert_eq!(wording.core, "set an alarm");
/// assert_eq!(prowess_forge::wording("帮我点一杯奶茶").expect("words").phrase, "order bubble tea");
/// assert_eq!(prowess_forge::wording("7am"), None);
/// ```
pub fn wording(task: &str) -> Option<Wording> {
    let text: String = task.chars().take(MAX_TEXT).collect();
    let tokens = tokens::tokens(&text);
    let native = concepts::find(&text, &tokens);
    let known = tokens.iter().filter(|token| lexicon::is_known(&token.lower)).count();
    // Words that two languages share are English.
    match native {
        Some(native) if native.tokens > known || native.is_foreign => {
            gloss::wording(&native).or_else(|| english::wording(&tokens))
        }
        _ => english::wording(&tokens),
    }
}

#[cfg(test)]
#[path = "wording/wording_tests.rs"]
mod tests;
