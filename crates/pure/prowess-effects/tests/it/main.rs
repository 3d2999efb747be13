//! The tags of code: tables of code with its exact tags, generated scripts, and hostile input.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

mod documents;
mod generated;
mod hostile;
mod scripts;
mod tables;
