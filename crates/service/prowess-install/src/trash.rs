//! Restoring from the trash, step by step, for changes and for their recovery.

use std::path::Path;

use crate::disk::{self, exists};
use crate::swap::{move_away, sync_names};
use crate::tree::DiskTree;
use crate::{Folder, Home, InstallError};

/// Returns true if the folder is back. A move between disks has a moment with two equal copies, which counts as back.
pub(crate) fn is_back(home: &Home, folder: &Folder, id: &Folder) -> Result<bool, InstallError> {
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
pub(crate) fn put_back(home: &Home, folder: &Folder, replaced: &Folder) -> Result<(), InstallError> {
    let (target, kept) = (home.target(folder), home.trash.join(replaced.as_str()));
    if exists(&kept)? && !exists(&target)? {
        move_away(&kept, &target, &home.trash.join(format!(".removed-{replaced}")))?;
        sync_names(home, folder)?;
    }
    if !exists(&kept)? {
        forget(home, replaced)?;
    }
    Ok(())
}

/// Removes what the trash still has of a folder that is elsewhere: a second copy, and the note.
pub(crate) fn forget(home: &Home, id: &Folder) -> Result<(), InstallError> {
    disk::remove(&home.trash.join(format!(".removed-{id}")))?;
    disk::remove(&home.trash.join(id.as_str()))?;
    disk::remove(&home.trash.join(format!("{id}.json")))?;
    if exists(&home.trash)? { disk::sync_folder(&home.trash) } else { Ok(()) }
}
