//! The snapshot of a session, kept with the session.
//!
//! A session works with the snapshot it started with; only between two turns does it take a newer one. The snapshot is
//! stored beside the session's trace, so that after a restart the session still knows what its model was told, and
//! whether that still holds. Contents are compared, so neither a restart nor a clock can make it wrong.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_catalog::{Snapshot, SnapshotFreshness};
use prowess_fs::WriteError;
use prowess_text::describe_error;

const FILE: &str = "snapshot.json";
/// The new name of a file that is not a snapshot.
const DAMAGED: &str = "snapshot.damaged.json";
/// A larger file is not a snapshot.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// It names skills and their files, which are private.
const MODE: Option<u32> = Some(0o600);

/// The reason the snapshot of a session could not be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionSnapshotError {
    /// It cannot be written.
    #[error("cannot store the snapshot of the session")]
    Write(#[from] WriteError),
    /// It cannot be read, though it is there.
    #[error("cannot read the snapshot of the session")]
    Read(#[source] prowess_fs::FileReadError),
    /// It is not the text of a snapshot.
    #[error("cannot write the snapshot as JSON")]
    Json(#[from] serde_json::Error),
    /// A damaged file cannot be put aside.
    #[error("`{}` is damaged and cannot be put aside", path.display())]
    Aside {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
}

impl prowess_types::Classify for SessionSnapshotError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Aside { .. } => Is(ErrorKind::Damaged),
            Self::Write(_) | Self::Read(_) | Self::Json(_) => Is(ErrorKind::Files),
        }
    }
}

/// The snapshot that was stored with a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredSnapshot {
    /// Nothing.
    Missing,
    /// A snapshot whose id is the hash of its content.
    Intact(Snapshot),
    /// Something else; it was kept under another name.
    Damaged {
        /// Its new path.
        kept: PathBuf,
        /// The problem with it.
        reason: String,
    },
}

/// The snapshot that a session works with.
#[derive(Clone, Debug)]
pub struct SessionSnapshot {
    folder: PathBuf,
    snapshot: Arc<Snapshot>,
}

/// The state of a session's snapshot when it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// Nothing: it is new.
    New,
    /// Its own snapshot, which may have gone stale meanwhile.
    Resumed(SnapshotFreshness),
    /// A damaged file, kept aside; the current snapshot took its place.
    Rebuilt {
        /// The new path of the damaged file.
        kept: PathBuf,
        /// The problem with it.
        reason: String,
    },
}

impl SessionSnapshot {
    /// Opens the snapshot of the session in `folder`: its own if it has one, else the current one, which is stored.
    pub fn open(folder: &Path, current: &Arc<Snapshot>) -> Result<(Self, Opened), SessionSnapshotError> {
        let session = |snapshot| Self { folder: folder.to_owned(), snapshot };
        let opened = match Self::load(folder)? {
            StoredSnapshot::Intact(own) => {
                let freshness = own.freshness(current);
                return Ok((session(Arc::new(own)), Opened::Resumed(freshness)));
            }
            StoredSnapshot::Missing => Opened::New,
            StoredSnapshot::Damaged { kept, reason } => Opened::Rebuilt { kept, reason },
        };
        Self::store(folder, current)?;
        Ok((session(Arc::clone(current)), opened))
    }

    /// Returns the snapshot of the session.
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// Compares it with the snapshot that the agent would get now.
    pub fn freshness(&self, current: &Snapshot) -> SnapshotFreshness {
        self.snapshot.freshness(current)
    }

    /// A turn begins: takes the current snapshot, and stores it, if the session's own is stale. Tells whether it was.
    pub fn next_turn(&mut self, current: &Arc<Snapshot>) -> Result<SnapshotFreshness, SessionSnapshotError> {
        let freshness = self.freshness(current);
        if freshness.stale {
            Self::store(&self.folder, current)?;
            self.snapshot = Arc::clone(current);
        }
        Ok(freshness)
    }

    /// Stores a snapshot with the session in `folder`, in place of the one before.
    pub fn store(folder: &Path, snapshot: &Snapshot) -> Result<(), SessionSnapshotError> {
        let mut text = serde_json::to_vec(snapshot)?;
        text.push(b'\n');
        Ok(prowess_fs::write_atomic(&folder.join(FILE), &text, MODE)?)
    }

    /// The snapshot in `folder`, if there is an intact one. Nothing is changed, whatever is there.
    pub(crate) fn peek(folder: &Path) -> Option<Snapshot> {
        let bytes = prowess_fs::read_file(&folder.join(FILE), MAX_BYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Loads the snapshot of the session in `folder`. A damaged file is kept under another name.
    pub fn load(folder: &Path) -> Result<StoredSnapshot, SessionSnapshotError> {
        let path = folder.join(FILE);
        let reason = match prowess_fs::read_file(&path, MAX_BYTES) {
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(snapshot) => return Ok(StoredSnapshot::Intact(snapshot)),
                Err(error) => error.to_string(),
            },
            Err(error) if error.is_missing() => return Ok(StoredSnapshot::Missing),
            Err(
                error @ (prowess_fs::FileReadError::Oversize { .. }
                | prowess_fs::FileReadError::NotAFile { .. }),
            ) => describe_error(&error),
            Err(error) => return Err(SessionSnapshotError::Read(error)),
        };
        let kept = folder.join(DAMAGED);
        prowess_fs::put_aside(&path, &kept)
            .map_err(|source| SessionSnapshotError::Aside { path: path.clone(), source })?;
        Ok(StoredSnapshot::Damaged { kept, reason })
    }
}
