//! The files of a skill, for clients that get them from us and not from the disk.
//!
//! Invariant: a file is found by comparing its place with the listed ones, never by joining a requested path to
//! a folder; links that leave the skill are not followed. The skill's own text is only given out as it was checked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_fs::{EntryKind, FinalLink, FolderListing, ListedEntry};
use prowess_types::{ContentHash, SkillLayout, Tier};
use sha2::{Digest as _, Sha256};

use crate::inventory::{Inventory, SkillEntry};

/// The place of every skill's own text, whatever its file is called on disk.
pub const SKILL_FILE: &str = "SKILL.md";
/// Entries of one skill that are looked at.
pub(crate) const MAX_ENTRIES: usize = 10_000;
/// Folders within folders that are looked at.
const MAX_DEPTH: usize = 32;
/// Size of a file that is given out or copied.
pub(crate) const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

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

/// The reason a file of a skill cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkillFileError {
    /// The skill has no such file.
    #[error("the skill `{skill}` has no file `{}`", path.escape_debug())]
    Unknown {
        /// The skill.
        skill: String,
        /// The requested path.
        path: String,
    },
    /// It cannot be read.
    #[error("cannot read a file of the skill `{skill}`")]
    Read {
        /// The skill.
        skill: String,
        /// The reason.
        #[source]
        source: prowess_fs::FileReadError,
    },
    /// Its text is not the one that was checked.
    #[error("the skill `{0}` changed after the check; try again")]
    Changed(String),
}

impl prowess_types::Classify for SkillFileError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Unknown { .. } => Is(ErrorKind::NotFound),
            Self::Read { .. } => Is(ErrorKind::Files),
            Self::Changed(_) => Is(ErrorKind::Stale),
        }
    }
}

impl SkillEntry {
    /// Everything in the skill's folder but git's own files; nothing if the skill is a lone file.
    pub(crate) fn listing(&self) -> FolderListing {
        if self.skill.layout == SkillLayout::LoneFile {
            return FolderListing::default();
        }
        let mut listing = prowess_fs::list_all(&self.origin.base, MAX_ENTRIES, MAX_DEPTH);
        listing.entries.retain(|entry| !entry.is_gits());
        listing
    }

    /// Every file that belongs to the skill, its own text first, the others by their places. What leads out of the
    /// skill, is not a file, or is too large does not belong to it.
    pub fn files(&self) -> Vec<SkillFile> {
        let origin = &self.origin;
        let size = |file: &Path| prowess_fs::stamp(file).ok().flatten().map(|stamp| stamp.size);
        let own = SkillFile {
            path: SKILL_FILE.to_owned(),
            size: match self.kept_text() {
                Some(kept) => kept.len() as u64,
                None => size(&origin.real_file).unwrap_or_default(),
            },
            file: origin.real_file.clone(),
        };
        let others = self.listing().entries.into_iter().filter(|entry| entry.path != origin.file);
        let others = others.filter_map(|entry| {
            let file = file_behind(&entry, origin.tier == Tier::Bundled).ok()?;
            let size = size(&file).filter(|size| *size <= MAX_FILE_BYTES)?;
            let is_other = entry.relative != SKILL_FILE && file != origin.real_file;
            is_other.then_some(SkillFile { path: entry.relative, size, file })
        });
        std::iter::once(own).chain(others).collect()
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
        self.read(&file.file, file.path == SKILL_FILE)
    }

    /// Its own text as it was checked, if that is kept in memory.
    pub fn kept_text(&self) -> Option<Arc<[u8]>> {
        self.texts.as_ref()?.get(&self.skill.content_hash)
    }

    fn read(&self, file: &Path, is_own: bool) -> Result<FileContents, SkillFileError> {
        if let Some(kept) = self.kept_text().filter(|_| is_own) {
            return Ok(FileContents { bytes: kept.to_vec(), digest: self.skill.content_hash });
        }
        let skill = || self.skill.name.clone();
        let bytes = prowess_fs::read_stamped(file, MAX_FILE_BYTES, FinalLink::Refuse)
            .map_err(|source| SkillFileError::Read { skill: skill(), source })?
            .bytes;
        let digest = ContentHash(Sha256::digest(&bytes).into());
        // These bytes and no others were gated, scanned and trusted.
        if is_own && digest != self.skill.content_hash {
            return Err(SkillFileError::Changed(skill()));
        }
        Ok(FileContents { bytes, digest })
    }
}

impl Inventory {
    /// The text of a skill below its frontmatter, as it was checked.
    pub fn body_of(&self, entry: &SkillEntry) -> Result<String, SkillFileError> {
        Ok(self.numbered_body_of(entry)?.1)
    }

    /// The text of a skill below its frontmatter, as it was checked, with the number of its first line in the file.
    pub(crate) fn numbered_body_of(&self, entry: &SkillEntry) -> Result<(usize, String), SkillFileError> {
        let bytes = entry.read(&entry.origin.real_file, true)?.bytes;
        let text = prowess_skill::decode(&bytes, self.settings.dialect).text;
        let (head, body) = text.split_at_checked(entry.skill.body_start).unwrap_or((&text, ""));
        Ok((head.matches('\n').count() + 1, body.to_owned()))
    }
}

/// The file whose content an entry stands for, or why there is none that belongs to the skill. A link inside the skill
/// stands for what it leads to.
pub(crate) fn file_behind(entry: &ListedEntry, may_be_shared: bool) -> Result<PathBuf, &'static str> {
    if !entry.is_text_name {
        return Err("its name is not text");
    }
    match entry.kind {
        EntryKind::File { size, .. } if size > MAX_FILE_BYTES => Err("it is too large"),
        EntryKind::File { is_shared: true, .. } if !may_be_shared => {
            Err("it has more than one hard link, so another user may own it")
        }
        EntryKind::File { .. } => Ok(entry.path.clone()),
        EntryKind::LinkInside => match prowess_fs::real(&entry.path) {
            Some(target) if !prowess_fs::is_folder(&target).unwrap_or(true) => Ok(target),
            _ => Err("it is a link to a folder"),
        },
        EntryKind::LinkOutside => Err("it is a link that leaves the skill"),
        EntryKind::LinkDangling => Err("it is a link to nothing"),
        EntryKind::Special => Err("it is neither a file nor a folder"),
    }
}
