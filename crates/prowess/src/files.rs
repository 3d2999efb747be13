//! The files of a skill, for those who get them from us and not from the disk.
//!
//! Invariant: a file is found by comparing its place with the listed ones, never by joining what somebody asks for to
//! a folder; links that leave the skill are not followed. The skill's own text is only given out as it was checked.

use std::path::PathBuf;

use prowess_fs::{EntryKind, FinalLink, ListedEntry};
use prowess_types::{ContentHash, Layout, Tier};
use sha2::{Digest as _, Sha256};

use crate::inventory::Entry;

/// The place of every skill's own text, whatever its file is called on disk.
pub const SKILL_FILE: &str = "SKILL.md";
/// Entries of one skill that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// Folders within folders that are looked at.
const MAX_DEPTH: usize = 32;
/// Size of a file that is given out.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFile {
    /// Its place in the skill, with `/` between the parts.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    file: PathBuf,
}

/// A file of a skill, with what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContents {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Their SHA-256.
    pub digest: ContentHash,
}

/// Why a file of a skill cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkillFileError {
    /// The skill has no such file.
    #[error("the skill `{skill}` has no file `{}`", path.escape_debug())]
    Unknown {
        /// The skill.
        skill: String,
        /// What was asked for.
        path: String,
    },
    /// It cannot be read.
    #[error("cannot read a file of the skill `{skill}`")]
    Read {
        /// The skill.
        skill: String,
        /// Why.
        #[source]
        source: prowess_fs::ReadError,
    },
    /// Its text is not the one that was checked.
    #[error("the skill `{0}` changed after it was checked; ask again")]
    Changed(String),
}

impl Entry {
    /// Every file that belongs to the skill, its own text first, the others by their places. What leads out of the
    /// skill, is no file, or is too large does not belong to it.
    pub fn files(&self) -> Vec<SkillFile> {
        let origin = &self.origin;
        let main = SkillFile { path: SKILL_FILE.to_owned(), size: 0, file: origin.real_file.clone() };
        let size = prowess_fs::stamp(&main.file).ok().flatten().map_or(0, |stamp| stamp.size);
        let mut files = vec![SkillFile { size, ..main }];
        if self.skill.layout == Layout::LoneFile {
            return files;
        }
        let listing = prowess_fs::list_all(&origin.base, MAX_ENTRIES, MAX_DEPTH);
        let others =
            listing.entries.iter().filter(|entry| entry.path != origin.file && !is_gits(&entry.relative));
        files.extend(others.filter_map(|entry| {
            let (file, size) = belonging(entry, origin.tier == Tier::Bundled)?;
            (entry.relative != SKILL_FILE && file != origin.real_file).then(|| SkillFile {
                path: entry.relative.clone(),
                size,
                file,
            })
        }));
        files
    }

    /// The contents of one of its files, by its place.
    pub fn read_file(&self, path: &str) -> Result<FileContents, SkillFileError> {
        let skill = || self.skill.name.clone();
        let found = self.files().into_iter().find(|file| file.path == path);
        let found = found.ok_or_else(|| SkillFileError::Unknown { skill: skill(), path: path.to_owned() })?;
        self.contents(&found)
    }

    /// The contents of one of its files.
    pub fn contents(&self, file: &SkillFile) -> Result<FileContents, SkillFileError> {
        let skill = || self.skill.name.clone();
        let bytes = prowess_fs::read_stamped(&file.file, MAX_FILE_BYTES, FinalLink::Refuse)
            .map_err(|source| SkillFileError::Read { skill: skill(), source })?
            .bytes;
        let digest = ContentHash(Sha256::digest(&bytes).into());
        // What was gated, scanned and trusted is these bytes and no others.
        if file.path == SKILL_FILE && digest != self.skill.content_hash {
            return Err(SkillFileError::Changed(skill()));
        }
        Ok(FileContents { bytes, digest })
    }
}

/// The file behind an entry and its size, if it belongs to the skill.
fn belonging(entry: &ListedEntry, may_be_shared: bool) -> Option<(PathBuf, u64)> {
    if !entry.is_text_name {
        return None;
    }
    match entry.kind {
        EntryKind::File { size, is_shared } => {
            (size <= MAX_FILE_BYTES && (may_be_shared || !is_shared)).then(|| (entry.path.clone(), size))
        }
        EntryKind::LinkInside => {
            let target = prowess_fs::real(&entry.path)?;
            let stamp = prowess_fs::stamp(&target).ok().flatten()?;
            let is_file = !prowess_fs::is_folder(&target).unwrap_or(true);
            (is_file && stamp.size <= MAX_FILE_BYTES).then_some((target, stamp.size))
        }
        EntryKind::LinkOutside | EntryKind::LinkDangling | EntryKind::Special => None,
    }
}

fn is_gits(relative: &str) -> bool {
    relative == ".git" || relative.starts_with(".git/")
}
