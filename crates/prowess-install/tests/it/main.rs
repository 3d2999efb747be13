//! Changes that are interrupted at every call of the system.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(target_os = "linux")]
mod faults;
