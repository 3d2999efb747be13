//! Fixtures for the tests of Prowess: real trees on a real disk, described as data.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a broken fixture should stop the test that uses it"
)]

mod case;
pub mod chat;
mod figure;
mod home;
pub mod hostile;
mod listener;
mod process;
mod skill_file;
mod skills;
pub mod stable;
mod tree;
mod wait;
pub mod web;

pub use case::Case;
pub use figure::figure;
pub use home::{Home, Programs};
pub use process::{child_test, npm_ci};
pub use skill_file::SkillFile;
pub use skills::{skill_md, write_skills};
pub use tree::Tree;
pub use wait::{DEADLINE, eventually, reached, wait_for, wait_until};
pub use web::Web;
