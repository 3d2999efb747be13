//! The gateway over real sockets.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that fails says so by panicking")]

mod agents;
mod api;
mod claw3d;
mod config;
mod config_kill;
mod registry;
mod skills;
mod support;
mod support_openclaw;
