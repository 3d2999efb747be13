//! The registry as its clients see it: real HTTP, and the real command-line clients from npm.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a broken fixture should stop the test that uses it"
)]

mod changes;
mod clients;
mod git_metadata;
mod guard;
mod login;
mod openclaw;
mod own_client;
mod publish;
mod reading;
mod search;
mod support;
mod well_known;
