//! The encoders from outside, with the packs of this repository.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod damage;
mod endpoint;
mod multilingual;
mod reader;
mod reference;
mod tiny;
mod transformers;
