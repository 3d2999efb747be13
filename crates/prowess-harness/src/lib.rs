//! Other agent programs: where each reads skills, and views of one store for each of them.
//!
//! A *view* is a folder that another program reads and that is filled from here: links where the program follows them,
//! copies where it does not. [`harnesses`] is the table of programs, [`choose`] finds the folders to fill, [`View`]
//! fills one, compares it or empties it, [`notes`] says what a program will make of a skill, [`rule`] turns skills into
//! rules of Cursor and back, [`block`] keeps a list of skills in `AGENTS.md`.
//!
//! Invariant: only what was made from here, and is still as it was made, is ever replaced or removed. What was made is
//! written down before it is made, in the engine's own folder, where no repository can forge it.

pub mod block;
mod choose;
mod disk;
mod error;
pub mod hook;
mod notes;
mod place;
mod record;
pub mod rule;
mod table;
mod view;

pub use choose::{Choice, Chosen, choose};
pub use disk::skill_folders;
pub use error::Error;
pub use notes::{Note, Subject, notes};
pub use place::{Ground, settle};
pub use record::{Made, Record, Records};
pub use table::{Format, Harness, NameRule, Scope, find, harnesses};
pub use view::{Body, Change, Item, ItemFile, Step, View};
