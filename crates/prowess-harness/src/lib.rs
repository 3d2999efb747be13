//! Where agent programs read skills.

pub mod hook;
