//! The sessions on disk: what agents did, one folder each.
//!
//! `sessions/<id>/trace.jsonl` below the engine's own home holds the lines; other parts may keep files beside it.
//! Lines are only ever added, so several processes can write one session, and a rating does not touch what it rates.

mod cache;
mod id;
mod keys;
mod prompt_diff;
mod prompts;
mod rate;
mod remove;
mod settings;
mod store;
mod transfer;
mod writer;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use cache::SessionCache;
pub use id::{InvalidSessionId, RunId, SessionId};
pub use keys::SessionKey;
pub use prompt_diff::{PromptDifference, PromptPart, PromptPartDifference};
pub use prompts::{KeptPrompt, SentPrompt, StoredPrompt};
pub use rate::{Rated, Rating};
pub use settings::SessionSettings;
pub use store::{SessionFilter, SessionListing, StoredSession};
pub use transfer::{ExportFormat, ImportedSession};
pub use writer::SessionWriter;

use prowess_context::Context;

/// The file of a session's lines, in its folder.
const TRACE_FILE: &str = "trace.jsonl";
/// The time to wait for another process that holds a session's file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// A larger file of lines, or foreign log, is not read.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// The reason a session cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The id cannot be one.
    #[error(transparent)]
    Id(#[from] InvalidSessionId),
    /// No session has this id or beginning of an id.
    #[error("there is no session `{}`", .0.escape_debug())]
    Unknown(String),
    /// Several do.
    #[error("`{}` is the beginning of {} sessions: {}", text.escape_debug(), matches.len(), listed(matches))]
    Ambiguous {
        /// The requested text.
        text: String,
        /// The sessions that begin so.
        matches: Vec<SessionId>,
    },
    /// The session has no such run.
    #[error("session `{session}` has no run `{}`; it has {}", run.escape_debug(), listed(runs))]
    UnknownRun {
        /// The session.
        session: SessionId,
        /// The run that was asked for.
        run: String,
        /// The runs it has.
        runs: Vec<String>,
    },
    /// The session has no run at all.
    #[error("session `{0}` has no run yet")]
    NoRun(SessionId),
    /// The run did not record its prompt.
    #[error(
        "run `{}` of session `{session}` has no recorded prompt: only runs of this program since version 0.2 have one",
        run.escape_debug()
    )]
    NoPrompt {
        /// The session.
        session: SessionId,
        /// The run.
        run: String,
    },
    /// The text of the prompt is no longer stored.
    #[error(
        "the prompt of run `{}` in session `{session}` is no longer stored: a session keeps its newest {} MiB",
        run.escape_debug(),
        prompts::MAX_SESSION_BYTES / (1024 * 1024)
    )]
    PromptDropped {
        /// The session.
        session: SessionId,
        /// The run.
        run: String,
    },
    /// There is no run before it with a prompt.
    #[error("no run before `{}` in session `{session}` has a stored prompt to compare with", run.escape_debug())]
    NothingToCompare {
        /// The session.
        session: SessionId,
        /// The run.
        run: String,
    },
    /// Nothing in the foreign log was understood.
    #[error("`{}` holds no session of {kind}", file.display())]
    NothingImported {
        /// The log.
        file: PathBuf,
        /// Whose log it should be.
        kind: &'static str,
    },
    /// Another session has the name that the foreign log would get.
    #[error("session `{0}` exists and was not imported")]
    Taken(SessionId),
    /// A newer program wrote it.
    #[error("cannot read session `{id}`")]
    Trace {
        /// The session.
        id: SessionId,
        /// The reason.
        #[source]
        source: prowess_trace::TraceReadError,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] prowess_fs::FileReadError),
    /// The line was not added.
    #[error(transparent)]
    Append(#[from] prowess_fs::AppendError),
    /// The export was not written.
    #[error(transparent)]
    Write(#[from] prowess_fs::WriteError),
    /// The file cannot be replaced.
    #[error("cannot write session `{id}`")]
    Replace {
        /// The session.
        id: SessionId,
        /// The reason.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl prowess_types::Classify for SessionError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Id(_) | Self::Ambiguous { .. } => Is(ErrorKind::Usage),
            Self::Unknown(_)
            | Self::UnknownRun { .. }
            | Self::NoRun(_)
            | Self::NoPrompt { .. }
            | Self::PromptDropped { .. }
            | Self::NothingToCompare { .. } => Is(ErrorKind::NotFound),
            Self::NothingImported { .. }
            | Self::Taken(_)
            | Self::Trace { .. }
            | Self::Read(_)
            | Self::Append(_)
            | Self::Write(_)
            | Self::Replace { .. } => Is(ErrorKind::Files),
        }
    }
}

/// The first few, separated by commas.
fn listed(items: &[impl std::fmt::Display]) -> String {
    const SHOWN: usize = 5;
    let more = if items.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", prowess_text::backtick_list(items.iter().take(SHOWN), ", "))
}

/// All sessions of an engine.
#[derive(Clone, Debug)]
pub struct Sessions {
    folder: PathBuf,
}

impl Sessions {
    /// The recorded sessions of a context. They lie in our own home whichever profile is followed: another program's
    /// state folder is not a place for files that it does not know.
    pub fn of(context: &Context) -> Self {
        Self { folder: context.own_home().join("sessions") }
    }

    /// The folder of all sessions.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of one session, whether or not it exists.
    pub fn folder_of(&self, id: &SessionId) -> PathBuf {
        self.folder.join(id.as_str())
    }

    /// The file of one session, whether or not it exists.
    pub fn file_of(&self, id: &SessionId) -> PathBuf {
        self.folder_of(id).join(TRACE_FILE)
    }
}
