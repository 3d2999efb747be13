//! The errors of the forge.

use std::io;
use std::path::PathBuf;

use prowess_context::{ChooseError, ContextError};
use prowess_sessions::SessionError;

/// The reason an operation of the forge failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForgeError {
    /// There is no such draft.
    #[error("there is no draft `{}`", .0.escape_debug())]
    Unknown(String),
    /// Several drafts begin so.
    #[error("`{}` is the beginning of several drafts: {}", text.escape_debug(), names.join(", "))]
    Ambiguous {
        /// The requested text.
        text: String,
        /// The drafts that begin so.
        names: Vec<String>,
    },
    /// The success of the run is not known.
    #[error("run `{run}` of session `{session}` failed or was not rated as successful")]
    NotSuccessful {
        /// The session.
        session: String,
        /// The run.
        run: String,
    },
    /// The run is not a procedure.
    #[error("the run is not worth a draft: {0}")]
    NotWorth(#[from] prowess_forge::NotWorth),
    /// A skill does that already.
    #[error("the skill `{0}` already matches this task")]
    NearDuplicate(String),
    /// The config says that nothing is drafted.
    #[error("`agent.autoArtifactsEnabled` is off: nothing is drafted")]
    SwitchedOff,
    /// Too many drafts wait.
    #[error("{0} drafts are already pending; promote or reject some, or raise `skills.workshop.maxPending`")]
    QueueFull(usize),
    /// The draft is too long to be a skill.
    #[error("the draft has {found} bytes; `skills.workshop.maxSkillBytes` is {allowed}")]
    TooLong {
        /// Its length.
        found: usize,
        /// The maximum length.
        allowed: u64,
    },
    /// It was never tested, or was changed since.
    #[error("the draft `{0}` has not passed its test as it is now")]
    NotTested(String),
    /// Its test failed.
    #[error("the draft `{name}` failed its test: {}", reasons.join("; "))]
    TestFailed {
        /// The draft.
        name: String,
        /// The failed checks, one line each.
        reasons: Vec<String>,
    },
    /// There is no consent.
    #[error("promoting the draft `{0}` requires confirmation")]
    NoConsent(String),
    /// It was never promoted, or no longer is.
    #[error("`{0}` is not promoted")]
    NotPromoted(String),
    /// It was not retired.
    #[error("`{0}` is not retired")]
    NotRetired(String),
    /// Something else is where the skill would go.
    #[error("`{}` already exists and was not written by the forge", .0.display())]
    Taken(PathBuf),
    /// The promoted skill was changed.
    #[error("`{}` was changed by hand since it was promoted", .0.display())]
    Changed(PathBuf),
    /// The record of a draft cannot be read.
    #[error("cannot understand `{}`", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        source: serde_json::Error,
    },
    /// The model did not give a description, or the draft has none to replace.
    #[error("the model gave no description that can be used; the draft is as it was")]
    NoDescription,
    /// The model cannot be asked.
    #[error(transparent)]
    Model(#[from] prowess_agent::RunError),
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// Messages cannot be understood.
    #[error(transparent)]
    Choose(#[from] ChooseError),
    /// The session cannot be read.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// Another process works on the queue.
    #[error(transparent)]
    Lock(#[from] prowess_fs::LockError),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] prowess_fs::FileReadError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] prowess_fs::WriteError),
    /// The skill cannot be changed.
    #[error(transparent)]
    Install(#[from] prowess_install::InstallError),
    /// A file cannot be changed.
    #[error("cannot change `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl prowess_types::Classify for ForgeError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Choose(error) => Of(error),
            Self::Session(error) => Of(error),
            Self::Model(error) => Of(error),
            Self::Unknown(_) | Self::NoDescription => Is(ErrorKind::NotFound),
            Self::Ambiguous { .. } => Is(ErrorKind::Ambiguous),
            Self::NotSuccessful { .. }
            | Self::NotTested(_)
            | Self::TestFailed { .. }
            | Self::NotPromoted(_)
            | Self::NotRetired(_) => Is(ErrorKind::NotReady),
            Self::NoConsent(_) => Is(ErrorKind::NotAgreed),
            Self::Changed(_) | Self::Taken(_) => Is(ErrorKind::AlreadyThere),
            Self::SwitchedOff
            | Self::QueueFull(_)
            | Self::NotWorth(_)
            | Self::NearDuplicate(_)
            | Self::TooLong { .. } => Is(ErrorKind::Refused),
            Self::Record { .. }
            | Self::Lock(_)
            | Self::Read(_)
            | Self::Write(_)
            | Self::Install(_)
            | Self::Io { .. } => Is(ErrorKind::Files),
        }
    }
}
