//! Systems other than Unix: a folder by its path.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The reason a folder was not moved.
#[derive(Debug)]
pub(super) enum MoveError {
    Taken,
    #[allow(dead_code, reason = "folders have no identity here")]
    Swapped,
    Io(io::Error),
}

pub(super) struct Spot(PathBuf);

impl Spot {
    /// A folder below a root; no part on the way may be a link.
    pub(super) fn open(root: &Path, relative: &Path) -> io::Result<Self> {
        let mut path = root.to_owned();
        for part in relative.components() {
            path.push(part);
            if !fs::symlink_metadata(&path)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        Ok(Self(path))
    }

    /// Returns true if a regular file of that name is in it.
    pub(super) fn has_file(&self, name: &str) -> io::Result<bool> {
        Ok(fs::symlink_metadata(self.0.join(name)).is_ok_and(|metadata| metadata.is_file()))
    }

    /// Moves it to another folder, under a name that must be free.
    pub(super) fn move_to(&self, folder: &Path, name: &str) -> Result<(), MoveError> {
        let target = folder.join(name);
        if crate::is_taken(&target) {
            return Err(MoveError::Taken);
        }
        fs::rename(&self.0, target).map_err(MoveError::Io)
    }
}

/// Removes what has a name in a folder, and everything in it.
pub(super) fn remove_tree(folder: &Path, name: &str) -> io::Result<()> {
    fs::remove_dir_all(folder.join(name))
}
