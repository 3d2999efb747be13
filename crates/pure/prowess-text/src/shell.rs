//! Words of command lines: nothing in a quoted text means anything to the program that splits the line.
//!
//! `shlex` is not used: it knows POSIX shells only, and refuses a NUL where a text for display should still appear.

/// A text as one word of a POSIX shell, in quotes only where it needs them.
///
/// A NUL cannot be part of an argument and is left out.
///
/// ```
/// assert_eq!(prowess_text::posix_word("plain-1.0"), "plain-1.0");
/// assert_eq!(prowess_text::posix_word("$(date) it's"), r"'$(date) it'\''s'");
/// ```
pub fn posix_word(text: &str) -> String {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:,@%+".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_safe) { text.to_owned() } else { posix_quote(text) }
}

/// A text in single quotes for a POSIX shell, whether it needs them or not.
pub fn posix_quote(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', r"'\''"))
}

/// A text as one argument of a Windows command line, as `CommandLineToArgvW` splits it.
///
/// Backslashes are themselves except before a quote, where each is doubled and the quote gets one of its own.
///
/// ```
/// assert_eq!(prowess_text::windows_argument(r"C:\Program Files\a\"), r#""C:\Program Files\a\\""#);
/// ```
pub fn windows_argument(text: &str) -> String {
    let text = text.replace('\0', "");
    let is_safe = |next: char| next.is_alphanumeric() || r"_-./\:,@+".contains(next);
    if !text.is_empty() && text.chars().all(is_safe) {
        return text;
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    let mut backslashes = 0;
    for next in text.chars() {
        match next {
            '\\' => backslashes += 1,
            '"' => quoted.extend(std::iter::repeat_n('\\', std::mem::take(&mut backslashes) * 2 + 1)),
            _ => quoted.extend(std::iter::repeat_n('\\', std::mem::take(&mut backslashes))),
        }
        if next != '\\' {
            quoted.push(next);
        }
    }
    quoted.extend(std::iter::repeat_n('\\', backslashes * 2));
    quoted.push('"');
    quoted
}

/// A text as one word of a command line of the platform.
pub fn platform_word(text: &str) -> String {
    if cfg!(windows) { windows_argument(text) } else { posix_word(text) }
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
