//! Putting a skill where none was, or where another one must give way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use prowess_types::{Bundle, BundleFile};

use crate::drift::Drift;
use crate::journal::Ended;
use crate::lock::{LockEntry, LockedFile, Provenance};
use crate::tree::DiskTree;
use crate::verify::{check_frozen, hash_of};
use crate::writer::{Wanted, Writer};
use crate::{Digest, FilePath, Folder, InstallError};

/// A skill on its way to the disk.
#[derive(Clone, Debug)]
pub struct Placement<'a> {
    /// The folder it shall be in.
    pub folder: Folder,
    /// Its files.
    pub bundle: &'a Bundle,
    /// Its source.
    pub provenance: Provenance,
    /// Files that a tool keeps in the folder for itself. They are not part of the skill and not hashed; where the
    /// skill has a file of that name, theirs wins. None leaves those that are there.
    pub notes: Vec<BundleFile>,
    /// The new text of the other tool's lock file (see [`Home::mirror`](crate::Home::mirror)).
    pub mirror: Option<String>,
    /// The time, in milliseconds since 1970.
    pub now: u64,
}

impl<'a> Placement<'a> {
    /// A skill without notes for other tools.
    pub fn new(folder: Folder, bundle: &'a Bundle, provenance: Provenance, now: u64) -> Self {
        Self { folder, bundle, provenance, notes: Vec::new(), mirror: None, now }
    }
}

/// What happens to a folder that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is installed.
    Refuse,
    /// It gives way; a copy is kept in the trash unless it is just what was installed.
    Replace,
    /// It stays if it is what the lock says. Whatever is installed must be just that, and the lock does not change.
    Frozen,
}

/// How a skill was placed.
#[derive(Debug)]
pub struct Placed {
    /// Its location.
    pub path: PathBuf,
    /// Its hash.
    pub hash: Digest,
    /// True if the folder was changed.
    pub is_changed: bool,
    /// The copy of the replaced folder.
    pub backup: Option<PathBuf>,
    /// The reason something is still to be tidied up, which the next command will try.
    pub leftover: Option<InstallError>,
}

impl Writer {
    /// Installs a skill.
    pub fn place(&self, placement: &Placement<'_>, existing: Existing) -> Result<Placed, InstallError> {
        let folder = &placement.folder;
        let checked = Checked::new(placement)?;
        let lock = self.lock()?;
        if existing == Existing::Frozen {
            check_frozen(&lock, folder, placement.bundle)?;
        }
        self.home.check_way(folder)?;
        let target = self.home.target(folder);
        let old = DiskTree::scan(&target)?;
        let before = lock.skills.get(folder).cloned();
        let drift = match (&before, &old) {
            (Some(entry), Some(tree)) => Some(Drift::between(entry, tree)),
            _ => None,
        };
        let is_edited = drift.as_ref().is_some_and(|drift| !drift.is_empty());
        let is_same = before.as_ref().is_some_and(|entry| entry.hash == checked.hash);
        if let Some(pin) = before.as_ref().filter(|_| !is_same).and_then(|entry| entry.pinned.as_ref()) {
            return Err(InstallError::Pinned { folder: folder.clone(), reason: pin.reason.clone() });
        }
        if existing != Existing::Replace {
            match (&before, drift) {
                (None, _) if old.is_some() => return Err(InstallError::NotOurs { path: target }),
                (Some(_), Some(drift)) if is_edited => {
                    return Err(InstallError::Edited {
                        folder: folder.clone(),
                        drift: Box::new(drift),
                        merge: None,
                    });
                }
                (Some(entry), Some(_)) if !is_same => {
                    let source_text = entry.provenance.source.clone();
                    return Err(InstallError::AlreadyInstalled { folder: folder.clone(), source_text });
                }
                _ => {}
            }
        }
        let after = match &before {
            Some(entry) if existing == Existing::Frozen => entry.clone(),
            before => checked.entry(placement, before.as_ref()),
        };
        let keeps_old = is_edited || before.is_none();
        let is_there = is_same && old.is_some() && !is_edited && placement.notes.is_empty();
        let ended = if is_there {
            self.record(folder, before, after, placement.mirror.as_deref())?
        } else {
            self.commit(Wanted {
                folder,
                files: with_notes(placement.bundle.files.clone(), &placement.notes),
                upstream: placement.bundle,
                before,
                after,
                old: old.as_ref(),
                keeps_old,
                mirror: placement.mirror.as_deref(),
                now: placement.now,
            })?
        };
        Ok(Placed::new(target, checked.hash, ended))
    }
}

impl Placed {
    pub(crate) fn new(path: PathBuf, hash: Digest, ended: Ended) -> Self {
        Self { path, hash, is_changed: ended.is_swapped, backup: ended.backup, leftover: ended.leftover }
    }
}

/// A bundle whose names were looked at.
pub(crate) struct Checked {
    pub(crate) hash: Digest,
    files: BTreeMap<FilePath, LockedFile>,
    notes: Vec<FilePath>,
}

impl Checked {
    pub(crate) fn new(placement: &Placement<'_>) -> Result<Self, InstallError> {
        if placement.bundle.files.is_empty() {
            return Err(InstallError::Empty { folder: placement.folder.clone() });
        }
        if let Some(path) = placement.bundle.git_repository() {
            return Err(InstallError::GitMetadata { folder: placement.folder.clone(), path });
        }
        let mut files = BTreeMap::new();
        for file in &placement.bundle.files {
            let path = FilePath::parse(&file.path)?;
            let locked = LockedFile::new(Digest::of(&file.bytes), file.executable);
            if files.insert(path.clone(), locked).is_some() {
                return Err(InstallError::Twice { path });
            }
        }
        let notes: Result<Vec<_>, _> =
            placement.notes.iter().map(|note| FilePath::parse(&note.path)).collect();
        let notes = notes?;
        let all: BTreeSet<&str> = files.keys().chain(&notes).map(FilePath::as_str).collect();
        let is_folder = |path: &FilePath| {
            let inside = format!("{path}/");
            all.range(inside.as_str()..).next().is_some_and(|next| next.starts_with(&inside))
        };
        if let Some(path) = files.keys().chain(&notes).find(|path| is_folder(path)) {
            return Err(InstallError::Twice { path: path.clone() });
        }
        Ok(Self { hash: hash_of(placement.bundle)?, files, notes })
    }

    /// What the lock shall say. What it said about the past of the skill stays.
    pub(crate) fn entry(&self, placement: &Placement<'_>, before: Option<&LockEntry>) -> LockEntry {
        let same_notes = before.filter(|_| self.notes.is_empty()).map(|entry| entry.notes.clone());
        let is_new = before.is_none_or(|entry| entry.hash != self.hash);
        LockEntry {
            provenance: placement.provenance.clone(),
            hash: self.hash.clone(),
            files: self.files.clone(),
            notes: same_notes.unwrap_or_else(|| self.notes.clone()),
            installed_at: before.map_or(placement.now, |entry| entry.installed_at),
            updated_at: before.and_then(|entry| if is_new { Some(placement.now) } else { entry.updated_at }),
            pinned: before.and_then(|entry| entry.pinned.clone()),
            unknown: before.map(|entry| entry.unknown.clone()).unwrap_or_default(),
        }
    }
}

/// The files of a folder: those of the skill, and those of tools in place of any with the same name.
pub(crate) fn with_notes(mut files: Vec<BundleFile>, notes: &[BundleFile]) -> Vec<BundleFile> {
    files.retain(|file| !notes.iter().any(|note| note.path == file.path));
    files.extend_from_slice(notes);
    files
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
