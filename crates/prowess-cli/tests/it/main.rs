//! The real program: what it prints, how it ends, what it leaves behind.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a broken fixture should stop the test that uses it"
)]

mod bundled;
mod config;
mod doctor;
mod documents;
mod environment;
mod forge;
mod generate;
mod list;
mod matching;
mod new;
mod openpocket_cases;
mod output;
mod prompt;
mod run;
mod sandbox;
mod scan;
mod secret;
mod sessions;
mod status;
mod support;
mod trust;
mod validate;
mod watch;
mod why;
