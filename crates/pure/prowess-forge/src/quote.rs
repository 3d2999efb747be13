//! Texts in shell scripts, so that no shell ever reads them as anything but text.

use prowess_text::{posix_quote, posix_word};

use crate::shell::is_reserved;

/// A value as one word, in any place of a command line: unlike [`posix_word`], a keyword of the shell is quoted too.
pub(crate) fn literal(value: &str) -> String {
    if is_reserved(value) { posix_quote(value) } else { posix_word(value) }
}

/// A text for a comment: one line, and no character that could end it.
pub(crate) fn comment(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}
