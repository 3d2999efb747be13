//! Adding a line to a file that many processes add lines to.
//!
//! A line is written whole, under the file's lock, in one go. What a crash left of an earlier line becomes a line of
//! its own before the next one is added, so nothing that was written is ever lost or glued to something else.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::platform::{self, Kind};
use crate::{Lock, LockError};

/// What was found before the line was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The file was empty, or its last line was whole.
    Cleanly,
    /// The last line had no end, so somebody was interrupted while writing it. It is a line of its own now.
    AfterTornLine,
}

/// The reason a line was not added. The file has the lines it had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The text would be more than one line.
    #[error("a line for `{}` contains a line break", path.display())]
    NotOneLine {
        /// The file.
        path: PathBuf,
    },
    /// Another writer holds the lock.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A folder, a pipe or a device blocks the path.
    #[error("`{}` is not a regular file", path.display())]
    NotAFile {
        /// The entry that blocks the path.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl prowess_types::Classify for AppendError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Files)
    }
}

/// Adds a line to a file, waiting at most `timeout` for other writers.
///
/// The file and its folders are created if they are missing; a new file is the user's alone. The line is handed to
/// the system, not forced to disk: [`sync_file`] does that. The last component of the path must not be a link.
///
/// ```
/// use std::time::Duration;
/// use prowess_fs::{Appended, append_line};
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("log.jsonl");
/// append_line(&file, "{}", Duration::from_secs(5))?;
/// assert_eq!(append_line(&file, "[]", Duration::from_secs(5))?, Appended::Cleanly);
/// assert_eq!(std::fs::read_to_string(&file)?, "{}\n[]\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn append_line(path: &Path, line: &str, timeout: Duration) -> Result<Appended, AppendError> {
    if line.contains(['\n', '\r']) {
        return Err(AppendError::NotOneLine { path: path.to_owned() });
    }
    let failed = |source| AppendError::Io { path: path.to_owned(), source };
    let _lock = Lock::acquire(path, timeout)?;
    let mut file = platform::open_private(path).map_err(failed)?;
    let meta = platform::meta_of(&file).map_err(failed)?;
    if meta.kind != Kind::File {
        return Err(AppendError::NotAFile { path: path.to_owned() });
    }
    let length = meta.stamp.size;
    let appended = if ends_torn(&mut file, length).map_err(failed)? {
        Appended::AfterTornLine
    } else {
        Appended::Cleanly
    };
    let mut bytes = Vec::with_capacity(line.len() + 2);
    if appended == Appended::AfterTornLine {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    if let Err(source) = file.seek(SeekFrom::Start(length)).and_then(|_| file.write_all(&bytes)) {
        // A full disk may have taken a part of it; a line is there as a whole or not at all.
        let _ = file.set_len(length);
        return Err(failed(source));
    }
    Ok(appended)
}

/// Forces what was written to a file to disk, so that it survives a power cut.
pub fn sync_file(path: &Path) -> Result<(), AppendError> {
    let failed = |source| AppendError::Io { path: path.to_owned(), source };
    let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
    file.sync_all().map_err(failed)
}

fn ends_torn(file: &mut File, length: u64) -> io::Result<bool> {
    let Some(last) = length.checked_sub(1) else {
        return Ok(false);
    };
    let mut byte = [0];
    file.seek(SeekFrom::Start(last))?;
    file.read_exact(&mut byte)?;
    Ok(byte != *b"\n")
}

#[cfg(test)]
#[path = "append_tests.rs"]
mod tests;
