//! The crate from outside: the worked examples of the document.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod golden;
mod plot;
