//! Taking a skill away, and knowing it again when it comes back.
//!
//! Who moves the folder is the caller's business (a trash, by open handles); the lock follows, also after a crash.

use std::path::{Path, PathBuf};

use crate::disk::exists;
use crate::journal::{Change, settle};
use crate::lock::{LockEntry, LockFile};
use crate::side::Side;
use crate::verify::Installed;
use crate::writer::Writer;
use crate::{Folder, Home, InstallError};

/// What an uninstall will do, to be shown before it is done.
#[derive(Clone, Debug, PartialEq)]
pub struct UninstallPlan {
    /// The skill and what became of it; edits go with it.
    pub installed: Installed,
    /// The folder that will be taken away, if it is still there.
    pub path: Option<PathBuf>,
}

/// Looks at what an uninstall would do. Nothing is changed.
pub fn plan_uninstall(home: &Home, folder: &Folder) -> Result<UninstallPlan, InstallError> {
    let lock = LockFile::read(home)?;
    let entry =
        lock.skills.get(folder).ok_or_else(|| InstallError::NotInstalled { folder: folder.clone() })?;
    let installed = Installed::of(home, folder, entry)?;
    let path = prowess_fs::is_taken(&installed.path).then(|| installed.path.clone());
    Ok(UninstallPlan { installed, path })
}

/// A skill that was taken away.
#[derive(Debug)]
pub struct Uninstalled<T> {
    /// What the lock said.
    pub entry: LockEntry,
    /// What was answered when the folder was taken away; none if it was gone already.
    pub taken: Option<T>,
}

impl Writer {
    /// Takes a skill's folder away, by `take`, and then out of the lock. `take` must move the whole folder or leave it;
    /// `mirror` is the new text of the other tool's lock file.
    pub fn uninstall<T, E>(
        &self,
        folder: &Folder,
        mirror: Option<&str>,
        take: impl FnOnce(&Path) -> Result<T, E>,
    ) -> Result<Uninstalled<T>, InstallError>
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let entry = self.entry(folder)?;
        self.home.check_way(folder)?;
        let target = self.home.target(folder);
        let journal = self.journal(folder, Change::Remove, Some(entry.clone()), None, mirror)?;
        journal.begin(&self.home)?;
        let mut taken = None;
        if exists(&target)? {
            let mut failure = take(&target).map(|answer| taken = Some(answer)).err().map(Into::into);
            if failure.is_none() && exists(&target)? {
                failure = Some("its folder is still there".into());
            }
            if let Some(source) = failure {
                // It may be gone all the same.
                settle(&self.home)?;
                return Err(InstallError::Remove { folder: folder.clone(), source });
            }
        }
        journal.record(&self.home, Side::After)?;
        if let Some(owner) = folder.owner() {
            // Only an empty one goes, and it does not matter if it stays.
            prowess_fs::remove_empty_folder(&self.home.skills.join(owner));
        }
        journal.end(&self.home);
        Ok(Uninstalled { entry, taken })
    }
}

#[cfg(test)]
#[path = "remove_tests.rs"]
mod tests;
