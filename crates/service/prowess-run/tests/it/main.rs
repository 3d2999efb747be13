//! Whole parts of a run, with real processes, files and connections.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod environment;
#[cfg(unix)]
mod harness;
mod process;
mod tools;
