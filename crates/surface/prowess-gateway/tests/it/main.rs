//! The gateway over real sockets.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that fails says so by panicking")]

mod agents;
mod api;
mod assets;
mod claw3d;
mod client;
mod config;
mod config_kill;
mod confirm;
mod cortex;
mod cron;
mod devices;
mod events;
mod explained;
mod flood;
mod forge;
mod frames;
mod guard;
mod handshake;
mod learn_support;
mod limits;
mod metrics;
mod node;
mod openapi;
mod preparing;
mod raw;
mod registry;
mod remove;
mod runs;
mod schemathesis;
mod sessions;
mod skills;
mod support;
mod support_openclaw;
mod view;
