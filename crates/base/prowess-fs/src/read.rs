//! Reading a file that somebody else may have put there.
//!
//! The bytes are bounded even if the file grows meanwhile, a pipe or a device is refused without waiting,
//! and the stamp comes from the same open file as the bytes: it is never newer than they are.

use std::fs;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use crate::platform::{self, FinalLink, Kind, Stamp};

const MAX_PREALLOCATION: u64 = 1 << 20;

/// Bytes, and the state of the file they came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Taken from the open file before it was read.
    pub stamp: Stamp,
}

/// The reason a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileReadError {
    /// It is larger than allowed.
    #[error("`{}` has {size} bytes, more than {max}", path.display())]
    Oversize {
        /// The file.
        path: PathBuf,
        /// How large it is, as far as is known.
        size: u64,
        /// The maximum size.
        max: u64,
    },
    /// It is a folder, a pipe, a socket or a device.
    #[error("`{}` is not a regular file", path.display())]
    NotAFile {
        /// What was to be read.
        path: PathBuf,
    },
    /// It is a link, and links were refused.
    #[error("`{}` is a link", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot read `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl prowess_types::Classify for FileReadError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Files)
    }
}

impl FileReadError {
    /// Returns true if there is simply no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io { source, .. } if platform::is_missing(source))
    }
}

/// The whole file, if it has at most `max_bytes`. Links are followed.
pub fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, FileReadError> {
    read_stamped(path, max_bytes, FinalLink::Follow).map(|contents| contents.bytes)
}

/// The last bytes of a file, at most `max_bytes`. A link in the last place of the path is refused.
pub fn read_tail(path: &Path, max_bytes: u64) -> Result<Vec<u8>, FileReadError> {
    let failed = |source| FileReadError::Io { path: path.to_owned(), source };
    let link = FinalLink::Refuse;
    let mut file = platform::open_without_blocking(path, link)
        .map_err(|source| refine_open_error(path, link, source))?;
    let meta = platform::meta_of(&file).map_err(failed)?;
    if meta.kind != Kind::File {
        return Err(FileReadError::NotAFile { path: path.to_owned() });
    }
    file.seek(io::SeekFrom::Start(meta.stamp.size.saturating_sub(max_bytes))).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(max_bytes).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The whole file with its stamp, if it has at most `max_bytes`.
pub fn read_stamped(path: &Path, max_bytes: u64, link: FinalLink) -> Result<Contents, FileReadError> {
    let failed = |source| FileReadError::Io { path: path.to_owned(), source };
    let file = platform::open_without_blocking(path, link)
        .map_err(|source| refine_open_error(path, link, source))?;
    let meta = platform::meta_of(&file).map_err(failed)?;
    if meta.kind != Kind::File {
        return Err(FileReadError::NotAFile { path: path.to_owned() });
    }
    let oversize = |size| FileReadError::Oversize { path: path.to_owned(), size, max: max_bytes };
    if meta.stamp.size > max_bytes {
        return Err(oversize(meta.stamp.size));
    }
    // A sparse file may claim any size, so only small claims are believed in advance.
    let expected = meta.stamp.size.min(MAX_PREALLOCATION);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default() + 1);
    // One byte more than allowed tells a file that grew from one that fits exactly.
    let mut bounded = file.take(max_bytes.saturating_add(1));
    bounded.read_to_end(&mut bytes).map_err(failed)?;
    let size = bytes.len() as u64;
    if size > max_bytes {
        return Err(oversize(size));
    }
    Ok(Contents { bytes, stamp: meta.stamp })
}

/// A socket cannot be opened at all and a refused link fails with an unrelated code: say what they are.
fn refine_open_error(path: &Path, link: FinalLink, source: io::Error) -> FileReadError {
    let path = path.to_owned();
    if link == FinalLink::Refuse && fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink()) {
        FileReadError::Link { path }
    } else if platform::follow(&path).is_ok_and(|meta| meta.kind != Kind::File) {
        FileReadError::NotAFile { path }
    } else {
        FileReadError::Io { path, source }
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
