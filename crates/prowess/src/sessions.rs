//! The sessions on disk: what agents did, one folder each.
//!
//! `sessions/<id>/trace.jsonl` below the engine's own home holds the lines; other parts may keep files beside it.
//! Lines are only ever added, so several processes can write one session, and a rating does not touch what it rates.

mod id;
mod writer;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use id::{InvalidSessionId, SessionId};
pub use writer::{Clock, SessionWriter};

use crate::Engine;

/// The file of a session's lines, in its folder.
const TRACE_FILE: &str = "trace.jsonl";
/// How long another process may hold a session's file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a session cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The id cannot be one.
    #[error(transparent)]
    Id(#[from] InvalidSessionId),
    /// The line was not added.
    #[error(transparent)]
    Append(#[from] prowess_fs::AppendError),
}

/// All sessions of an engine.
#[derive(Clone, Debug)]
pub struct Sessions {
    folder: PathBuf,
}

impl Engine {
    /// The sessions that were recorded.
    pub fn sessions(&self) -> Sessions {
        let places = self.places();
        // Beside the cache, which is in our own home whichever profile is followed: another program's state folder
        // is no place for files it does not know.
        let home = places.cache.parent().unwrap_or(&places.state);
        Sessions { folder: home.join("sessions") }
    }
}

impl Sessions {
    /// The folder of all sessions.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of one session, whether or not it exists.
    pub fn folder_of(&self, id: &SessionId) -> PathBuf {
        self.folder.join(id.as_str())
    }

    fn file_of(&self, id: &SessionId) -> PathBuf {
        self.folder_of(id).join(TRACE_FILE)
    }
}
