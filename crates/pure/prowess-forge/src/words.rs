//! The words that may leave a trace.

use prowess_text::{collapse_blanks, shorten_utf16};

/// Gives those words of a text that tell what kind of task it is, in their order, and nothing of whom or what it is
/// about. Whoever builds a draft brings it.
pub type Filter<'a> = &'a dyn Fn(&str) -> Vec<String>;

/// Words of a task that are kept.
pub(crate) const MAX_WORDS: usize = 12;
/// As much of a text as is looked at, in characters.
const MAX_TEXT: usize = 4_000;
/// A shorter word before a full stop may be a title or an initial, and what follows is part of a name.
const SHORTEST_END: usize = 5;

/// The words of a text that the filter lets through, each once.
///
/// The text is asked about sentence by sentence, because a filter may stop early in a long one.
///
/// ```
/// let filter = |text: &str| text.split(' ').filter(|word| *word == "weather").map(Into::into).collect();
/// assert_eq!(prowess_forge::phrase(&filter, "weather in Bern", 5), ["weather"]);
/// ```
pub fn phrase(filter: Filter<'_>, text: &str, limit: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let text: String = text.chars().take(MAX_TEXT).collect();
    for sentence in sentences(&text) {
        for word in filter(sentence) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if words.len() >= limit {
            break;
        }
    }
    words.truncate(limit);
    words
}

/// One line of at most `limit` UTF-16 units, as OpenPocket measures it; a longer one ends with `...` inside the limit.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    shorten_utf16(&collapse_blanks(text), limit)
}

/// The same as a text of at most `limit` UTF-16 units; none if nothing is left.
pub(crate) fn told(filter: Filter<'_>, text: &str, limit: usize) -> Option<String> {
    let words = phrase(filter, text, MAX_WORDS);
    (!words.is_empty()).then(|| one_line(&words.join(" "), limit))
}

/// Returns true if every word of a short text gets through as it is, so that the text may be shown.
pub(crate) fn is_plain(filter: Filter<'_>, text: &str) -> bool {
    let kept = filter(text);
    let mut words = text.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| kept.contains(&word.to_lowercase()))
}

fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut letters = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let before_blank = characters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match character {
            '\n' | ';' | '!' | '?' | '。' | '！' | '？' | '；' => true,
            '.' => before_blank && letters >= SHORTEST_END,
            _ => false,
        };
        letters = if character.is_alphabetic() { letters + 1 } else { 0 };
        if ends {
            let end = at + character.len_utf8();
            found.push(text[begin..end].trim());
            begin = end;
        }
    }
    found.push(text[begin..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_utf_16_and_include_the_dots() {
        assert_eq!(one_line(" a \n b\t c ", 5), "a b c");
        assert_eq!(one_line("😀😀😀😀", 6), "😀...");
        assert_eq!(one_line("ab cd ef", 6), "ab...");
    }

    #[test]
    fn titles_do_not_end_a_sentence() {
        assert_eq!(
            sentences("Write to Dr. Price. Then send the report. Ok\nnext?yes"),
            ["Write to Dr. Price.", "Then send the report.", "Ok", "next?", "yes"]
        );
    }

    #[test]
    fn only_known_words_make_a_text_plain() {
        let filter = |text: &str| {
            text.to_lowercase().split(' ').filter(|word| *word == "send").map(Into::into).collect()
        };
        assert!(is_plain(&filter, "Send"));
        assert!(!is_plain(&filter, "Send Ada"));
        assert!(!is_plain(&filter, ""));
    }
}
