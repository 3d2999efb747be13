//! Behaviour of the scanner through its public surface.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a broken fixture should stop the test that uses it"
)]

mod archives;
mod behaviour;
mod campaign;
mod documented;
mod environment;
mod fixtures;
mod hostile;
mod labelled;
mod openclaw;
mod properties;
mod reports;
mod repositories;
