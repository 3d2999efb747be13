//! The limits of a document.

/// The maximum depth of containers in one another.
pub const MAX_DEPTH: usize = 128;
