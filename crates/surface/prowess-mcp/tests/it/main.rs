//! The server as its clients see it: the official SDKs over HTTP, raw lines over pipes.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a broken fixture should stop the test that uses it"
)]

mod clients;
mod http;
mod lines;
mod properties;
mod recorded;
mod support;
