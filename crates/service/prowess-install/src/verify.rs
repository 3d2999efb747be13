//! Whether the disk is what the lock says, file by file.

use std::path::PathBuf;

use prowess_types::Bundle;

use crate::drift::Drift;
use crate::journal::is_pending;
use crate::lock::{LockEntry, LockFile};
use crate::tree::{DiskTree, folder_files};
use crate::{Digest, Folder, Home, InstallError, base};

impl Drift {
    pub(crate) fn between(entry: &LockEntry, tree: &DiskTree) -> Self {
        let mut drift = Self::default();
        let is_note = |path| entry.notes.contains(path);
        for (path, locked) in entry.files.iter().filter(|(path, _)| !is_note(path)) {
            let list = match tree.files.get(path) {
                None if tree.odd.contains_key(path.as_str()) => continue,
                None => &mut drift.missing,
                Some(found) if found.sha256 != locked.sha256 => &mut drift.changed,
                Some(found) if cfg!(unix) && found.executable != locked.executable => &mut drift.mode,
                Some(_) => continue,
            };
            list.push(path.to_string());
        }
        let extra = tree.files.keys().filter(|path| !entry.files.contains_key(path) && !is_note(path));
        drift.extra = extra.map(ToString::to_string).collect();
        drift.odd = tree.odd.iter().map(|(path, what)| (path.clone(), (*what).to_owned())).collect();
        drift
    }
}

/// An installed skill, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Installed {
    /// Its folder.
    pub folder: Folder,
    /// Its path.
    pub path: PathBuf,
    /// What the lock says.
    pub entry: LockEntry,
    /// What the disk says.
    pub state: VerifyState,
    /// True if local edits can be told from what came: all stored copies are there.
    pub has_base: bool,
}

/// The state of an installed skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyState {
    /// The disk is what the lock says.
    Clean,
    /// It was edited.
    Edited(Drift),
    /// Its folder is gone.
    Gone,
    /// Its folder is a link or a file now.
    Replaced,
}

impl VerifyState {
    /// Returns true if the disk is what the lock says.
    pub fn is_clean(&self) -> bool {
        *self == Self::Clean
    }
}

impl Installed {
    /// Looks at one skill of the lock.
    pub fn of(home: &Home, folder: &Folder, entry: &LockEntry) -> Result<Self, InstallError> {
        let path = home.target(folder);
        let state = match home.check_way(folder).and_then(|()| DiskTree::scan(&path)) {
            Ok(None) => VerifyState::Gone,
            Ok(Some(tree)) => match Drift::between(entry, &tree) {
                drift if drift.is_empty() => VerifyState::Clean,
                drift => VerifyState::Edited(drift),
            },
            Err(InstallError::InTheWay { .. }) => VerifyState::Replaced,
            Err(error) => return Err(error),
        };
        let has_base = base::restore(home, entry).files.len() == entry.files.len();
        Ok(Self { folder: folder.clone(), path, entry: entry.clone(), state, has_base })
    }
}

/// Every installed skill. Call [`recover`](crate::recover) first: a change that was interrupted looks like an edit.
pub fn status(home: &Home) -> Result<Vec<Installed>, InstallError> {
    let lock = LockFile::read(home)?;
    lock.skills.iter().map(|(folder, entry)| Installed::of(home, folder, entry)).collect()
}

/// Returns true if a change was interrupted, or is being made right now.
pub fn is_interrupted(home: &Home) -> bool {
    is_pending(home)
}

/// Folders with a `SKILL.md` that the lock does not know, sorted.
pub fn unlisted(home: &Home) -> Result<Vec<Folder>, InstallError> {
    let lock = LockFile::read(home)?;
    let mut found = Vec::new();
    for path in prowess_fs::subfolders(&home.skills) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if name.starts_with('@') && !path.join("SKILL.md").is_file() {
            let inner = prowess_fs::subfolders(&path);
            let names = inner.iter().filter_map(|path| path.file_name()?.to_str().map(|last| (path, last)));
            let folders = names.map(|(path, last)| (path.clone(), format!("{name}/{last}")));
            found.extend(folders);
        } else {
            found.push((path.clone(), name.to_owned()));
        }
    }
    let skills = found.into_iter().filter(|(path, _)| path.join("SKILL.md").is_file());
    let folders = skills.filter_map(|(_, name)| Folder::parse(&name).ok());
    Ok(folders.filter(|folder| !lock.skills.contains_key(folder)).collect())
}

/// Passes if the bundle is exactly what the lock names for the folder.
pub(crate) fn check_frozen(lock: &LockFile, folder: &Folder, bundle: &Bundle) -> Result<(), InstallError> {
    let found = prowess_fs::tree_hash(bundle);
    let locked = lock.skills.get(folder).map(|entry| entry.hash.as_str());
    if locked == Some(&found) {
        return Ok(());
    }
    let locked = locked.unwrap_or("nothing").to_owned();
    Err(InstallError::Frozen { folder: folder.clone(), locked, found })
}

/// The files of an installed skill as they are on the disk, without the notes of tools.
pub fn local_files(home: &Home, folder: &Folder) -> Result<Bundle, InstallError> {
    let lock = LockFile::read(home)?;
    let entry =
        lock.skills.get(folder).ok_or_else(|| InstallError::NotInstalled { folder: folder.clone() })?;
    home.check_way(folder)?;
    let mut bundle = folder_files(&home.target(folder))?
        .map_err(|reason| InstallError::Unmergeable { folder: folder.clone(), reason })?;
    bundle.files.retain(|file| !entry.notes.iter().any(|note| note.as_str() == file.path));
    Ok(bundle)
}

/// The files of an installed skill as they came; those whose stored copy is lost are left out.
pub fn original_files(home: &Home, folder: &Folder) -> Result<Bundle, InstallError> {
    let lock = LockFile::read(home)?;
    let entry =
        lock.skills.get(folder).ok_or_else(|| InstallError::NotInstalled { folder: folder.clone() })?;
    Ok(base::restore(home, entry))
}

/// The hash of a bundle.
pub(crate) fn hash_of(bundle: &Bundle) -> Result<Digest, InstallError> {
    Ok(Digest::parse(&prowess_fs::tree_hash(bundle))?)
}

#[cfg(test)]
#[path = "verify_tests.rs"]
mod tests;
