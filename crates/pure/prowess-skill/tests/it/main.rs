//! Behaviour of the parser through its public surface.

#![allow(clippy::expect_used, reason = "a broken fixture should stop the test that uses it")]

mod corpus;
mod dialects;
mod properties;
