//! Puts skills and their dependencies on a machine, and takes them away.
//!
//! A skill arrives as a [`Bundle`](prowess_types::Bundle) with a few words about where it came from ([`Placement`]).
//! A [`Writer`] is the right to change a [`Home`]: it [places](Writer::place), [updates](Writer::update) and
//! [uninstalls](Writer::uninstall) skills, and writes the [lock](LockFile) along. Readers need no right: [`status`]
//! says whether the disk is what the lock says, [`plan_update`] and [`diff`] what an update would change.
//!
//! What this crate refuses to do: ask the network, look into a skill, read the environment or the clock. What it
//! promises: whenever it is interrupted, the old or the new state is whole, and the next [`recover`] or
//! [`Writer::open`] makes lock and disk agree; what somebody edited is merged, kept, or moved to the trash, but never
//! destroyed.

mod base;
mod companion;
pub mod deps;
mod diff;
mod disk;
mod display;
mod drift;
mod error;
mod exchange;
mod home;
mod journal;
mod lock;
mod merge;
mod names;
mod place;
mod remove;
mod restore;
mod side;
mod swap;
#[cfg(test)]
mod test_support;
mod trash;
mod tree;
mod update;
mod verify;
mod writer;

pub use companion::{CompanionContent, CompanionFile};
pub use diff::{DiffKind, FileDiff, diff};
pub use display::Display;
pub use drift::Drift;
pub use error::InstallError;
pub(crate) use error::failed;
pub use exchange::{FolderChange, FolderExchange};
pub use home::{CompanionRoot, Home};
pub use journal::Recovered;
pub use lock::{LockEntry, LockFile, LockParseError, LockedFile, Pin, Provenance, ScanNote};
pub use merge::{ConflictKind, MergeConflict, MergeReport, SkillMerge, merge};
pub use names::{Digest, FilePath, Folder, PathNameError};
pub use place::{Existing, Placed, Placement};
pub use remove::{UninstallPlan, Uninstalled, plan_uninstall};
pub use restore::{RestoreWish, RestoredFolder};
pub use tree::folder_files;
pub use update::{Edits, SkillUpdate, UpdatePlan, plan_update};
pub use verify::{Installed, VerifyState, is_interrupted, local_files, original_files, status, unlisted};
pub use writer::{Writer, recover};
