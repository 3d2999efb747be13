//! The input of the parser.

use prowess_types::{ContentHash, Layout};
use sha2::{Digest as _, Sha256};

/// A file to parse.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Its content.
    pub bytes: &'a [u8],
    /// Name of its folder, or of the file without `.md` if it stands alone.
    pub id: &'a str,
    /// How it lies on disk.
    pub layout: Layout,
}

impl<'a> Input<'a> {
    /// A `SKILL.md` in a folder.
    pub const fn folder(bytes: &'a [u8], folder: &'a str) -> Self {
        Self { bytes, id: folder, layout: Layout::Folder }
    }

    /// A lone Markdown file; `stem` is its name without `.md`.
    pub const fn lone_file(bytes: &'a [u8], stem: &'a str) -> Self {
        Self { bytes, id: stem, layout: Layout::LoneFile }
    }
}

pub(crate) fn content_hash(bytes: &[u8]) -> ContentHash {
    ContentHash(Sha256::digest(bytes).into())
}
