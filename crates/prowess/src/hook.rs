//! The hook in other agent programs: it answers each message of the user with the skill that the message asks for.
//!
//! Installing changes one file of the harness, by an edit that is shown first. What was put into a context is
//! recorded beside the session's trace (`sessions/<harness>-<id>/hook.jsonl`), without the message; what went wrong is
//! recorded in `hooks/problems.jsonl`, because a hook must never get in the way of the user's message.

mod block;
mod files;
mod log;
mod problems;
mod serve;

use std::path::PathBuf;

use prowess_fs::{AppendError, LockError, ReadError, WriteError};
pub use prowess_harness::hook::input::{HookEvent, HookInput, InputError, MAX_INPUT_BYTES};
use prowess_harness::hook::settings::SettingsError;
pub use prowess_harness::hook::{HookHarness, HookScope};

pub use files::{HookChange, HookPresence, HookStatus, hook_command};
pub use log::{HookRecord, HowShown, RecordedEvent, ShownSkill};
pub use problems::HookProblem;

pub(crate) use crate::choose::one_line;
pub(crate) use log::SAME_MESSAGE_MS;

use crate::engine::Engine;
use crate::{ChooseError, EngineError};

/// Why a hook cannot be installed, removed or answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HookError {
    /// The harness's file is not as the harness wants it.
    #[error("cannot change `{}`", file.display())]
    Settings {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        #[source]
        source: SettingsError,
    },
    /// The harness's file is no text.
    #[error("`{}` is not valid UTF-8", .0.display())]
    NotText(PathBuf),
    /// The harness's file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The harness's file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another process changes the file.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// What was shown cannot be recorded.
    #[error(transparent)]
    Record(#[from] AppendError),
    /// The engine cannot answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The message cannot be understood.
    #[error(transparent)]
    Choose(#[from] ChooseError),
}

impl Engine {
    /// Our own home, whichever profile is followed.
    pub(crate) fn own_home(&self) -> PathBuf {
        let places = self.places();
        places.cache.parent().unwrap_or(&places.state).to_owned()
    }

    /// The folder of the logs that a harness keeps.
    pub fn harness_history(&self, harness: HookHarness) -> PathBuf {
        harness.history(self.env(), &self.places().os_home)
    }
}
