//! A place in a text that moves over white space and comments.

use std::ops::Range;

use crate::Json5ParseError;

/// A reading position. Always on a character boundary.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// A cursor at `at`, which must be a character boundary.
    pub(crate) fn starting_at(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The text still to be read.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text from `start` to here.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += character.len_utf8();
        Some(character)
    }

    pub(crate) fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    pub(crate) fn eat_text(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    pub(crate) fn eat_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&accept) {
            self.bump();
        }
        self.since(start)
    }

    /// Skips white space and comments.
    pub(crate) fn skip_trivia(&mut self) -> Result<(), Json5ParseError> {
        loop {
            self.eat_while(is_space);
            if self.comment()?.is_none() {
                return Ok(());
            }
        }
    }

    /// Reads one comment, if there is one right here.
    pub(crate) fn comment(&mut self) -> Result<Option<Range<usize>>, Json5ParseError> {
        let start = self.at;
        if self.eat_text("//") {
            self.eat_while(|character| !is_line_break(character));
        } else if self.eat_text("/*") {
            match self.rest().find("*/") {
                Some(length) => self.at += length + 2,
                None => {
                    return Err(Json5ParseError::new(
                        self.text,
                        start..self.text.len(),
                        "unterminated comment",
                    ));
                }
            }
        } else {
            return Ok(None);
        }
        Ok(Some(start..self.at))
    }

    /// An error about the next character.
    pub(crate) fn expected(&self, what: &str) -> Json5ParseError {
        match self.peek() {
            Some(found) => {
                let message = format!("expected {what}, found `{}`", found.escape_debug());
                Json5ParseError::new(self.text, self.at..self.at + found.len_utf8(), message)
            }
            None => Json5ParseError::new(
                self.text,
                self.at..self.at,
                format!("expected {what}, found the end of the text"),
            ),
        }
    }

    /// An error about the text from `start` to here.
    pub(crate) fn error(&self, start: usize, message: impl Into<String>) -> Json5ParseError {
        Json5ParseError::new(self.text, start..self.at, message)
    }
}

/// White space as JSON5 defines it, line breaks and a stray byte order mark included.
pub(crate) fn is_space(character: char) -> bool {
    matches!(
        character,
        '\t' | '\u{b}' | '\u{c}' | ' ' | '\u{a0}' | '\u{feff}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    ) || is_line_break(character)
}

/// The four characters that end a line.
pub(crate) fn is_line_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}
