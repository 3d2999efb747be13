//! The few questions that are asked of the operating system, in one shape for all of them.
//!
//! On Unix they are asked relative to an open folder, so that a skill costs one system call and a folder
//! that is renamed meanwhile is still the same folder. Elsewhere the standard library answers.

use std::ffi::OsString;
use std::io;

use serde::{Deserialize, Serialize};

#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use portable::{
    Folder, examine, follow, is_executable, is_link_loop, meta_of, open_private, open_without_blocking,
};
#[cfg(unix)]
pub(crate) use unix::{
    Folder, examine, follow, is_executable, is_link_loop, meta_of, open_private, open_without_blocking,
};

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    Other,
}

/// One entry of a folder; links are not followed.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: OsString,
    pub(crate) kind: Kind,
}

/// The entries of a folder, in the order in which the file system gives them.
pub(crate) struct Listing {
    pub(crate) entries: Vec<Entry>,
    /// True if the folder has more entries than were asked for.
    pub(crate) truncated: bool,
}

/// The metadata of a file, read without opening it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meta {
    pub(crate) kind: Kind,
    pub(crate) hard_links: u64,
    pub(crate) stamp: Stamp,
}

/// Returns true if the error means that there is nothing at the path.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The identity of one state of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// The file system.
    pub device: u64,
    /// The file on it.
    pub inode: u64,
    /// Its length in bytes.
    pub size: u64,
    /// When its content last changed, in seconds since 1970.
    pub modified_secs: i64,
    /// The fraction of [`Self::modified_secs`].
    pub modified_nanos: u32,
    /// When its content or its metadata last changed, in seconds since 1970.
    pub changed_secs: i64,
    /// The fraction of [`Self::changed_secs`].
    pub changed_nanos: u32,
}

/// What to do when the last component of a path is a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalLink {
    /// Read what it points to.
    Follow,
    /// Report [`FileReadError::Link`].
    Refuse,
}
