//! Other agent programs: the table of what is known of each, and views of one store for each of them.
//!
//! [`programs`] is the table: the folders a program reads, its command line, its hooks, its session logs. A *view* is a
//! folder that another program reads and that is filled from here: links where the program follows them, copies where
//! it does not. [`choose`] finds the folders to fill, [`View`] fills one, compares it or empties it, [`notes`] says
//! what a program will make of a skill, [`rule`] turns skills into rules of Cursor and back, [`block`] keeps a list of
//! skills in `AGENTS.md`.
//!
//! Invariant: only what was made from here, and is still as it was made, is ever replaced or removed. What was made is
//! written down before it is made, in the engine's own folder, where no repository can forge it.

pub mod block;
mod choose;
pub mod command;
mod disk;
mod error;
pub mod hook;
mod logs;
mod notes;
mod place;
mod record;
pub mod rule;
mod table;
mod view;

pub use choose::{Choice, Chosen, choose};
pub use disk::skill_folders;
pub use error::ViewError;
pub use logs::SessionLogs;
pub use notes::{HarnessNote, Subject, notes};
pub use place::{Ground, settle};
pub use record::{Made, Record, Records};
pub use table::{
    AgentProgram, Harness, HookFiles, NameRule, SkillFormat, ViewScope, commands, find, harnesses, program,
    programs,
};
pub use view::{Body, Item, ItemFile, View, ViewChange, ViewStep};
