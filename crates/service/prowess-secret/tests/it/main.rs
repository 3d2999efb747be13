//! Secrets from real files, programs and keyrings.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(unix)]
mod sources;
