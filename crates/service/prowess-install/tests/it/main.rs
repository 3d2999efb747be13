//! Changes made by whole processes: interrupted at every call of the system, and several at once.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a sweep says what it swept")]

#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod together;
