//! Texts in shell scripts, so that no shell ever reads them as anything but text.

use crate::shell::is_reserved;

/// A text as one word of a POSIX shell, whatever is in it.
///
/// A NUL cannot be part of any argument and is left out.
///
/// ```
/// assert_eq!(prowess_forge::quote("plain-1.0"), "plain-1.0");
/// assert_eq!(prowess_forge::quote("$(date) it's"), r"'$(date) it'\''s'");
/// ```
pub fn quote(text: &str) -> String {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:,@%+".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_safe) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\0', "").replace('\'', r"'\''"))
}

/// A value as one word, in any place of a command line: unlike [`quote`], a keyword of the shell is quoted too.
pub(crate) fn literal(value: &str) -> String {
    if is_reserved(value) { format!("'{value}'") } else { quote(value) }
}

/// A text for a comment: one line, and no character that could end it.
pub(crate) fn comment(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}
