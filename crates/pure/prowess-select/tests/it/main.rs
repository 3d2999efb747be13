//! Selection as its callers see it.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod action;
mod decisions;
mod golden;
mod overlaps;
mod properties;
mod reading;
mod support;
