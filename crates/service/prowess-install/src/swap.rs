//! Changing which folder has a name.

use std::io;
use std::path::Path;

use crate::disk::{exists, remove, sync_folder};
use crate::{Folder, Home, InstallError, failed};

/// Whether two names could be exchanged.
pub(crate) enum Exchange {
    /// They were.
    Done,
    /// The system or the file system cannot do it; nothing happened.
    Unsupported,
}

/// Exchanges two folders in a single step, where that is possible.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn exchange(one: &Path, other: &Path) -> Result<Exchange, InstallError> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(Exchange::Done),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(Exchange::Unsupported),
        Err(error) => Err(failed("exchange", other)(error.into())),
    }
}

/// Nothing can be exchanged here.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape everywhere")]
pub(crate) fn exchange(_one: &Path, _other: &Path) -> Result<Exchange, InstallError> {
    Ok(Exchange::Unsupported)
}

/// Gives a folder another name, which nothing has.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), InstallError> {
    if exists(to)? {
        return Err(failed("replace", to)(io::ErrorKind::AlreadyExists.into()));
    }
    prowess_fs::rename(from, to).map_err(failed("rename", from))
}

/// Moves a folder to another place. If that is on another disk, it is copied (without the links in it), and the
/// original becomes `waste` in a single step.
pub(crate) fn move_away(from: &Path, to: &Path, waste: &Path) -> Result<(), InstallError> {
    let parent = to.parent().unwrap_or(Path::new("."));
    prowess_fs::make_folders(parent).map_err(failed("make", parent))?;
    match prowess_fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            // A folder that was copied before an interruption is copied anew.
            remove(to)?;
            prowess_fs::copy_tree(from, to).map_err(failed("copy", from))?;
            sync_folder(parent)?;
            rename(from, waste)
        }
        result => {
            result.map_err(failed("move", from))?;
            sync_folder(parent)
        }
    }
}

/// Makes the name of a folder survive a power cut, at its place and where it was staged.
pub(crate) fn sync_names(home: &Home, folder: &Folder) -> Result<(), InstallError> {
    if let Some(owner) = folder.owner() {
        sync_folder(&home.skills.join(owner))?;
    }
    if exists(&home.staging())? {
        sync_folder(&home.staging())?;
    }
    sync_folder(&home.skills)
}
