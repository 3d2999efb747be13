//! Promises between processes.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod writers;
