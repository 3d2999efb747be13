//! Fixtures for the tests of Prowess: real trees on a real disk, described as data.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a broken fixture should stop the test that uses it"
)]

mod case;
pub mod chat;
mod figure;
pub mod hostile;
mod process;
mod skills;
mod tree;
pub mod web;

pub use case::Case;
pub use figure::figure;
pub use process::{child_test, npm_ci};
pub use skills::{skill_md, write_skills};
pub use tree::Tree;
