//! The condition of what a program keeps for itself, and the few repairs that can do no harm.
//!
//! A repair names the folder that it stays in. The way there may lead through no link, what is changed is looked at
//! through an open handle, and it must be the user's own and have no second name: a link that somebody planted in the
//! place of a file is refused, and so is a file that is also something else.

use std::fs::{self, File, FileType, Metadata, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::lock::read_pid;
use crate::platform::is_missing;
use crate::{FinalLink, platform};

/// What something is; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

/// The metadata of a file or folder, read without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Its kind.
    pub kind: ConditionKind,
    /// Who may do what, as on Unix; nobody else may do anything where there are no such rights.
    pub mode: u32,
    /// True if it belongs to the user of this process.
    pub is_ours: bool,
    /// True if its group is that of the user. Where every user has a group of their own, no other user is in it.
    pub is_own_group: bool,
    /// The number of names that the file has.
    pub hard_links: u64,
    /// When its content last changed, in seconds since 1970.
    pub modified_secs: i64,
}

impl Condition {
    /// Returns true if other users may read it.
    pub fn is_readable_by_others(&self) -> bool {
        self.mode & 0o044 != 0
    }

    /// Returns true if other users may change it. In a sticky folder they can add files, but exchange none.
    pub fn is_writable_by_others(&self) -> bool {
        let is_sticky = self.kind == ConditionKind::Folder && self.mode & 0o1000 != 0;
        let others = if self.is_own_group { 0o002 } else { 0o022 };
        self.kind != ConditionKind::Link && self.mode & others != 0 && !is_sticky
    }
}

/// What is taken from other users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenRights {
    /// Changing it.
    Write,
    /// Everything.
    All,
}

/// The state of a lock file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockState {
    /// Nobody holds it, and the last holder let go of it.
    Free,
    /// Nobody holds it; the process that did ended in the middle.
    Abandoned(u32),
    /// A process holds it.
    Held(u32),
}

/// How much room a file system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes that this user may still write.
    pub bytes: u64,
    /// True if there is room for the names of further files.
    pub has_names: bool,
    /// True if nothing can be written at all.
    pub is_read_only: bool,
}

/// The reason something was not repaired. It is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// It is a link, or lies behind one.
    #[error("`{}` is a link, or lies behind one", .0.display())]
    Link(PathBuf),
    /// It belongs to somebody else, has a second name, or is neither a file nor a folder.
    #[error("`{}` belongs to another user, has a second link, or is not a regular file", .0.display())]
    NotOurs(PathBuf),
    /// Somebody else holds the lock.
    #[error("`{}` is held by another process", .0.display())]
    Busy(PathBuf),
    /// The system refused.
    #[error("cannot repair `{}`", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

/// The condition of what lies at a path, a link not followed; none if nothing does.
pub fn condition(path: &Path) -> io::Result<Option<Condition>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(read(&metadata))),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Takes rights from other users. `path` is `root` or lies in it.
pub fn take_rights(root: &Path, path: &Path, taken: TakenRights) -> Result<(), RepairError> {
    let file = open_own(root, path)?;
    let failed = |source| RepairError::Io { path: path.to_owned(), source };
    let mask = match taken {
        TakenRights::Write => !0o022,
        TakenRights::All => !0o077,
    };
    restrict(&file, mask).map_err(failed)
}

/// Removes a file. `path` lies in `root`. One that is gone already is not a failure.
pub fn remove_own_file(root: &Path, path: &Path) -> Result<(), RepairError> {
    let failed = |source| RepairError::Io { path: path.to_owned(), source };
    check_way(root, path)?;
    match condition(path).map_err(failed)? {
        None => return Ok(()),
        Some(found) if found.kind == ConditionKind::Link => return Err(RepairError::Link(path.to_owned())),
        Some(found) if is_only_ours(&found) && found.kind == ConditionKind::File => {}
        Some(_) => return Err(RepairError::NotOurs(path.to_owned())),
    }
    match fs::remove_file(path) {
        Err(error) if !is_missing(&error) => Err(failed(error)),
        _ => Ok(()),
    }
}

/// The state of a lock file. A holder signs it and takes the signature back, so only one that ended in the middle
/// leaves a signature without a lock.
pub fn lock_state(lock_file: &Path) -> LockState {
    let Some(pid) = read_pid(lock_file) else { return LockState::Free };
    let Ok(file) = platform::open_without_blocking(lock_file, FinalLink::Refuse) else {
        return LockState::Free;
    };
    match file.try_lock_shared() {
        Ok(()) => LockState::Abandoned(pid),
        Err(TryLockError::WouldBlock) => LockState::Held(pid),
        Err(TryLockError::Error(_)) => LockState::Free,
    }
}

