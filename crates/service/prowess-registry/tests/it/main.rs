//! The crate against servers, repositories and folders as they are.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a broken fixture should stop the test that uses it"
)]

mod client;
mod faults;
mod git;
mod publish;
mod registry;
mod sites;
mod support;
