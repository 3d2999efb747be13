//! Behaviour of the engine through its public surface, on real trees.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a broken fixture should stop the test that uses it"
)]

mod admission;
mod bad_input;
mod bundled;
mod cache;
mod choose;
mod config;
mod config_changes;
mod cortex_task;
mod examples;
mod files;
mod invariants;
mod invoke;
mod limits;
mod live;
mod live_storm;
mod live_support;
mod modes;
mod openclaw_cases;
mod openpocket_cases;
mod plugins;
mod precedence;
mod profiles;
mod prompt;
mod relevance;
mod sandbox;
mod secrets;
mod session_keys;
mod session_snapshot;
mod sessions;
mod snapshot;
mod support;
mod trust;
mod view;
