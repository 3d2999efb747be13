//! The limits of a document.

/// The number of containers that may lie in one another.
pub const MAX_DEPTH: usize = 128;
