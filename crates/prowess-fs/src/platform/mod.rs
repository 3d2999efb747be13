//! The few questions that are asked of the operating system, in one shape for all of them.
//!
//! On Unix they are asked relative to an open folder, so that a skill costs one system call and a folder
//! that is renamed meanwhile is still the same folder. Elsewhere the standard library answers.

use std::ffi::OsString;
use std::io;

use crate::Stamp;

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
    /// Whether the folder has more entries than were asked for.
    pub(crate) truncated: bool,
}

/// What is known about a file without opening it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meta {
    pub(crate) kind: Kind,
    pub(crate) hard_links: u64,
    pub(crate) stamp: Stamp,
}

/// Whether the error means that there is nothing at the path.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
