//! connect.

pub mod harness;
pub mod hook;
mod overview;

pub use overview::{FoundProgram, NearlyReady, Overview};
pub use overview::{overview};
