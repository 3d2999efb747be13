//! Tables in SQLite: one file, many processes, no lost update.
//!
//! [`Database`] opens a file and brings its tables up to date; what the tables mean is in the modules above it:
//! [`registry`] keeps what a registry of skills keeps.

mod check;
mod database;
mod events;
pub mod registry;

pub use check::{database_files, find_damage, find_log_damage};
pub use database::{Database, Schema, StoreError};
pub use events::{EVENTS, EventLog, Logged};
