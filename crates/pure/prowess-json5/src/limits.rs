//! The limits of a document.

/// How many containers may lie in one another.
pub const MAX_DEPTH: usize = 128;
