//! Byte offsets as people count: lines and columns from one.

use std::fmt;

/// A place in a text, both parts counted from one; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// Returns the position of the byte `offset` in `text`; an offset past the end counts as the end.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let mut line = 1;
        let mut line_start = 0;
        let bytes = before.as_bytes();
        for (index, byte) in bytes.iter().enumerate() {
            let is_break = match byte {
                b'\n' => true,
                // The CR of a CRLF pair is not a line of its own.
                b'\r' => text.as_bytes().get(index + 1) != Some(&b'\n'),
                _ => false,
            };
            if is_break {
                line += 1;
                line_start = index + 1;
            }
        }
        let column = before[line_start..].chars().filter(|&character| character != '\u{feff}').count() + 1;
        Self { line, column }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_of_every_kind() {
        let text = "\u{feff}a\r\nbé!\rc\nd";
        let at = |needle: &str| {
            let position = Position::of(text, text.find(needle).unwrap());
            (position.line, position.column)
        };
        assert_eq!(at("a"), (1, 1));
        assert_eq!(at("b"), (2, 1));
        assert_eq!(at("!"), (2, 3));
        assert_eq!(at("c"), (3, 1));
        assert_eq!(at("d"), (4, 1));
        assert_eq!(Position::of(text, 999).line, 4);
    }
}
