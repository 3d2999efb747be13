//! A skill's folder and files that belong to it, changed in one step.

use std::collections::BTreeMap;

use prowess_types::BundleFile;

use crate::companion::CompanionFile;
use crate::disk;
use crate::journal::{self, Change, Ended};
use crate::tree::{DiskTree, folder_files};
use crate::writer::Writer;
use crate::{FilePath, Folder, InstallError};

/// A change of one folder, which the lock does not know, and of companion files.
#[derive(Clone, Debug)]
pub struct FolderExchange<'a> {
    /// The skill's folder.
    pub folder: &'a Folder,
    /// What happens to the folder.
    pub change: FolderChange<'a>,
    /// The files elsewhere that change along.
    pub companions: Vec<CompanionFile>,
    /// The time, in milliseconds since 1970.
    pub now: u64,
}

/// The change of a folder. Files that are neither old nor new stay in it.
#[derive(Clone, Debug)]
pub enum FolderChange<'a> {
    /// The folder stays as it is; only companions change.
    None,
    /// New files take the place of old ones. A folder without any files is taken away.
    Files {
        /// The paths that go.
        old: &'a [FilePath],
        /// The files that come.
        new: Vec<BundleFile>,
    },
}

impl Writer {
    /// Makes the change: whenever it is interrupted, folder and companions are both old or both new after the next
    /// [`recover`](crate::recover).
    pub fn exchange(&self, wanted: FolderExchange<'_>) -> Result<(), InstallError> {
        self.home.check_way(wanted.folder)?;
        let changed = self.change_folder(wanted);
        if changed.is_err() {
            // Without a journal this only removes what was staged.
            let _ = journal::settle(&self.home);
        }
        changed.map(drop)
    }

    fn change_folder(&self, wanted: FolderExchange<'_>) -> Result<Ended, InstallError> {
        let FolderExchange { folder, change, companions, now } = wanted;
        let FolderChange::Files { old: gone, new } = change else {
            return self.begin(folder, Change::Record, companions);
        };
        let home = &self.home;
        let target = home.target(folder);
        let old = DiskTree::scan(&target)?;
        let kept = if old.is_some() { folder_files(&target)? } else { Ok(prowess_types::Bundle::default()) };
        // What cannot be carried over, such as a link, stays in the old folder, which goes to the trash.
        let keeps_old = kept.is_err();
        let mut files: BTreeMap<String, BundleFile> = kept
            .map(|bundle| bundle.files)
            .unwrap_or_default()
            .into_iter()
            .filter(|file| !gone.iter().any(|path| path.as_str() == file.path))
            .map(|file| (file.path.clone(), file))
            .collect();
        for file in new {
            FilePath::parse(&file.path)?;
            files.insert(file.path.clone(), file);
        }
        let withdraws = files.is_empty();
        if withdraws && old.is_none() {
            return self.begin(folder, Change::Record, companions);
        }
        disk::remove(&home.staging())?;
        let staged = if withdraws { home.staging() } else { home.staged_new() };
        disk::write_tree(&staged, files.values())?;
        disk::sync_folder(&home.staging())?;
        disk::sync_folder(&home.skills)?;
        let old = old.map(|tree| tree.digest());
        if !withdraws {
            let new = DiskTree::scan(&staged)?.unwrap_or_default().digest();
            if old.as_ref() == Some(&new) {
                disk::remove(&home.staging())?;
                return self.begin(folder, Change::Record, companions);
            }
            disk::mark(&staged)?;
        }
        let backup = self.backup_name(folder, now)?;
        self.begin(folder, Change::Swap { old, keeps_old, backup, at: now, withdraws }, companions)
    }

    fn begin(
        &self,
        folder: &Folder,
        change: Change,
        companions: Vec<CompanionFile>,
    ) -> Result<Ended, InstallError> {
        let entry = self.lock()?.skills.remove(folder);
        let mut journal = self.journal(folder, change, entry.clone(), entry, None)?;
        journal.companions = companions;
        journal.begin(&self.home)?;
        journal.run(&self.home)
    }
}

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;
