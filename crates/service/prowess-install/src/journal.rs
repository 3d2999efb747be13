//! The note of a change under way, and what is made of it after a crash.
//!
//! It is written once everything new is on the disk and before any name changes. From then on the disk itself says how
//! far the change came: the new folder carries a mark, and as long as that is where it was staged, the old state holds;
//! once it has gone from there, the new one does. Finishing and going back can both be interrupted and begun again.
//!
//! A journal may come with a cloned repository: it names no path outside of its home.

use std::path::{Path, PathBuf};

use prowess_fs::ConditionKind;
use serde::{Deserialize, Serialize};

use crate::companion::CompanionFile;
use crate::disk::{self, sync_folder};
use crate::home::damaged_name;
use crate::lock::{LockEntry, LockFile};
use crate::side::Side;
use crate::swap::{Exchange, exchange, move_away, rename, sync_names};
use crate::trash;
use crate::tree::DiskTree;
use crate::{Digest, Folder, Home, InstallError, failed};

const MAX_BYTES: u64 = 64 << 20;

/// A change under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Journal {
    pub(crate) folder: Folder,
    pub(crate) change: Change,
    /// What the lock said about the skill.
    pub(crate) before: Option<LockEntry>,
    /// What the lock shall say.
    pub(crate) after: Option<LockEntry>,
    pub(crate) mirror: Option<Mirrored>,
    /// Files elsewhere that change along, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) companions: Vec<CompanionFile>,
}

/// What happens to the folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub(crate) enum Change {
    /// The staged folder takes the name.
    #[serde(rename_all = "camelCase")]
    Swap {
        /// What had the name before.
        old: Option<Digest>,
        /// True if that is kept in the trash.
        keeps_old: bool,
        /// What it is called there.
        backup: Folder,
        /// When, in milliseconds since 1970.
        at: u64,
        /// True if nothing takes the name: the old folder goes, and none comes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        withdraws: bool,
    },
    /// The folder is right already; only the lock changes.
    Record,
    /// The caller takes the folder away.
    Remove,
    /// A folder comes back from the trash.
    #[serde(rename_all = "camelCase")]
    Restore {
        /// Its name in the trash.
        id: Folder,
        /// The name in the trash that what has its place now gets; none if nothing has.
        replaced: Option<Folder>,
        /// When, in milliseconds since 1970.
        at: u64,
    },
}

/// The texts of the other tool's lock file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mirrored {
    pub(crate) before: Option<String>,
    pub(crate) after: String,
}

/// What is left of a change that was made.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// True if the folder was replaced.
    pub(crate) is_swapped: bool,
    /// The copy of the old folder.
    pub(crate) backup: Option<PathBuf>,
    /// The reason something is still to be tidied up, which the next command will try.
    pub(crate) leftover: Option<InstallError>,
}

/// How an interrupted change ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// The new state holds.
    Finished(Folder),
    /// A folder is back from the trash, where it had this name.
    Restored {
        /// The folder.
        folder: Folder,
        /// Its name in the trash.
        id: Folder,
    },
    /// The old state holds.
    Undone(Folder),
    /// The note was damaged; it and what was staged were kept under these names.
    Kept(Vec<PathBuf>),
}

impl Journal {
    /// Writes the note: from here on a crash is recovered from.
    pub(crate) fn begin(&self, home: &Home) -> Result<(), InstallError> {
        let text =
            serde_json::to_vec(self).map_err(|error| failed("write", &home.journal())(error.into()))?;
        Ok(prowess_fs::write_atomic(&home.journal(), &text, Some(0o600))?)
    }

    /// Makes the change. On an error the old state holds, or will after the next [`settle`].
    pub(crate) fn run(&self, home: &Home) -> Result<Ended, InstallError> {
        let changed = self.swap(home).and_then(|()| self.record(home, Side::After));
        if let Err(error) = changed {
            // What cannot be undone now is settled by the next command.
            let _ = self.undo(home);
            return Err(error);
        }
        Ok(self.end(home))
    }

    /// Goes back to the old state, however far the change came.
    fn undo(&self, home: &Home) -> Result<(), InstallError> {
        if matches!(self.change, Change::Record) {
            self.record(home, Side::Before)?;
            return clear(home);
        }
        self.swap_back(home)?;
        self.settle(home).map(drop)
    }

    /// Tidies up after a change that holds already.
    pub(crate) fn end(&self, home: &Home) -> Ended {
        let is_swapped = matches!(self.change, Change::Swap { .. });
        match self.tidy(home) {
            Ok(backup) => Ended { is_swapped, backup, leftover: None },
            Err(error) => Ended { is_swapped, backup: None, leftover: Some(error) },
        }
    }

