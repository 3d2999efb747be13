//! Systems other than Unix: the standard library's answers.

use std::ffi::OsStr;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::{Entry, FinalLink, Kind, Listing, Meta, Stamp, is_missing};

/// A folder, by its path.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::read_dir(path)?;
        Ok(Self(path.to_owned()))
    }

    /// At most `max` entries.
    pub(crate) fn list(&mut self, max: usize) -> io::Result<Listing> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            if entries.len() == max {
                return Ok(Listing { entries, truncated: true });
            }
            entries.push(Entry { name: entry.file_name(), kind: kind_of(entry.file_type()?) });
        }
        Ok(Listing { entries, truncated: false })
    }

    /// Returns the entry at a path below this folder; the last component is not followed.
    pub(crate) fn child(&self, relative: impl AsRef<OsStr>) -> io::Result<Option<Meta>> {
        examine(&self.0.join(relative.as_ref()))
    }
}

/// Returns the entry at a path; the last component is not followed.
pub(crate) fn examine(path: &Path) -> io::Result<Option<Meta>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(meta(&metadata))),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the metadata of a path, with links followed.
pub(crate) fn follow(path: &Path) -> io::Result<Meta> {
    Ok(meta(&fs::metadata(path)?))
}

/// Returns the metadata of an open file.
pub(crate) fn meta_of(file: &File) -> io::Result<Meta> {
    Ok(meta(&file.metadata()?))
}

/// Opens a regular file for reading.
pub(crate) fn open_without_blocking(path: &Path, link: FinalLink) -> io::Result<File> {
    if link == FinalLink::Refuse && fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    File::open(path)
}

/// Opens for reading and writing, and creates it.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Returns true if there is a file; extensions decide what runs.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.exists()
}

/// Returns true if the error means that links lead in a circle.
pub(crate) fn is_link_loop(error: &io::Error) -> bool {
    const CANNOT_RESOLVE_FILENAME: i32 = 1921;
    error.raw_os_error() == Some(CANNOT_RESOLVE_FILENAME)
}

fn meta(metadata: &Metadata) -> Meta {
    let modified =
        metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let seconds = i64::try_from(modified.as_secs()).unwrap_or(i64::MAX);
    Meta {
        kind: kind_of(metadata.file_type()),
        hard_links: 1,
        stamp: Stamp {
            device: 0,
            inode: 0,
            size: metadata.len(),
            modified_secs: seconds,
            modified_nanos: modified.subsec_nanos(),
            changed_secs: seconds,
            changed_nanos: modified.subsec_nanos(),
        },
    }
}

fn kind_of(file_type: FileType) -> Kind {
    if file_type.is_symlink() {
        Kind::Link
    } else if file_type.is_dir() {
        Kind::Folder
    } else if file_type.is_file() {
        Kind::File
    } else {
        Kind::Other
    }
}
