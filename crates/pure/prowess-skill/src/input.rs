//! The input of the parser.

use prowess_types::{ContentHash, SkillLayout};
use sha2::{Digest as _, Sha256};

/// A file to parse.
#[derive(Clone, Copy, Debug)]
pub struct SkillInput<'a> {
    /// Its content.
    pub bytes: &'a [u8],
    /// Name of its folder, or of the file without `.md` if it stands alone.
    pub id: &'a str,
    /// How it lies on disk.
    pub layout: SkillLayout,
}

impl<'a> SkillInput<'a> {
    /// A `SKILL.md` in a folder.
    pub const fn folder(bytes: &'a [u8], folder: &'a str) -> Self {
        Self { bytes, id: folder, layout: SkillLayout::Folder }
    }

    /// A lone Markdown file; `stem` is its name without `.md`.
    pub const fn lone_file(bytes: &'a [u8], stem: &'a str) -> Self {
        Self { bytes, id: stem, layout: SkillLayout::LoneFile }
    }
}

pub(crate) fn content_hash(bytes: &[u8]) -> ContentHash {
    ContentHash(Sha256::digest(bytes).into())
}
