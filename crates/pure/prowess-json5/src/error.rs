//! What can go wrong: a text that is not JSON5, or an edit that has no place.

use std::ops::Range;

use crate::Position;

/// The reason a text is not JSON5, and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
#[non_exhaustive]
pub struct Json5ParseError {
    /// What was expected, without the place.
    pub message: String,
    /// The bytes that are wrong; empty at the end of the text.
    pub span: Range<usize>,
    /// The line they start in, counted from one.
    pub line: usize,
    /// The column they start in, counted in characters from one.
    pub column: usize,
}

impl Json5ParseError {
    pub(crate) fn new(text: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        let Position { line, column } = Position::of(text, span.start);
        Self { message: message.into(), span, line, column }
    }
}

/// The reason a document cannot be changed as asked. It is left as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Json5EditError {
    /// The path goes on below something that holds nothing.
    #[error("`{path}` is {found}, so nothing can be set below it")]
    NotAContainer {
        /// The path up to that value.
        path: String,
        /// The kind of that value.
        found: &'static str,
    },
    /// The path names an element that the list does not have.
    #[error("`{path}` is a list of {length}, it has no element `{segment}`")]
    NoSuchElement {
        /// The path of the list.
        path: String,
        /// The segment that should have been an index.
        segment: String,
        /// The number of elements.
        length: usize,
    },
    /// The whole document was to be removed.
    #[error("the whole document cannot be removed")]
    WholeDocument,
    /// The result would be nested too deeply to be read again.
    #[error("the value is nested deeper than {} levels", crate::MAX_DEPTH)]
    TooDeep,
    /// The edit would have damaged the document.
    #[error("the edited text cannot be read again: {0}")]
    Broken(#[source] Json5ParseError),
}
