//! Text as plain words: the form in which phrases are compared.
//!
//! Case, width and accents do not matter (`Café` is `cafe`). What is written without spaces (Chinese, Japanese)
//! is one word per character, so that a phrase of words is found there too.

use std::borrow::Cow;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

/// The text in the form in which it is compared: compatibility forms undone, lower case, no accents.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { plain(text).to_lowercase() }
}

/// The same but for the case.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        text.into()
    } else if is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        text.chars().filter_map(without_accent).collect()
    } else {
        text.nfkc().filter_map(without_accent).collect()
    }
}

/// Accents are dropped in the Latin alphabet only: elsewhere (й, が) such marks make other letters.
fn without_accent(letter: char) -> Option<char> {
    match letter {
        '\u{0300}'..='\u{036f}' => None,
        '\u{00c0}'..='\u{024f}' | '\u{1e00}'..='\u{1eff}' => {
            let mut base = None;
            decompose_canonical(letter, |part| {
                if base.is_none() && !is_combining_mark(part) {
                    base = Some(part);
                }
            });
            base
        }
        _ => Some(letter),
    }
}

/// Returns true if the character belongs to a script written without spaces.
pub(crate) fn is_spaceless(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}'     // Thai, Lao
        | '\u{1000}'..='\u{109f}'   // Burmese
        | '\u{1780}'..='\u{17ff}'   // Khmer
        | '\u{3040}'..='\u{30ff}'   // Hiragana, Katakana
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{9fff}'   // Han
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2fa1f}')
}

/// The words of a text, folded, in order. Everything that is not a letter or digit separates them.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for letter in fold(text).chars() {
        if letter.is_alphanumeric() && !is_spaceless(letter) {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            words.push(letter.to_string());
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_keeps_what_makes_a_word() {
        assert_eq!(fold("CAFÉ ﬁle Ｗｅｂ ŁÓDŹ"), "cafe file web łodz");
        assert_eq!(fold("Straße Ünal й"), "straße unal й");
        assert_eq!(fold("がぎ 한국"), "がぎ 한국");
    }

    #[test]
    fn words_are_split_at_everything_else() {
        assert_eq!(words("Deploy-to_staging, now!"), ["deploy", "to", "staging", "now"]);
        assert_eq!(words("打开PDF文件"), ["打", "开", "pdf", "文", "件"]);
        assert!(words(" …!? ").is_empty());
    }
}
