//! The words of a command as options and operands.

use crate::shell::CallWord;
use crate::tags::host_of;

/// The words after a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramArguments<'c>(&'c [CallWord]);

impl<'c> ProgramArguments<'c> {
    pub(crate) const fn new(words: &'c [CallWord]) -> Self {
        Self(words)
    }

    /// All words.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'c str> + use<'c> {
        self.0.iter().map(|word| word.text.as_str())
    }

    /// Words that are not options. Values of options are among them.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &'c CallWord> + use<'c> {
        let mut is_rest = false;
        self.0.iter().filter(move |word| {
            if is_rest {
                return true;
            }
            is_rest = word.text == "--";
            let is_option = word.text.starts_with('-') && word.text.len() > 1;
            !is_rest && !is_option
        })
    }

    /// Operands without the values of options that take the next word.
    pub(crate) fn operands_without(&self, valued: &[&str]) -> Vec<&'c CallWord> {
        let mut operands = Vec::new();
        let mut is_rest = false;
        let mut skips = false;
        for word in self.0 {
            let text = word.text.as_str();
            if std::mem::take(&mut skips) {
                continue;
            }
            if is_rest || !text.starts_with('-') || text == "-" {
                operands.push(word);
            } else if text == "--" {
                is_rest = true;
            } else {
                skips = valued.contains(&text);
            }
        }
        operands
    }

    /// The first operand.
    pub(crate) fn first(&self) -> Option<&'c str> {
        self.operands().next().map(|word| word.text.as_str())
    }

    /// Returns true if one of these options is given, with or without `=value`.
    pub(crate) fn has(&self, options: &[&str]) -> bool {
        self.texts().take_while(|word| *word != "--").any(|word| {
            options.iter().any(|option| {
                word == *option
                    || (option.starts_with("--")
                        && word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
            })
        })
    }

    /// Returns true if a letter is among the short options: `i` in `-ni`.
    pub(crate) fn has_letter(&self, letter: char) -> bool {
        self.texts().take_while(|word| *word != "--").any(|word| {
            word.starts_with('-')
                && !word.starts_with("--")
                && word.get(1..).is_some_and(|letters| letters.contains(letter))
        })
    }

    /// The value of an option: `-o x`, `-ox`, `--output x`, `--output=x`.
    pub(crate) fn value(&self, options: &[&str]) -> Option<CallWord> {
        for (place, word) in self.0.iter().enumerate() {
            for option in options {
                if word.text == *option {
                    return self.0.get(place + 1).cloned();
                }
                let glued =
                    if option.starts_with("--") { format!("{option}=") } else { (*option).to_owned() };
                let is_glued = option.starts_with("--") || !word.text.starts_with("--");
                if let Some(value) =
                    word.text.strip_prefix(&glued).filter(|value| is_glued && !value.is_empty())
                {
                    return Some(CallWord { text: value.to_owned(), is_constant: word.is_constant });
                }
            }
        }
        None
    }

    /// Returns true if any word is an option.
    pub(crate) fn has_options(&self) -> bool {
        self.texts().any(|word| word.len() > 1 && word.starts_with('-') && !word.starts_with("- "))
    }

    /// Returns true if only help or a version is asked for.
    pub(crate) fn asks_for_help(&self) -> bool {
        self.0.len() == 1
            && self.texts().all(|word| matches!(word, "--help" | "--version" | "-V" | "-version" | "--usage"))
    }

    /// Hosts of addresses among the words.
    pub(crate) fn hosts(&self) -> impl Iterator<Item = &'c str> + use<'c> {
        self.texts().filter(|word| word.contains("://")).filter_map(|word| {
            let start = word.find("://").map(|at| {
                word[..at].rfind(|char: char| !char.is_ascii_alphanumeric()).map_or(0, |at| at + 1)
            })?;
            host_of(word.get(start..)?)
        })
    }
}

/// A word of clustered short options: `-sSLo file` in order, each with its value.
pub(crate) fn short_options(
    arguments: &ProgramArguments<'_>,
    valued: &str,
) -> Vec<(String, Option<CallWord>)> {
    let mut found = Vec::new();
    let words = arguments.0;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let text = word.text.as_str();
        if let Some(long) = text.strip_prefix("--").filter(|long| !long.is_empty()) {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => {
                    (name, Some(CallWord { text: value.to_owned(), is_constant: word.is_constant }))
                }
                None => (long, words.get(at).cloned()),
            };
            found.push((format!("--{name}"), value));
            continue;
        }
        let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            found.push((String::new(), Some(word.clone())));
            continue;
        };
        for (place, letter) in letters.char_indices() {
            if !valued.contains(letter) {
                found.push((format!("-{letter}"), None));
                continue;
            }
            let rest = letters.get(place + letter.len_utf8()..).unwrap_or_default();
            let value = if rest.is_empty() {
                at += 1;
                words.get(at - 1).cloned()
            } else {
                Some(CallWord { text: rest.to_owned(), is_constant: word.is_constant })
            };
            found.push((format!("-{letter}"), value));
            break;
        }
    }
    found
}
