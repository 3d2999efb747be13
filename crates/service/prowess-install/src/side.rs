//! The two states between which an interrupted change is settled.

/// One of the two states of a change.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// The old state.
    Before,
    /// The new state.
    After,
}
