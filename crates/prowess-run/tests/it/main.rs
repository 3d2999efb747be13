//! What a run is given and what it leaves behind, seen from outside.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod environment;
#[cfg(unix)]
mod harness;
#[cfg(unix)]
mod secret;
