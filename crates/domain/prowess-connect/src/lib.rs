//! Other agent programs: their folders, hooks, sync and import, and the first look at a machine.

pub mod harness;
pub mod hook;
mod overview;

pub use overview::{FoundProgram, NearlyReady, Overview, overview};
