//! A folder that others may write to, and that is still filled safely.
//!
//! Everything is named relative to the folder, part by part from its open handle where the system allows it, so no
//! link in it can lead a write or a removal elsewhere. A file changes in one step: its new content is complete before
//! it takes the name, and an interrupted writer leaves at most one file behind, which the next one removes.

use std::io;
use std::path::Path;

use crate::WriteError;
use crate::platform::is_missing;

#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use portable::Root;
#[cfg(unix)]
use unix::Root;

/// Where new content is written before it gets its name. One writer at a time uses it, under the caller's lock.
const TEMPORARY: &str = ".prowess-mirror.tmp";

/// A folder to be filled.
#[derive(Debug)]
pub struct Mirror {
    root: Root,
}

/// A file in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirrored {
    /// Its content.
    pub bytes: Vec<u8>,
    /// True if its owner may execute it.
    pub is_executable: bool,
}

impl Mirror {
    /// Opens a folder, and makes it if there is none.
    pub fn open(folder: &Path) -> Result<Self, WriteError> {
        let failed = |source| WriteError::Io { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
        Ok(Self { root: Root::open(folder).map_err(failed)? })
    }

    /// A file, if there is one of at most `max_bytes`; anything else of that name counts as nothing.
    pub fn read(&self, relative: &str, max_bytes: u64) -> io::Result<Option<Mirrored>> {
        match self.root.read(&parts(relative)?, max_bytes) {
            Err(error) if is_missing(&error) => Ok(None),
            other => other,
        }
    }

    /// Gives a file new content. Folders above it are made; links and files in their place give way.
    pub fn write(&self, relative: &str, bytes: &[u8], is_executable: bool) -> io::Result<()> {
        self.root.write(&parts(relative)?, bytes, is_executable)
    }

    /// Gives a script new content. Only its owner may read and run it.
    pub fn write_private_script(&self, relative: &str, bytes: &[u8]) -> io::Result<()> {
        self.root.write_mode(&parts(relative)?, bytes, 0o700)
    }

    /// Removes a file or a link, and the folders above it that are empty then. Says whether there was one.
    pub fn remove(&self, relative: &str) -> io::Result<bool> {
        match self.root.remove(&parts(relative)?) {
            Err(error) if is_missing(&error) => Ok(false),
            other => other,
        }
    }
}

/// Returns true if this user may execute a file.
pub fn is_executable(path: &Path) -> bool {
    crate::platform::is_executable(path)
}

/// The parts of a place below the folder. A place that names anything else is refused.
fn parts(relative: &str) -> io::Result<Vec<&str>> {
    let parts: Vec<&str> = relative.split('/').collect();
    let is_plain = |part: &&str| {
        !matches!(*part, "" | "." | "..")
            && !part.contains('\0')
            && (cfg!(unix) || !part.contains(['\\', ':']))
    };
    if parts.iter().all(is_plain) {
        Ok(parts)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("`{relative}` is not a path inside the folder"),
        ))
    }
}

#[cfg(test)]
#[path = "mirror_tests.rs"]
mod tests;
