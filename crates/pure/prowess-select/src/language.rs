//! Which language a message is written in.
//!
//! Made for what people type to an assistant: a few words, full of English tool names, code, links and
//! products. What is not prose is left out; of the rest, the script decides where it can, and for Latin
//! script the words that hold a sentence together: they are what a German keeps German when every noun in
//! the message is English. Other words only lean, by their letters. When unsure, it is English.

mod latin;
mod prose;
mod script;

use self::latin::Evidence;

/// What [`detect`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// ISO 639-1 code.
    pub language: &'static str,
    /// True if the message is English, or nothing tells otherwise.
    pub is_english: bool,
    /// From 0.5, nothing known, to 1.
    pub certainty: f32,
}

/// How much more must speak for another language than for English, in words.
const LEAD: f32 = 0.5;
/// The same if no word of that language was recognised: English names of products can look like anything.
const LEAD_BY_LETTERS: f32 = 1.1;

/// The language of a message.
///
/// ```
/// use prowess_select::detect;
///
/// assert_eq!(detect("kannst du mir einen GitHub issue anlegen").language, "de");
/// assert_eq!(detect("明日の天気は？").language, "ja");
/// assert!(detect("open the café menu PDF").is_english);
/// assert!(detect("ls -la /tmp").is_english);
/// ```
pub fn detect(text: &str) -> Detection {
    let words = prose::words(text);
    let evidence = Evidence::of(&words);
    let (english, other) = (evidence.english(), evidence.best_other());
    let needed = if other.is_known { LEAD } else { LEAD_BY_LETTERS };
    let (language, lead) = match script::dominant(&words) {
        Some((language, strength)) if strength > english => (language, strength - english),
        _ if other.strength >= english + needed => (other.language, other.strength - english),
        _ => ("en", english - other.strength),
    };
    Detection { language, is_english: language == "en", certainty: 1.0 - 0.5 * (-lead.max(0.0)).exp() }
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
