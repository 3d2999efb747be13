//! Writing folders of files so that they stay written.

use std::collections::BTreeSet;
use std::path::Path;

use prowess_types::BundleFile;

use crate::names::MARK;
use crate::{InstallError, failed};

/// Writes files into a new folder and waits until they are on the disk.
pub(crate) fn write_tree<'a>(
    folder: &Path,
    files: impl IntoIterator<Item = &'a BundleFile>,
) -> Result<(), InstallError> {
    let mut folders = BTreeSet::from([folder.to_owned()]);
    prowess_fs::make_folders(folder).map_err(failed("make", folder))?;
    for file in files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            prowess_fs::make_folders(parent).map_err(failed("make", parent))?;
            folders.extend(parent.ancestors().take_while(|above| *above != folder).map(Path::to_owned));
        }
        prowess_fs::write_new(&path, &file.bytes, file.executable).map_err(failed("write", &path))?;
    }
    folders.iter().try_for_each(|folder| sync_folder(folder))
}

/// Marks a folder as new.
pub(crate) fn mark(folder: &Path) -> Result<(), InstallError> {
    let path = folder.join(MARK);
    prowess_fs::write_new(&path, b"", false).map_err(failed("write", &path))?;
    sync_folder(folder)
}

/// Whether there is a folder that is marked as new.
pub(crate) fn is_marked(folder: &Path) -> Result<bool, InstallError> {
    exists(&folder.join(MARK))
}

/// Whether something has that name; not being able to tell is no answer.
pub(crate) fn exists(path: &Path) -> Result<bool, InstallError> {
    prowess_fs::condition(path).map(|found| found.is_some()).map_err(failed("look at", path))
}

/// Takes the mark off, if there is one.
pub(crate) fn unmark(folder: &Path) -> Result<(), InstallError> {
    remove(&folder.join(MARK))
}

/// Makes the names in a folder survive a power cut, where folders can be synchronised at all.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), InstallError> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    prowess_fs::sync_entry(folder).map_err(failed("synchronise", folder))
}

/// Removes whatever has that name, without following a link; it is fine if nothing has.
pub(crate) fn remove(path: &Path) -> Result<(), InstallError> {
    prowess_fs::remove_entry(path).map_err(failed("remove", path))
}
