//! An error with views as a whole. What goes wrong with one skill in a view is a [`ViewStep`](crate::ViewStep).

use std::io;
use std::path::PathBuf;

use prowess_fs::{FileReadError, LockError, WriteError};

/// The reason a view cannot be compared, filled or emptied.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// There is no such harness in the table.
    #[error("there is no agent program `{name}`{}", meant(.suggestion.as_deref()))]
    Unknown {
        /// The requested name.
        name: String,
        /// What may have been meant.
        suggestion: Option<String>,
    },
    /// Another process fills the same view.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// What was made cannot be read.
    #[error(transparent)]
    Read(#[from] FileReadError),
    /// What was made cannot be written down, so nothing is made.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The record of what was made is not one.
    #[error("`{}` is damaged, so it is not known what was made in `{}`; move it away to start anew", .file.display(), .view.display())]
    Damaged {
        /// The record.
        file: PathBuf,
        /// The view.
        view: PathBuf,
    },
    /// The system refused.
    #[error("cannot look at `{}`", .path.display())]
    Io {
        /// What was looked at.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// A link leads out of the workspace.
    #[error("`{}` leads out of the workspace through a link", .0.display())]
    Outside(PathBuf),
    /// A file that should be text is not.
    #[error("`{}` is not UTF-8", .0.display())]
    NotText(PathBuf),
    /// The block in `AGENTS.md` was edited.
    #[error("the block in `{}` was edited; remove the markers to keep it, or remove the block to regenerate it", .0.display())]
    EditedBlock(PathBuf),
}

fn meant(suggestion: Option<&str>) -> String {
    suggestion.map(|id| format!("; did you mean `{id}`?")).unwrap_or_default()
}
