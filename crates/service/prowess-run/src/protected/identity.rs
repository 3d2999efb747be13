//! What makes two paths the same file.

use std::fs::Metadata;
use std::path::Path;

/// The device and the inode of a file or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// The identity of what is at a path, a link not followed.
    pub(super) fn at(path: &Path) -> Option<Self> {
        Self::of(&std::fs::symlink_metadata(path).ok()?)
    }

    #[cfg(unix)]
    #[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Some(Self { device: metadata.dev(), inode: metadata.ino() })
    }

    /// Other systems tell it only for open handles, so paths decide there.
    #[cfg(not(unix))]
    pub(super) fn of(_metadata: &Metadata) -> Option<Self> {
        None
    }
}
