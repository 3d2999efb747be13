//! Changing a file from what it says now, not from what it said when somebody last looked.
//!
//! Lock, fresh read, edit, atomic write: a lost update would need a writer who does not come through here.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::write::target_of;
use crate::{FileReadError, Lock, LockError, WriteError, read_file, write_atomic};

/// Far beyond any file that is edited as a whole.
const MAX_BYTES: u64 = 64 << 20;
/// What is edited this way may hold secrets, so a new file is the user's alone.
const NEW_FILE_MODE: u32 = 0o600;

/// What an update did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUpdate {
    /// The file has new content.
    Written,
    /// The edit changed nothing, so nothing was written.
    Unchanged,
}

/// The reason an update did not happen. The file is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError<E> {
    /// The edit itself refused.
    #[error(transparent)]
    Edit(E),
    /// Another writer holds the lock.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The present content cannot be read.
    #[error(transparent)]
    Read(#[from] FileReadError),
    /// The present content is not text.
    #[error("`{}` is not valid UTF-8", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// The new content cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Edits a text file under its lock, waiting at most `timeout` for other writers.
///
/// `edit` gets the present content (none if there is no file) and answers with the new one, or with none to
/// leave everything as it is. A link is followed first, so writers that know the file by different names
/// wait for each other.
///
/// ```
/// use std::{convert::Infallible, time::Duration};
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("count");
/// let increment = |old: Option<String>| {
///     let count: u32 = old.and_then(|text| text.parse().ok()).unwrap_or(0);
///     Ok::<_, Infallible>(Some((count + 1).to_string()))
/// };
/// prowess_fs::update_file(&file, Duration::from_secs(5), increment)?;
/// prowess_fs::update_file(&file, Duration::from_secs(5), increment)?;
/// assert_eq!(std::fs::read_to_string(&file)?, "2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn update_file<E>(
    path: &Path,
    timeout: Duration,
    edit: impl FnOnce(Option<String>) -> Result<Option<String>, E>,
) -> Result<FileUpdate, UpdateError<E>> {
    let target = target_of(path)?;
    let _lock = Lock::acquire(&target, timeout)?;
    let old = match read_file(&target, MAX_BYTES) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes);
            Some(text.map_err(|_| UpdateError::NotText { path: target.clone() })?)
        }
        Err(error) if error.is_missing() => None,
        Err(error) => return Err(error.into()),
    };
    match edit(old.clone()).map_err(UpdateError::Edit)? {
        Some(new) if old.as_ref() != Some(&new) => {
            write_atomic(&target, new.as_bytes(), Some(NEW_FILE_MODE))?;
            Ok(FileUpdate::Written)
        }
        _ => Ok(FileUpdate::Unchanged),
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
