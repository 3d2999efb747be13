//! Findings and capabilities of a skill, before anything runs.
//!
//! Text is code here: an agent does what it reads, so payloads sit in prose. [`scan`] takes the files of a skill
//! and says what was seen, where, why it matters and what to do about it. It works in three steps:
//!
//! 1. every text is cut into blocks, and one pass finds *signals* in them: something is fetched,
//!    a key is read, nobody is to be asked. The text is also read without its disguises: invisible characters,
//!    letters of other scripts, splices, encodings;
//! 2. *rules* say which signals, present together, mean what, and what makes them milder: that something is only
//!    shown as a warning, or that the user is asked;
//! 3. names, declarations, archives and programs are judged by parsing them.
//!
//! Everything is linear in the size of the input and bounded; what is not looked at is reported as unread.
//!
//! What this crate refuses to do: open files, run anything, look at the clock, or ask the network.

mod address;
mod archive;
mod baseline;
mod blocks;
mod capabilities;
mod capability;
mod cues;
mod declared;
mod decode;
pub mod environment;
mod file;
mod finding;
mod flow;
mod git_config;
mod identity;
mod judge;
mod lexicon;
mod lines;
mod manifest;
mod mask;
pub mod network;
mod observe;
pub mod openclaw;
mod report;
mod rule;
mod rules;
mod sarif;
mod scan;
mod signal;
mod splice;
mod text;
mod unicode;

pub use address::{HostKind, classify as classify_host, is_public};
pub use baseline::{Accepted, Applied, Baseline, BaselineError};
pub use capabilities::{Capabilities, CapabilityDiff, diff};
pub use file::{Content, File, UnscannedReason};
pub use prowess_types::ScanVerdict as Verdict;

pub use finding::{Category, Coverage, Report, ScanFinding, ScanSeverity, UnreadFile, verdict_over};
pub use git_config::git_command_setting;
pub use mask::find_secret;
pub use rule::ScanRule;
pub use rules::{rule, rules};
pub use sarif::sarif;
pub use scan::scan;
