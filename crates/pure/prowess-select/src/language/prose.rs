//! The words of a message that are language: no code, links, paths, flags, identifiers or numbers.

use unicode_normalization::UnicodeNormalization as _;

/// A word of prose.
#[derive(Debug, PartialEq)]
pub(super) struct Word {
    /// In lower case, composed.
    pub(super) text: String,
    /// How much it says of the message: words that the message quotes may be in another language.
    pub(super) weight: f32,
    /// Begins with a capital inside a sentence: a name, or a German noun.
    pub(super) is_name: bool,
}

const QUOTED: f32 = 0.3;
/// Letters of a long message after which its language is clear.
const ENOUGH: usize = 4000;

/// The words of prose, in their order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let text: String = text.chars().take(ENOUGH).nfc().collect();
    let shouts = !text.chars().any(char::is_lowercase);
    let mut words = Vec::new();
    let (mut is_code, mut is_quoted, mut begins_sentence) = (false, false, true);
    for token in text.split_whitespace() {
        let opens_code = token.matches('`').count() % 2 == 1;
        if !(is_code || opens_code || token.starts_with('`')) {
            let starts_quote = token.starts_with(OPENING);
            if is_quoted || starts_quote || is_prose(token, shouts) {
                for word in token.split(|letter: char| !is_letter(letter)).filter(|word| !word.is_empty()) {
                    words.push(Word {
                        text: word.to_lowercase(),
                        weight: if is_quoted || starts_quote { QUOTED } else { 1.0 },
                        is_name: !begins_sentence && word.starts_with(char::is_uppercase),
                    });
                    begins_sentence = false;
                }
            }
            is_quoted =
                (is_quoted || starts_quote) && !token.trim_end_matches(PUNCTUATION).ends_with(CLOSING);
            begins_sentence |= token.ends_with(['.', '!', '?', ':']);
        }
        is_code ^= opens_code;
    }
    // A message that is nothing but a quotation is the quotation.
    if words.iter().all(|word| word.weight < 1.0) {
        for word in &mut words {
            word.weight = 1.0;
        }
    }
    words
}

const OPENING: [char; 5] = ['"', '“', '„', '«', '「'];
const CLOSING: [char; 5] = ['"', '”', '“', '»', '」'];
const PUNCTUATION: [char; 8] = ['.', ',', '?', '!', ';', ':', ')', '…'];

fn is_letter(letter: char) -> bool {
    // Marks carry the vowels of many scripts.
    letter.is_alphabetic()
        || unicode_normalization::char::is_combining_mark(letter)
        || letter == '\''
        || letter == '’'
}

/// Returns true if a token between spaces can be prose at all.
fn is_prose(token: &str, shouts: bool) -> bool {
    let token =
        token.trim_matches(|letter: char| !letter.is_alphanumeric() && !"-/\\$#@~_<&|=".contains(letter));
    // Scripts without spaces put prose right beside names and numbers.
    if token.chars().any(|letter| letter > '\u{2e7f}') {
        return true;
    }
    let is_technical = |letter: char| letter.is_ascii_digit() || "/\\_@#$<>{}[]=|~^*&%+".contains(letter);
    let letters: Vec<char> = token.chars().collect();
    let has_inner = |test: fn(char, char) -> bool| letters.windows(2).any(|pair| test(pair[0], pair[1]));
    !(token.is_empty()
        || token.starts_with('-')
        || token.contains(is_technical)
        || has_inner(|one, next| matches!(one, '.' | ':') && next.is_alphanumeric())
        || has_inner(|one, next| one.is_lowercase() && next.is_uppercase())
        || !shouts && letters.len() > 1 && letters.iter().all(|letter| letter.is_uppercase()))
}
