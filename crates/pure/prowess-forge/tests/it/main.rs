//! The forge from the outside.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod fingerprints;
mod quoting;