    fn swap(&self, home: &Home) -> Result<(), InstallError> {
        let Change::Swap { old, withdraws, .. } = &self.change else { return Ok(()) };
        let (target, new) = (home.target(&self.folder), home.staged_new());
        disk::unmark(&target)?;
        if *withdraws {
            rename(&target, &home.staged_old())?;
        } else if old.is_none() {
            rename(&new, &target)?;
        } else if let Exchange::Unsupported = exchange(&new, &target)? {
            rename(&target, &home.staged_old())?;
            rename(&new, &target)?;
        }
        sync_names(home, &self.folder)
    }

    /// The opposite of [`swap`](Self::swap), however far that came.
    fn swap_back(&self, home: &Home) -> Result<(), InstallError> {
        let Change::Swap { old, withdraws, .. } = &self.change else { return Ok(()) };
        let (target, new) = (home.target(&self.folder), home.staged_new());
        if !self.is_done(home)? {
            return Ok(());
        }
        if *withdraws {
            rename(&home.staged_old(), &target)?;
        } else if old.is_none() || disk::exists(&home.staged_old())? {
            rename(&target, &new)?;
        } else {
            exchange(&new, &target)?;
        }
        sync_names(home, &self.folder)
    }

    /// Whether the folder is what it shall be.
    fn is_done(&self, home: &Home) -> Result<bool, InstallError> {
        match &self.change {
            Change::Record => Ok(true),
            Change::Remove => disk::exists(&home.target(&self.folder)).map(|is_there| !is_there),
            Change::Restore { id, .. } => trash::is_back(home, &self.folder, id),
            Change::Swap { withdraws: true, .. } => {
                disk::exists(&home.target(&self.folder)).map(|is_there| !is_there)
            }
            Change::Swap { .. } => disk::is_marked(&home.staged_new()).map(|is_waiting| !is_waiting),
        }
    }

    /// Brings the lock and the other tool's lock to one of their two states.
    pub(crate) fn record(&self, home: &Home, side: Side) -> Result<(), InstallError> {
        let (from, to) = match side {
            Side::Before => (&self.after, &self.before),
            Side::After => (&self.before, &self.after),
        };
        // A skill that the lock does not know stays unknown to it.
        if from.is_some() || to.is_some() {
            LockFile::change(home, |lock| {
                match to {
                    Some(entry) => _ = lock.skills.insert(self.folder.clone(), entry.clone()),
                    None => _ = lock.skills.remove(&self.folder),
                }
                let is_kept = match self.change {
                    Change::Remove => to.is_none(),
                    // What goes to the trash can come back, and what came from there may have to go back.
                    Change::Restore { .. } => from != to,
                    Change::Swap { .. } | Change::Record => false,
                };
                match from.as_ref().filter(|_| is_kept) {
                    Some(entry) => _ = lock.removed.insert(self.folder.clone(), entry.clone()),
                    None => _ = lock.removed.remove(&self.folder),
                }
            })?;
        }
        self.record_mirror(home, side)?;
        self.companions.iter().try_for_each(|companion| companion.settle(home, side))
    }

    fn record_mirror(&self, home: &Home, side: Side) -> Result<(), InstallError> {
        let (Some(path), Some(mirror)) = (&home.mirror, &self.mirror) else { return Ok(()) };
        match (side, &mirror.before) {
            (Side::After, _) => prowess_fs::write_atomic(path, mirror.after.as_bytes(), None)?,
            // What another tool wrote since then is not ours to take back.
            (Side::Before, _) if read_mirror(path)?.as_ref() != Some(&mirror.after) => {}
            (Side::Before, Some(text)) => prowess_fs::write_atomic(path, text.as_bytes(), None)?,
            (Side::Before, None) => disk::remove(path)?,
        }
        Ok(())
    }

    /// Finishes the change, or takes it back, whichever is nearer.
    fn settle(&self, home: &Home) -> Result<Recovered, InstallError> {
        if self.is_done(home)? {
            self.record(home, Side::After)?;
            self.tidy(home)?;
            return Ok(match &self.change {
                Change::Restore { id, .. } => {
                    Recovered::Restored { folder: self.folder.clone(), id: id.clone() }
                }
                _ => Recovered::Finished(self.folder.clone()),
            });
        }
        if let Change::Restore { replaced: Some(replaced), .. } = &self.change {
            trash::put_back(home, &self.folder, replaced)?;
        }
        let (target, old) = (home.target(&self.folder), home.staged_old());
        let is_aside = disk::exists(&old)?;
        if is_aside && !disk::exists(&target)? {
            rename(&old, &target)?;
            sync_names(home, &self.folder)?;
        } else if let Change::Swap { backup, at, .. } = &self.change
            && is_aside
        {
            // Somebody made a new folder meanwhile.
            self.back_up(home, &old, backup, *at)?;
        }
        self.record(home, Side::Before)?;
        clear(home)?;
        if let Some(owner) = self.folder.owner() {
            // Only an empty one goes, and it does not matter if it stays.
            prowess_fs::remove_empty_folder(&home.skills.join(owner));
        }
        Ok(Recovered::Undone(self.folder.clone()))
    }

