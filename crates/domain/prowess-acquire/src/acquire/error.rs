//! The errors of installing, updating or removing a skill.

use std::path::PathBuf;

use prowess_context::ContextError;
use prowess_fs::WriteError;
use prowess_fs::trash::TrashError;
use prowess_net::NetError;
use prowess_registry::{LockfileError, ReferenceError, SourceError};

/// The reason an operation failed. Everything is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AcquireError {
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// There is no way to the network.
    #[error(transparent)]
    Network(#[from] NetError),
    /// The text is not a reference.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// It could not be fetched.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// It could not be placed.
    #[error(transparent)]
    Install(#[from] prowess_install::InstallError),
    /// It could not be removed or brought back.
    #[error(transparent)]
    Trash(#[from] TrashError),
    /// Another tool's lock file cannot be updated.
    #[error("cannot update `{}`, the lock file of another tool", path.display())]
    Mirror {
        /// The file.
        path: PathBuf,
        /// The problem with it.
        #[source]
        source: LockfileError,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A path that is also a repository's name.
    #[error("`{text}` is a folder here, and would be a repository on GitHub")]
    Ambiguous {
        /// The text that was given.
        text: String,
    },
    /// A version of something that has none.
    #[error("`{reference}` has no versions to choose from, or names one already")]
    Version {
        /// The requested reference.
        reference: String,
    },
    /// There is a folder already.
    #[error("`{}` already exists", path.display())]
    AlreadyThere {
        /// The folder.
        path: PathBuf,
        /// True if it was installed from here.
        is_installed: bool,
    },
    /// Nothing of that name is installed.
    #[error("`{name}` is not installed{}", meant(suggestion.as_deref()))]
    NotInstalled {
        /// The requested name.
        name: String,
        /// The name that may be meant.
        suggestion: Option<String>,
    },
    /// Several installed skills have that name.
    #[error("`{name}` is ambiguous: it could be {}", prowess_text::backtick_list(folders, " or "))]
    SeveralInstalled {
        /// The requested name.
        name: String,
        /// Their folders.
        folders: Vec<String>,
    },
    /// Another tool installed it.
    #[error("`{name}` was installed by `{tool}`, whose files are not written here")]
    ByOtherTool {
        /// The skill.
        name: String,
        /// The tool.
        tool: String,
    },
    /// The lock names no source that can be asked again.
    #[error("`{folder}` was installed from `{source_text}`, which cannot be queried for updates")]
    NoSource {
        /// The skill.
        folder: String,
        /// The source in the lock.
        source_text: String,
    },
    /// The lock names an address inside the network that the user did not.
    #[error("the lock names `{address}`, which is not a public address and was not named by you")]
    Private {
        /// The address.
        address: String,
    },
    /// It may not be installed.
    #[error("`{name}` is refused: {}", reasons.join("; "))]
    Blocked {
        /// The skill.
        name: String,
        /// The reasons.
        reasons: Vec<String>,
    },
    /// It has warnings, and the consent does not cover them.
    #[error("`{name}` has warnings and was not confirmed: {}", reasons.join("; "))]
    NotAgreed {
        /// The skill.
        name: String,
        /// The warnings.
        reasons: Vec<String>,
    },
    /// The installed files changed after the plan was made.
    #[error("`{folder}` changed during the operation; run the command again")]
    Changed {
        /// The skill.
        folder: String,
    },
    /// The disk and the sources do not give what the lock says.
    #[error("the lock cannot be installed exactly: {}", problems.join("; "))]
    NotFrozen {
        /// Each thing that differs.
        problems: Vec<String>,
    },
    /// Something in the trash that does not belong to this folder of skills.
    #[error("`{id}` would go back to `{}`, outside the folder of skills", path.display())]
    Stray {
        /// Its id in the trash.
        id: String,
        /// The path in its note.
        path: PathBuf,
    },
    /// The upload is not a skill.
    #[error("the archive cannot be used: {0}")]
    Upload(String),
}

impl prowess_types::Classify for AcquireError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Source(error) => Of(error),
            Self::Install(error) => Of(error),
            Self::Trash(error) => Of(error),
            Self::Network(_) => Is(ErrorKind::Network),
            Self::Mirror { .. } | Self::Write(_) => Is(ErrorKind::Files),
            Self::Reference(_) | Self::Ambiguous { .. } | Self::Version { .. } => Is(ErrorKind::Usage),
            Self::AlreadyThere { .. } => Is(ErrorKind::AlreadyThere),
            Self::NotAgreed { .. } => Is(ErrorKind::NotAgreed),
            Self::Blocked { .. }
            | Self::Private { .. }
            | Self::ByOtherTool { .. }
            | Self::NotFrozen { .. } => Is(ErrorKind::Refused),
            Self::NotInstalled { .. }
            | Self::SeveralInstalled { .. }
            | Self::NoSource { .. }
            | Self::Changed { .. }
            | Self::Stray { .. }
            | Self::Upload(_) => Is(ErrorKind::NotFound),
        }
    }
}

fn meant(suggestion: Option<&str>) -> String {
    suggestion.map(|suggestion| format!("; did you mean `{suggestion}`?")).unwrap_or_default()
}
