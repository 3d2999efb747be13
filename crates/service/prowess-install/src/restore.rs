//! A skill that comes back from the trash: its folder, its entry in the lock and its place in the trash in one step.

use std::path::{Path, PathBuf};

use crate::disk::{self, exists};
use crate::journal::{Change, Journal, Recovered, Side, settle};
use crate::swap::move_away;
use crate::tree::DiskTree;
use crate::writer::Writer;
use crate::{Error, Folder, Home};

/// A folder to be brought back.
#[derive(Clone, Copy, Debug)]
pub struct RestoreWish<'a> {
    /// The place where it belongs.
    pub folder: &'a Folder,
    /// Its name in the trash.
    pub id: &'a Folder,
    /// True if what has its place goes to the trash.
    pub replaces: bool,
    /// The new text of the other tool's lock file.
    pub mirror: Option<&'a str>,
    /// The time, in milliseconds since 1970.
    pub now: u64,
}

/// A folder that was brought back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoredFolder {
    /// Its location.
    pub path: PathBuf,
    /// True if the lock knows it.
    pub is_listed: bool,
    /// The name in the trash of what had its place.
    pub replaced: Option<Folder>,
}

impl Writer {
    /// Brings a folder back from the trash. `put` moves the whole folder from the trash to its place, or leaves it.
    pub fn restore<T, E>(
        &self,
        wish: &RestoreWish<'_>,
        put: impl FnOnce(&Path) -> Result<T, E>,
    ) -> Result<RestoredFolder, Error>
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let home = &self.home;
        home.check_way(wish.folder)?;
        let path = home.target(wish.folder);
        let mut lock = self.lock()?;
        let is_taken = exists(&path)?;
        if is_taken && !wish.replaces {
            return Err(Error::NotOurs { path });
        }
        let replaced = if is_taken { Some(self.backup_name(wish.folder, wish.now)?) } else { None };
        // Of a folder that the lock does not remember it goes on saying what it says: that folder is an edit of it.
        let before = lock.skills.remove(wish.folder);
        let after = lock.removed.remove(wish.folder).or_else(|| before.clone());
        let is_listed = after.is_some();
        let change = Change::Restore { id: wish.id.clone(), replaced: replaced.clone(), at: wish.now };
        let journal = self.journal(wish.folder, change, before, after, wish.mirror)?;
        journal.begin(home)?;
        let moved = journal.make_room(home).and_then(|()| {
            put(&path).map_err(|source| Error::Restore { folder: wish.folder.clone(), source: source.into() })
        });
        let moved = moved.and_then(|_| {
            if is_done(home, wish.folder, wish.id)? {
                return journal.sync_names(home);
            }
            let source = "its folder is still in the trash".into();
            Err(Error::Restore { folder: wish.folder.clone(), source })
        });
        if let Err(error) = moved {
            // It may be back all the same.
            return match settle(home)? {
                Some(Recovered::Restored { .. }) => Ok(RestoredFolder { path, is_listed, replaced }),
                _ => Err(error),
            };
        }
        journal.record(home, Side::After)?;
        journal.end(home);
        Ok(RestoredFolder { path, is_listed, replaced })
    }
}

impl Journal {
    /// Moves what has the place of the folder to the trash.
    fn make_room(&self, home: &Home) -> Result<(), Error> {
        let Change::Restore { replaced: Some(replaced), at, .. } = &self.change else { return Ok(()) };
        self.back_up(home, &home.target(&self.folder), replaced, *at)?;
        self.sync_names(home)
    }
}

/// Whether the folder is back. A move between disks has a moment with two equal copies, which counts as back.
pub(crate) fn is_done(home: &Home, folder: &Folder, id: &Folder) -> Result<bool, Error> {
    let (target, kept) = (home.target(folder), home.trash.join(id.as_str()));
    if !exists(&target)? {
        return Ok(false);
    }
    if !exists(&kept)? {
        return Ok(true);
    }
    let digest = |path: &Path| DiskTree::scan(path).map(|tree| tree.map(|tree| tree.digest()));
    Ok(digest(&target)? == digest(&kept)?)
}

/// Puts what had to make room back in its place, as far as it is free.
pub(crate) fn put_back(journal: &Journal, home: &Home, replaced: &Folder) -> Result<(), Error> {
    let (target, kept) = (home.target(&journal.folder), home.trash.join(replaced.as_str()));
    if exists(&kept)? && !exists(&target)? {
        move_away(&kept, &target, &home.trash.join(format!(".removed-{replaced}")))?;
        journal.sync_names(home)?;
    }
    if !exists(&kept)? {
        forget(home, replaced)?;
    }
    Ok(())
}

/// Removes what the trash still has of a folder that is elsewhere: a second copy, and the note.
pub(crate) fn forget(home: &Home, id: &Folder) -> Result<(), Error> {
    disk::remove(&home.trash.join(format!(".removed-{id}")))?;
    disk::remove(&home.trash.join(id.as_str()))?;
    disk::remove(&home.trash.join(format!("{id}.json")))?;
    if exists(&home.trash)? { disk::sync_folder(&home.trash) } else { Ok(()) }
}

#[cfg(test)]
#[path = "restore_tests.rs"]
mod tests;