    /// Where the old folder is now, after a swap.
    fn old_place(home: &Home) -> Result<Option<PathBuf>, InstallError> {
        for path in [home.staged_old(), home.staged_new()] {
            if disk::exists(&path)? {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Puts the old folder away, and forgets the change. An old folder that is not what it was when it was looked at
    /// is kept: somebody edited it meanwhile.
    fn tidy(&self, home: &Home) -> Result<Option<PathBuf>, InstallError> {
        let mut kept = None;
        if let Change::Swap { old, keeps_old, backup, at, .. } = &self.change {
            disk::unmark(&home.target(&self.folder))?;
            let place = home.trash.join(backup.as_str());
            if let Some(path) = Self::old_place(home)? {
                let is_edited = DiskTree::scan(&path)?.map(|tree| tree.digest()) != *old;
                if *keeps_old || is_edited {
                    self.back_up(home, &path, backup, *at)?;
                } else {
                    disk::remove(&home.staged_waste())?;
                    rename(&path, &home.staged_waste())?;
                }
            }
            kept = prowess_fs::is_taken(&place).then_some(place);
        }
        if let Change::Restore { id, replaced, .. } = &self.change {
            trash::forget(home, id)?;
            kept = replaced.as_ref().map(|replaced| home.trash.join(replaced.as_str()));
        }
        clear(home)?;
        Ok(kept)
    }

    /// Moves a folder to the trash, with a note of where it was, so that it can be put back.
    pub(crate) fn back_up(
        &self,
        home: &Home,
        path: &Path,
        backup: &Folder,
        at: u64,
    ) -> Result<(), InstallError> {
        let from = prowess_fs::absolute(&home.target(&self.folder));
        let note = serde_json::json!({ "from": from, "removedAt": at });
        let note_path = home.trash.join(format!("{backup}.json"));
        prowess_fs::write_atomic(&note_path, format!("{note:#}\n").as_bytes(), Some(0o600))?;
        disk::remove(&home.staged_waste())?;
        move_away(path, &home.trash.join(backup.as_str()), &home.staged_waste())
    }
}

/// Removes the note, then what was staged. While there is a note, a half removed staging folder would look as if it
/// had been swapped in; without one it is waste.
pub(crate) fn clear(home: &Home) -> Result<(), InstallError> {
    disk::remove(&home.journal())?;
    if disk::exists(&home.state)? {
        sync_folder(&home.state)?;
    }
    disk::remove(&home.staging())
}

/// Returns true if a change was interrupted, or is under way.
pub(crate) fn is_pending(home: &Home) -> bool {
    prowess_fs::is_taken(&home.journal()) || prowess_fs::is_taken(&home.staging())
}

/// Settles an interrupted change. The caller holds the lock of the home.
pub(crate) fn settle(home: &Home) -> Result<Option<Recovered>, InstallError> {
    if !is_pending(home) {
        return Ok(None);
    }
    let bytes = match prowess_fs::read_file(&home.journal(), MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() => {
            clear(home)?;
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    match serde_json::from_slice::<Journal>(&bytes) {
        Ok(journal)
            if !is_link(&home.staging())
                && journal.companions.iter().all(|companion| companion.is_known(home)) =>
        {
            home.check_way(&journal.folder)?;
            journal.settle(home).map(Some)
        }
        _ => keep(home).map(Some),
    }
}

/// The text of the other tool's lock file, if there is one.
pub(crate) fn read_mirror(path: &Path) -> Result<Option<String>, InstallError> {
    match prowess_fs::read_file(path, MAX_BYTES) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A link in place of the staging folder is somebody's trap.
fn is_link(path: &Path) -> bool {
    prowess_fs::condition(path)
        .is_ok_and(|found| found.is_some_and(|found| found.kind == ConditionKind::Link))
}

/// Nobody knows what was meant, so nothing is lost.
fn keep(home: &Home) -> Result<Recovered, InstallError> {
    let mut kept = Vec::new();
    for path in [home.staging(), home.journal()].into_iter().filter(|path| prowess_fs::is_taken(path)) {
        let aside = damaged_name(&path);
        prowess_fs::put_aside(&path, &aside).map_err(failed("put aside", &path))?;
        kept.push(aside);
    }
    Ok(Recovered::Kept(kept))
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
