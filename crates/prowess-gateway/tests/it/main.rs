//! The gateway over real sockets.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that fails says so by panicking")]

mod api;
mod cortex;
mod cron;
mod forge;
mod learn_support;
mod runs;
mod sessions;
mod support;
