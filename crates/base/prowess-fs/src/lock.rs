//! One writer at a time, across threads and processes.
//!
//! The lock is the operating system's: it ends with the process that holds it, however that ends. The file
//! beside the data is only what is locked; it is never deleted, because another process may be waiting on
//! it, and finding it means nothing.

use std::fs::{self, File, TryLockError};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::{FinalLink, platform, read_stamped};

const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
const MAX_PID_BYTES: u64 = 32;

/// The right to change a file. It ends when this is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

/// The reason a lock was not obtained.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// Somebody else holds it for longer than one wanted to wait.
    #[error("`{}` is locked by {} (waited {} ms)", path.display(), holder(*pid), waited.as_millis())]
    Busy {
        /// The lock file.
        path: PathBuf,
        /// Who holds it, if they said so.
        pid: Option<u32>,
        /// For how long one waited.
        waited: Duration,
    },
    /// The system refused.
    #[error("cannot lock `{}`", path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl prowess_types::Classify for LockError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Busy { .. } => Is(ErrorKind::Busy),
            Self::Io { .. } => Is(ErrorKind::Files),
        }
    }
}

fn holder(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}

impl Lock {
    /// Locks `<path>.lock`, waiting at most `timeout`. Creates the folder if it is missing.
    pub fn acquire(path: &Path, timeout: Duration) -> Result<Self, LockError> {
        let mut name = path.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        let failed = |source| LockError::Io { path: path.clone(), source };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let file = platform::open_private(&path).map_err(failed)?;
        let start = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(source)) => return Err(failed(source)),
                Err(TryLockError::WouldBlock) => {}
            }
            let waited = start.elapsed();
            let Some(left) = timeout.checked_sub(waited).filter(|left| !left.is_zero()) else {
                let pid = read_pid(&path);
                return Err(LockError::Busy { path, pid, waited });
            };
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        let mut lock = Self { file, path };
        lock.sign();
        Ok(lock)
    }

    /// The lock file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tells those who wait whom they wait for. The lock holds even if this fails.
    fn sign(&mut self) {
        let _ = self
            .file
            .set_len(0)
            .and_then(|()| self.file.rewind())
            .and_then(|()| writeln!(self.file, "{}", std::process::id()));
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Otherwise the next holder could be mistaken for this process until it has signed.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

/// Who signed a lock file.
pub(crate) fn read_pid(path: &Path) -> Option<u32> {
    let bytes = read_stamped(path, MAX_PID_BYTES, FinalLink::Refuse).ok()?.bytes;
    str::from_utf8(&bytes).ok()?.trim().parse().ok()
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
