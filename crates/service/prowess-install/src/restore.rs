//! A skill that comes back from the trash: its folder, its entry in the lock and its place in the trash in one step.

use std::path::{Path, PathBuf};

use crate::disk::exists;
use crate::journal::{Change, Journal, Recovered, settle};
use crate::side::Side;
use crate::swap::sync_names;
use crate::trash::is_back;
use crate::writer::Writer;
use crate::{Folder, Home, InstallError};

/// A folder to be brought back.
#[derive(Clone, Copy, Debug)]
pub struct RestoreWish<'a> {
    /// The folder that it is restored to.
    pub folder: &'a Folder,
    /// Its name in the trash.
    pub id: &'a Folder,
    /// True if a skill in its place goes to the trash.
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
    /// True if the lock lists it.
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
    ) -> Result<RestoredFolder, InstallError>
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let home = &self.home;
        home.check_way(wish.folder)?;
        let path = home.target(wish.folder);
        let mut lock = self.lock()?;
        let is_taken = exists(&path)?;
        if is_taken && !wish.replaces {
            return Err(InstallError::NotOurs { path });
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
            put(&path).map_err(|source| InstallError::Restore {
                folder: wish.folder.clone(),
                source: source.into(),
            })
        });
        let moved = moved.and_then(|_| {
            if is_back(home, wish.folder, wish.id)? {
                return sync_names(home, wish.folder);
            }
            let source = "its folder is still in the trash".into();
            Err(InstallError::Restore { folder: wish.folder.clone(), source })
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
    fn make_room(&self, home: &Home) -> Result<(), InstallError> {
        let Change::Restore { replaced: Some(replaced), at, .. } = &self.change else { return Ok(()) };
        self.back_up(home, &home.target(&self.folder), replaced, *at)?;
        sync_names(home, &self.folder)
    }
}

#[cfg(test)]
#[path = "restore_tests.rs"]
mod tests;