/// Takes back the signature of a holder that is gone. The file stays: somebody may wait for it.
pub fn release_abandoned(root: &Path, lock_file: &Path) -> Result<(), RepairError> {
    let failed = |source| RepairError::Io { path: lock_file.to_owned(), source };
    drop(open_own(root, lock_file)?);
    let file = platform::open_private(lock_file).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => file.set_len(0).and_then(|()| file.unlock()).map_err(failed),
        Err(TryLockError::WouldBlock) => Err(RepairError::Busy(lock_file.to_owned())),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

/// What lies below a folder, sorted; nothing behind a link, and nothing in those of its folders that have one of the
/// names. At most `max`.
pub fn own_entries(root: &Path, but: &[&str], max: usize) -> Vec<(PathBuf, Condition)> {
    let mut found = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if found.len() == max {
                found.sort_by(|one: &(PathBuf, _), other| one.0.cmp(&other.0));
                return found;
            }
            let path = entry.path();
            let Ok(Some(seen)) = condition(&path) else { continue };
            let is_left_out = folder == root && but.iter().any(|name| entry.file_name() == *name);
            if seen.kind == ConditionKind::Folder && !is_left_out {
                waiting.push(path.clone());
            }
            found.push((path, seen));
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// Opens something that is only ours, behind no link.
fn open_own(root: &Path, path: &Path) -> Result<File, RepairError> {
    let failed = |source| RepairError::Io { path: path.to_owned(), source };
    check_way(root, path)?;
    if let Some(Condition { kind: ConditionKind::Link, .. }) = condition(path).map_err(failed)? {
        return Err(RepairError::Link(path.to_owned()));
    }
    let file = platform::open_without_blocking(path, FinalLink::Refuse).map_err(failed)?;
    let found = read(&file.metadata().map_err(failed)?);
    if is_only_ours(&found) { Ok(file) } else { Err(RepairError::NotOurs(path.to_owned())) }
}

fn is_only_ours(found: &Condition) -> bool {
    let is_single = match found.kind {
        ConditionKind::File => found.hard_links == 1,
        ConditionKind::Folder => true,
        ConditionKind::Link | ConditionKind::Special => false,
    };
    found.is_ours && is_single
}

/// Refuses a path that leaves its root, or passes a link on its way. How the root itself is reached is the user's.
fn check_way(root: &Path, path: &Path) -> Result<(), RepairError> {
    let refused = || RepairError::Link(path.to_owned());
    let below = path.strip_prefix(root).map_err(|_| refused())?;
    let real_root = crate::real(root).ok_or_else(refused)?;
    let Some(above) = below.parent() else { return Ok(()) };
    let is_straight = crate::real(&root.join(above)).is_some_and(|real| real == plain(&real_root, above));
    if is_straight { Ok(()) } else { Err(refused()) }
}

/// Joined, without the slash that an empty path would add.
fn plain(root: &Path, below: &Path) -> PathBuf {
    root.join(below).components().collect()
}

fn read(metadata: &Metadata) -> Condition {
    rights(metadata, kind_of(metadata.file_type()))
}

pub(crate) fn kind_of(kind: FileType) -> ConditionKind {
    if kind.is_symlink() {
        ConditionKind::Link
    } else if kind.is_dir() {
        ConditionKind::Folder
    } else if kind.is_file() {
        ConditionKind::File
    } else {
        ConditionKind::Special
    }
}

#[cfg(unix)]
fn rights(metadata: &Metadata, kind: ConditionKind) -> Condition {
    use std::os::unix::fs::MetadataExt as _;
    Condition {
        kind,
        mode: metadata.mode() & 0o7777,
        is_ours: metadata.uid() == rustix::process::geteuid().as_raw(),
        is_own_group: metadata.gid() == rustix::process::getegid().as_raw(),
        hard_links: metadata.nlink(),
        modified_secs: metadata.mtime(),
    }
}

#[cfg(not(unix))]
fn rights(metadata: &Metadata, kind: ConditionKind) -> Condition {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let modified_secs = i64::try_from(since.unwrap_or_default().as_secs()).unwrap_or(i64::MAX);
    Condition { kind, mode: 0o700, is_ours: true, is_own_group: true, hard_links: 1, modified_secs }
}

#[cfg(unix)]
fn restrict(file: &File, mask: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = file.metadata()?.permissions().mode();
    file.set_permissions(fs::Permissions::from_mode(mode & 0o7777 & mask))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Unix")]
fn restrict(_file: &File, _mask: u32) -> io::Result<()> {
    Ok(())
}

/// Returns true if this user may make files in a folder.
#[cfg(unix)]
pub fn may_write_in(folder: &Path) -> bool {
    use rustix::fs::Access;
    rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Returns true if this user may make files in a folder, as far as that can be known without trying.
#[cfg(not(unix))]
pub fn may_write_in(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|metadata| !metadata.permissions().readonly())
}

/// The room on the file system that a path is on; none if that cannot be known.
#[cfg(unix)]
pub fn room(path: &Path) -> Option<Room> {
    let found = rustix::fs::statvfs(path).ok()?;
    Some(Room {
        bytes: found.f_bavail.saturating_mul(found.f_frsize),
        // Some file systems do not count names.
        has_names: found.f_files == 0 || found.f_favail > 0,
        is_read_only: found.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY),
    })
}

/// The room on the file system that a path is on, which cannot be known here.
#[cfg(not(unix))]
pub fn room(_path: &Path) -> Option<Room> {
    None
}

#[cfg(unix)]
#[cfg(test)]
#[path = "condition_tests.rs"]
mod tests;
