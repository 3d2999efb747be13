//! The hook in other agent programs: it answers each message of the user with the skill that the message asks for.
//!
//! Installing changes one file of the harness, by an edit that is shown first. What was put into a context is
//! recorded beside the session's trace (`sessions/<harness>-<id>/hook.jsonl`), without the message; what went wrong is
//! recorded in `hooks/problems.jsonl`, because a hook must never get in the way of the user's message.

mod block;
mod files;
mod problems;
mod serve;

use std::path::PathBuf;

use prowess_fs::{AppendError, FileReadError, LockError, WriteError};
use prowess_harness::Ground;
pub use prowess_harness::hook::input::{HookEvent, HookInput, InputError, MAX_INPUT_BYTES};
use prowess_harness::hook::settings::SettingsError;
pub use prowess_harness::hook::{HookHarness, HookScope};

pub use files::{HookChange, HookPresence, HookStatus, apply_hook, hook_command, hook_status, plan_hook};
pub use problems::{HookProblem, hook_problems, hook_problems_file, note_hook_problem};
pub use prowess_sessions::{HookRecord, HowShown, RecordedEvent, ShownSkill};
pub use serve::answer_hook;

use prowess_context::Context;
use prowess_context::{ChooseError, ContextError};

/// The reason a hook cannot be installed, removed or answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HookError {
    /// The harness's file is not as the harness wants it.
    #[error("cannot change `{}`", file.display())]
    Settings {
        /// The file.
        file: PathBuf,
        /// The problem with it.
        #[source]
        source: SettingsError,
    },
    /// The harness's file is not text.
    #[error("`{}` is not valid UTF-8", .0.display())]
    NotText(PathBuf),
    /// The harness's file cannot be read.
    #[error(transparent)]
    Read(#[from] FileReadError),
    /// The harness's file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another process changes the file.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The shown text cannot be recorded.
    #[error(transparent)]
    Record(#[from] AppendError),
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The message cannot be understood.
    #[error(transparent)]
    Choose(#[from] ChooseError),
}

impl prowess_types::Classify for HookError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Choose(error) => Of(error),
            Self::Settings { .. } => Is(ErrorKind::Files),
            Self::NotText(_) | Self::Read(_) | Self::Write(_) | Self::Lock(_) | Self::Record(_) => {
                Is(ErrorKind::Environment)
            }
        }
    }
}

/// The folder of the logs that a harness keeps, if it is known.
pub fn harness_history(context: &Context, kind: prowess_trace::ImportKind) -> Option<PathBuf> {
    let folder = prowess_harness::program(kind.name())?.logs.as_ref()?.folder.as_ref()?;
    let (env, home) = (context.env(), context.places().os_home.as_path());
    Some(Ground { env, home, workspace: env.cwd() }.expand(folder))
}
