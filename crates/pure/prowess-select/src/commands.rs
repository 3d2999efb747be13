//! Skills that the user calls by name: `/name`, `/skill name`, `/skill:name`, `$name`.

use std::collections::HashMap;

use crate::words::fold;

/// The longest name that `/skill some name` looks for, in words.
const NAME_WORDS: usize = 6;

/// The rows, by the names that they answer to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    rows: HashMap<String, Vec<u32>>,
}

/// A row called by name, and the words that called it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) row: u32,
    pub(crate) text: String,
}

impl Names {
    /// Lets a row answer to a name.
    pub(crate) fn add(&mut self, name: &str, row: u32) {
        let key = key(name);
        if !key.is_empty() {
            let rows = self.rows.entry(key).or_default();
            if rows.last() != Some(&row) {
                rows.push(row);
            }
        }
    }

    /// The rows that a message calls by name, in the order of the message.
    pub(crate) fn called(&self, message: &str) -> Vec<Call> {
        let mut calls: Vec<Call> = Vec::new();
        let mut before = ' ';
        for (start, sigil) in message.char_indices() {
            let opens =
                before.is_whitespace() || matches!(before, '(' | '[' | '{' | '"' | '\'' | '`' | ',' | ';');
            before = sigil;
            if !opens || !matches!(sigil, '/' | '$') {
                continue;
            }
            if let Some((rows, text)) = self.call(sigil, &message[start..]) {
                let is_new = |row: &&u32| !calls.iter().any(|call| call.row == **row);
                let new: Vec<Call> =
                    rows.iter().filter(is_new).map(|&row| Call { row, text: text.to_owned() }).collect();
                calls.extend(new);
            }
        }
        calls
    }

    /// What a text that starts with `/` or `$` calls.
    fn call<'t>(&self, sigil: char, text: &'t str) -> Option<(&Vec<u32>, &'t str)> {
        let word = run(text);
        let name = &word[1..];
        // `/usr/bin` is a path.
        if text[word.len()..].starts_with(['/', '\\']) {
            return None;
        }
        if sigil == '$' {
            // `$HOME` is a variable; skills are written in lower case.
            let is_variable = !name.contains(char::is_lowercase);
            return if is_variable { None } else { self.rows.get(&key(name)).map(|rows| (rows, word)) };
        }
        if name == "skill" {
            return self.named_after(text, word.len());
        }
        let name = name.strip_prefix("skill:").unwrap_or(name);
        self.rows.get(&key(name)).map(|rows| (rows, word))
    }

    /// The longest name that follows `/skill`.
    fn named_after<'t>(&self, text: &'t str, from: usize) -> Option<(&Vec<u32>, &'t str)> {
        let ends = word_ends(&text[from..]);
        ends.into_iter().rev().find_map(|end| {
            let name = text[from..from + end].trim_matches(|letter: char| !letter.is_alphanumeric());
            self.rows.get(&key(name)).map(|rows| (rows, &text[..from + end]))
        })
    }
}

/// The first characters that can be part of a name, with the sigil before them; a full stop ends a sentence.
fn run(text: &str) -> &str {
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ':');
    let end = text[1..].find(|letter| !is_name(letter)).map_or(text.len(), |end| end + 1);
    text[..end].trim_end_matches(['.', ':', '-'])
}

/// Returns the ends of the first few words of a text.
fn word_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut in_word = false;
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() && in_word {
            ends.push(at);
        }
        in_word = !letter.is_whitespace();
    }
    if in_word {
        ends.push(text.len());
    }
    ends.truncate(NAME_WORDS);
    ends
}

/// The form in which names are compared: `PDF Tools` answers to `/pdf-tools`.
fn key(name: &str) -> String {
    let folded = fold(name);
    let parts: Vec<&str> =
        folded.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(message: &str) -> Vec<(u32, String)> {
        let mut names = Names::default();
        for (row, name) in ["pdf", "PDF Tools", "weather", "home", "team:release-notes"].iter().enumerate() {
            names.add(name, u32::try_from(row).expect("few"));
        }
        names.called(message).into_iter().map(|call| (call.row, call.text)).collect()
    }

    fn rows(message: &str) -> Vec<u32> {
        called(message).into_iter().map(|(row, _)| row).collect()
    }

    #[test]
    fn names_are_called_at_word_boundaries() {
        assert_eq!(called("/pdf merge these"), [(0, "/pdf".to_owned())]);
        assert_eq!(rows("please use $weather and /PDF."), [2, 0]);
        assert_eq!(rows("(/pdf-tools)"), [1]);
        assert_eq!(rows("/team:release-notes"), [4]);
        assert!(rows("and/pdf, http://x/pdf, a$weather").is_empty());
    }

    #[test]
    fn skill_takes_the_longest_name() {
        assert_eq!(called("/skill pdf tools merge"), [(1, "/skill pdf tools".to_owned())]);
        assert_eq!(rows("/skill PDF, then"), [0]);
        assert_eq!(rows("/skill:weather"), [2]);
        assert!(rows("/skill").is_empty() && rows("/skill unknown").is_empty());
    }

    #[test]
    fn paths_and_variables_are_no_names() {
        assert!(rows("/home/user and $HOME and / and $").is_empty());
        assert_eq!(rows("$home"), [3]);
    }

    #[test]
    fn a_row_is_called_once() {
        assert_eq!(rows("/pdf $pdf /pdf"), [0]);
    }
}
