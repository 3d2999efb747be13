//! The gateway over real sockets.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that fails says so by panicking")]

mod api;
mod assets;
mod guard;
mod limits;
mod metrics;
mod openapi;
mod raw;
mod remove;
mod schemathesis;
mod support;
