//! connect.

pub mod harness;
pub mod hook;
mod overview;

pub use overview::overview;
pub use overview::{FoundProgram, NearlyReady, Overview};
