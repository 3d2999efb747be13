//! The reason something was not done.

use std::io;
use std::path::{Path, PathBuf};

use prowess_fs::{FileReadError, LockError, UpdateError, WriteError};

use crate::drift::Drift;
use crate::merge::MergeReport;
use crate::names::{FilePath, Folder, PathNameError};

/// The reason a skill was not placed, updated or removed. Everything is as it was, unless the variant says
/// otherwise.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// A file of the bundle has a name that is none.
    #[error(transparent)]
    Name(#[from] PathNameError),
    /// Two files of the bundle want the same place.
    #[error("`{path}` is in the skill twice, or is a file and a folder")]
    Twice {
        /// The path.
        path: FilePath,
    },
    /// A file of the bundle is git metadata.
    #[error("`{}` in the skill `{folder}` is git metadata, which can run programs", path.escape_debug())]
    GitMetadata {
        /// The skill.
        folder: Folder,
        /// The path in it.
        path: String,
    },
    /// The bundle is empty.
    #[error("the skill `{folder}` has no files")]
    Empty {
        /// The skill.
        folder: Folder,
    },
    /// There is a folder that was not placed by us.
    #[error("`{}` already exists and was not installed by Prowess; `--force` replaces it and keeps a copy in the trash", path.display())]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// Something that is not a folder has the name, or a folder on the way is a link.
    #[error("`{}` is a link or a file, not a folder", path.display())]
    InTheWay {
        /// The entry that blocks the path.
        path: PathBuf,
    },
    /// Another state of the skill is installed.
    #[error("`{folder}` is already installed from `{source_text}`; update it, or use `--force`")]
    AlreadyInstalled {
        /// The skill.
        folder: Folder,
        /// Its source.
        source_text: String,
    },
    /// The lock file does not know the skill.
    #[error("`{folder}` is not installed")]
    NotInstalled {
        /// The skill.
        folder: Folder,
    },
    /// The skill is held at what it is.
    #[error("`{folder}` is pinned{}; unpin it first", reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default())]
    Pinned {
        /// The skill.
        folder: Folder,
        /// The reason it was pinned.
        reason: Option<String>,
    },
    /// The folder was edited, and nobody said what shall happen to the edits.
    #[error("`{folder}` has local changes: {drift}")]
    Edited {
        /// The skill.
        folder: Folder,
        /// What was edited.
        drift: Box<Drift>,
        /// What a merge would do, if one is possible.
        merge: Option<Box<MergeReport>>,
    },
    /// Both sides changed the same thing.
    #[error("`{folder}` has conflicting local and upstream changes: {}", report.conflicts_line())]
    Conflicts {
        /// The skill.
        folder: Folder,
        /// What a merge would do.
        report: Box<MergeReport>,
    },
    /// The local folder holds what cannot be merged, such as links or too much.
    #[error("`{folder}` cannot be merged: {reason}")]
    Unmergeable {
        /// The skill.
        folder: Folder,
        /// The reason.
        reason: String,
    },
    /// The lock names something else.
    #[error("`{folder}` is not what the lock says: locked {locked}, found {found}")]
    Frozen {
        /// The skill.
        folder: Folder,
        /// The hash in the lock, or `nothing`.
        locked: String,
        /// The hash of what would be installed.
        found: String,
    },
    /// The lock file cannot be understood.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The lock file.
        path: PathBuf,
        /// The problem with it.
        reason: String,
    },
    /// The lock file was written by a later version.
    #[error("`{}` has schema {schema}, which needs a newer version of this program", path.display())]
    Newer {
        /// The lock file.
        path: PathBuf,
        /// Its schema.
        schema: u64,
    },
    /// The folder could not be removed.
    #[error("cannot remove `{folder}`")]
    Remove {
        /// The skill.
        folder: Folder,
        /// The cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The folder could not be restored.
    #[error("cannot restore `{folder}`")]
    Restore {
        /// The skill.
        folder: Folder,
        /// The cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process is installing.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] FileReadError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The system refused.
    #[error("cannot {doing} `{}`", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl prowess_types::Classify for InstallError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Lock(_) => Is(ErrorKind::Busy),
            Self::Damaged { .. } | Self::Newer { .. } => Is(ErrorKind::Damaged),
            Self::Read(_) | Self::Write(_) | Self::Io { .. } => Is(ErrorKind::Files),
            Self::Conflicts { .. } | Self::Edited { .. } | Self::Unmergeable { .. } => {
                Is(ErrorKind::Conflict)
            }
            Self::Pinned { .. } | Self::GitMetadata { .. } => Is(ErrorKind::Refused),
            Self::Name(_)
            | Self::Twice { .. }
            | Self::Empty { .. }
            | Self::NotOurs { .. }
            | Self::InTheWay { .. }
            | Self::AlreadyInstalled { .. }
            | Self::NotInstalled { .. }
            | Self::Frozen { .. }
            | Self::Remove { .. }
            | Self::Restore { .. } => Is(ErrorKind::NotFound),
        }
    }
}

impl From<UpdateError<Self>> for InstallError {
    fn from(error: UpdateError<Self>) -> Self {
        match error {
            UpdateError::Edit(error) => error,
            UpdateError::Lock(error) => Self::Lock(error),
            UpdateError::Read(error) => Self::Read(error),
            UpdateError::Write(error) => Self::Write(error),
            UpdateError::NotText { path } => Self::Damaged { path, reason: "it is not text".to_owned() },
            other => Self::Damaged { path: PathBuf::new(), reason: other.to_string() },
        }
    }
}

/// Names what was tried, and on what.
pub(crate) fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> InstallError {
    let path = path.to_owned();
    move |source| InstallError::Io { doing, path, source }
}
