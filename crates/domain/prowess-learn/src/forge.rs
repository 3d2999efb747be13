//! The forge: drafts of skills, made of runs that worked, measured, promoted, and taken back.
//!
//! A draft waits in `forge/drafts/<name>/` below the engine's own home: `SKILL.md`, its script, its trigger cases and
//! `draft.json`, which says where it comes from and what happened to it. No root of skills lies there, so a draft is
//! in no prompt. [`Forge::test`] measures it; only a draft that passed, exactly as it is, can be promoted, and only
//! with consent. Every promotion is a version that can be rolled back.
//!
//! Invariants: `draft.json` is written last, so an interruption leaves a draft whose hash does not fit its test. What
//! changes a skill changes its folder and `draft.json` in one step (`commit.rs`), with the journal of installs. Nothing
//! runs that was not shown: a replay is the script with the values of its session, and consent names its hash.

mod better;
mod commit;
mod describe;
mod error;
mod gate;
mod improve;
mod make;
mod observer;
mod pool;
mod preview;
mod promote;
mod queue;
mod record;
mod replay;
mod report;
mod task;
mod usage;
mod version;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::ForgeError;
pub use gate::Replaying;
pub use improve::Improved;
pub use observer::DraftObserver;
pub use preview::{ReplayPreview, ReplayState};
pub use promote::{Promoted, PromotionConsent};
pub use queue::StoredDraft;
pub use record::{DraftRecord, DraftStatus, Happened, SourceRun, Version};
pub use report::{CheckName, CheckVerdict, DraftCheck, TestReport, TestState};
pub use usage::Unused;

use prowess_config::PromotionPolicy;
use prowess_fs::Lock;
use prowess_types::{ProfileName, SpecMode};

use prowess_context::Context;

/// The time to wait for another process that works on the queue.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// Larger files are not part of a draft.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The drafts of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Forge<'a> {
    context: &'a Context,
}

impl<'c> Forge<'c> {
    /// Returns the forge of a context.
    ///
    /// ```
    /// use prowess_context::{Context, ContextOptions};
    /// use prowess_learn::forge::Forge;
    /// # let home = tempfile::tempdir()?;
    /// # let env = prowess_config::Env::new([("HOME".to_owned(), home.path().display().to_string())], home.path());
    /// # let context = Context::open(ContextOptions { env, ..ContextOptions::default() })?;
    /// assert!(Forge::new(&context).list()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(context: &'c Context) -> Self {
        Self { context }
    }
}

impl Forge<'_> {
    /// Returns the folder of drafts and versions.
    pub fn folder(&self) -> PathBuf {
        self.context.places().state.join("forge")
    }

    /// Returns true if a tested draft is promoted without a question. Only the user's own config counts.
    pub fn promotes_tested(&self) -> bool {
        self.context.config().forge().policy == PromotionPolicy::Tested
    }

    fn drafts(&self) -> PathBuf {
        self.folder().join("drafts")
    }

    fn lock(&self) -> Result<Lock, ForgeError> {
        let lock = Lock::acquire(&self.folder().join("queue"), LOCK_TIMEOUT)?;
        self.settle()?;
        Ok(lock)
    }

    fn is_openpocket(&self) -> bool {
        self.context.profile().name == ProfileName::Openpocket
    }

    fn layout(&self) -> prowess_forge::MaterialLayout {
        match (self.is_openpocket(), self.context.config().spec_mode()) {
            (false, _) => prowess_forge::MaterialLayout::Folder,
            (true, SpecMode::Strict) => prowess_forge::MaterialLayout::StrictFolder,
            (true, _) => prowess_forge::MaterialLayout::LoneFile,
        }
    }
}

/// A path below a folder as a draft names it, with `/`.
fn below(folder: &Path, relative: &str) -> PathBuf {
    relative.split('/').fold(folder.to_owned(), |path, part| path.join(part))
}
