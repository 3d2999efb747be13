//! Why the forge cannot do what it was asked to.

use std::io;
use std::path::PathBuf;

use prowess_context::{ChooseError, ContextError};
use prowess_sessions::SessionError;

/// Why the forge cannot do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForgeError {
    /// There is no such draft.
    #[error("there is no draft `{}`", .0.escape_debug())]
    Unknown(String),
    /// Several drafts begin so.
    #[error("`{}` is the beginning of several drafts: {}", text.escape_debug(), names.join(", "))]
    Ambiguous {
        /// What was asked for.
        text: String,
        /// Which drafts begin so.
        names: Vec<String>,
    },
    /// Nobody knows that the run succeeded.
    #[error("run `{run}` of session `{session}` failed or was not rated as successful")]
    NotSuccessful {
        /// The session.
        session: String,
        /// The run.
        run: String,
    },
    /// The run is no procedure.
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
        /// How long it is.
        found: usize,
        /// How long it may be.
        allowed: u64,
    },
    /// It was never tested, or was changed since.
    #[error("the draft `{0}` has not passed its test as it is now")]
    NotTested(String),
    /// Nobody said yes.
    #[error("promoting the draft `{0}` requires confirmation")]
    NoConsent(String),
    /// It was never promoted, or not any more.
    #[error("`{0}` is not promoted")]
    NotPromoted(String),
    /// It was not retired.
    #[error("`{0}` is not retired")]
    NotRetired(String),
    /// Something else is where the skill would go.
    #[error("`{}` already exists and was not written by the forge", .0.display())]
    Taken(PathBuf),
    /// Somebody changed the promoted skill.
    #[error("`{}` was changed by hand since it was promoted", .0.display())]
    Changed(PathBuf),
    /// What is known about a draft cannot be read.
    #[error("cannot understand `{}`", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Why.
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
    /// Somebody else works on the queue.
    #[error(transparent)]
    Lock(#[from] prowess_fs::LockError),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] prowess_fs::ReadError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] prowess_fs::WriteError),
    /// The skill cannot be changed.
    #[error(transparent)]
    Install(#[from] prowess_install::Error),
    /// A file cannot be changed.
    #[error("cannot change `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
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
            Self::NotSuccessful { .. } | Self::NotTested(_) | Self::NotPromoted(_) | Self::NotRetired(_) => {
                Is(ErrorKind::NotReady)
            }
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
