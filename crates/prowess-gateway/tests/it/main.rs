//! The gateway over real sockets.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that fails says so by panicking")]

mod api;
mod client;
mod devices;
mod events;
mod flood;
mod frames;
mod handshake;
mod node;
mod support;
