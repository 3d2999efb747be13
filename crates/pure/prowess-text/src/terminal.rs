//! Text that a terminal prints and does not act on.

use std::iter::Peekable;
use std::str::Chars;

/// A text without escape sequences and control characters; line breaks and tabs stay.
pub fn printable(text: &str) -> String {
    // Every control character is below U+0020, is U+007F, or starts with the byte C2.
    if text.bytes().all(|byte| byte >= b' ' && byte != 0x7F && byte != 0xC2) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(next) = characters.next() {
        if next == '\u{1b}' {
            skip_escape(&mut characters);
        } else if !next.is_control() || matches!(next, '\n' | '\t') {
            out.push(next);
        }
    }
    out
}

/// The same, line by line: an escape sequence that does not end takes only the rest of its line.
pub fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// Skips the rest of a terminal escape sequence: `[…letter`, `]…BEL`, or one character.
fn skip_escape(characters: &mut Peekable<Chars<'_>>) {
    match characters.next() {
        Some('[') => {
            for next in characters.by_ref() {
                if ('@'..='~').contains(&next) {
                    break;
                }
            }
        }
        Some(']') => {
            while let Some(next) = characters.next() {
                if next == '\u{7}' || (next == '\u{1b}' && characters.next_if_eq(&'\\').is_some()) {
                    break;
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_escapes_do_not_reach_a_terminal() {
        assert_eq!(printable("a\u{1b}[31mred\u{1b}[0m\0b\u{85}\nc"), "aredb\nc");
        assert_eq!(printable("x\u{1b}]0;title\u{7}y\u{1b}]8;;u\u{1b}\\z"), "xyz");
    }

    #[test]
    fn an_open_escape_takes_only_its_line() {
        assert_eq!(printable_lines("a\u{1b}]0;b\nc\r\n"), "a\nc\n");
        assert_eq!(printable("a\u{1b}]0;b\nc"), "a");
    }
}
