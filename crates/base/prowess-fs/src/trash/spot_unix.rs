//! A folder held by handles: its parent, its name there, and which folder it is.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RawMode, Stat};
use rustix::io::Errno;

/// Deeper trees are not skills.
const MAX_DEPTH: usize = 128;

/// The reason a folder was not moved.
#[derive(Debug)]
pub(super) enum MoveError {
    Swapped,
    Taken,
    Io(io::Error),
}

impl From<Errno> for MoveError {
    fn from(error: Errno) -> Self {
        if error == Errno::EXIST { Self::Taken } else { Self::Io(error.into()) }
    }
}

impl From<io::Error> for MoveError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Which file something is, whatever it is called.
type Identity = (u64, u64);

pub(super) struct Spot {
    parent: OwnedFd,
    name: OsString,
    folder: OwnedFd,
    identity: Identity,
}

impl Spot {
    /// Opens a folder below a root. The parts on the way are opened one by one, and none may be a link.
    pub(super) fn open(root: &Path, relative: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut parent = rustix::fs::open(root, flags, Mode::empty())?;
        let mut parts = relative.components().peekable();
        while let Some(Component::Normal(name)) = parts.next() {
            let folder = open_folder(parent.as_fd(), name)?;
            if parts.peek().is_none() {
                let identity = identity(&rustix::fs::fstat(&folder)?);
                return Ok(Self { parent, name: name.to_owned(), folder, identity });
            }
            parent = folder;
        }
        Err(io::ErrorKind::InvalidInput.into())
    }

    /// Returns true if a regular file of that name is in it.
    pub(super) fn has_file(&self, name: &str) -> io::Result<bool> {
        match rustix::fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Moves it to another folder, under a name that must be free.
    pub(super) fn move_to(&self, folder: &Path, name: &str) -> Result<(), MoveError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let target = rustix::fs::open(folder, flags, Mode::empty())?;
        match self.rename_to(target.as_fd(), OsStr::new(name)) {
            Err(MoveError::Io(error)) if error.kind() == io::ErrorKind::CrossesDevices => {
                self.copy_to(target.as_fd(), OsStr::new(name))
            }
            other => other,
        }
    }

    fn rename_to(&self, target: BorrowedFd<'_>, name: &OsStr) -> Result<(), MoveError> {
        if !self.is_at(self.parent.as_fd(), &self.name)? {
            return Err(MoveError::Swapped);
        }
        rename(self.parent.as_fd(), &self.name, target, name)?;
        if self.is_at(target, name)? {
            return Ok(());
        }
        // What came is not what was checked, and goes back, unless its name is taken by now.
        let _ = rename(target, name, self.parent.as_fd(), &self.name);
        Err(MoveError::Swapped)
    }

    /// Across file systems: a copy that is complete and has its name before the original goes. A crash in between leaves
    /// the original, or both.
    pub(super) fn copy_to(&self, target: BorrowedFd<'_>, name: &OsStr) -> Result<(), MoveError> {
        let partial = joined(".partial-", name);
        let gone = joined(".removed-", name);
        // Left by an interrupted move.
        for (folder, leftover) in [(target, &partial), (self.parent.as_fd(), &gone)] {
            match remove_entry(folder, leftover, 0) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        let copied = copy_tree(self.folder.as_fd(), target, &partial, 0).map_err(MoveError::Io);
        let named = copied.and_then(|()| Ok(rename(target, &partial, target, name)?));
        if let Err(error) = named {
            let _ = remove_entry(target, &partial, 0);
            return Err(error);
        }
        if let Err(error) = self.rename_to(self.parent.as_fd(), &gone) {
            let _ = remove_entry(target, name, 0);
            return Err(error);
        }
        // The move is made; what is left of the original only takes up room.
        let _ = remove_entry(self.parent.as_fd(), &gone, 0);
        Ok(())
    }

    fn is_at(&self, parent: BorrowedFd<'_>, name: &OsStr) -> Result<bool, MoveError> {
        match rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(identity(&stat) == self.identity),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Removes what has a name in a folder, and everything in it; links are removed, not followed.
pub(super) fn remove_tree(folder: &Path, name: &str) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::open(folder, flags, Mode::empty())?;
    remove_entry(folder.as_fd(), OsStr::new(name), 0)
}

fn remove_entry(parent: BorrowedFd<'_>, name: &OsStr, depth: usize) -> io::Result<()> {
    let folder = match open_folder(parent, name) {
        Ok(folder) => folder,
        Err(Errno::NOTDIR | Errno::LOOP) => {
            return Ok(rustix::fs::unlinkat(parent, name, AtFlags::empty())?);
        }
        Err(error) => return Err(error.into()),
    };
    check_depth(depth)?;
    for child in children(folder.as_fd())? {
        remove_entry(folder.as_fd(), &child, depth + 1)?;
    }
    Ok(rustix::fs::unlinkat(parent, name, AtFlags::REMOVEDIR)?)
}

fn copy_tree(from: BorrowedFd<'_>, parent: BorrowedFd<'_>, name: &OsStr, depth: usize) -> io::Result<()> {
    check_depth(depth)?;
    rustix::fs::mkdirat(parent, name, Mode::RWXU)?;
    let to = open_folder(parent, name)?;
    for child in children(from)? {
        let stat = rustix::fs::statat(from, &child, AtFlags::SYMLINK_NOFOLLOW)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                copy_tree(open_folder(from, &child)?.as_fd(), to.as_fd(), &child, depth + 1)?;
            }
            FileType::RegularFile => copy_file(from, to.as_fd(), &child)?,
            FileType::Symlink => {
                let target = rustix::fs::readlinkat(from, &child, Vec::new())?;
                rustix::fs::symlinkat(target, &to, &child)?;
            }
            _ => return Err(io::Error::new(io::ErrorKind::Unsupported, "a pipe, a socket or a device")),
        }
    }
    let mode = rustix::fs::fstat(from)?.st_mode;
    Ok(rustix::fs::fchmod(&to, permissions(mode))?)
}

fn copy_file(from: BorrowedFd<'_>, to: BorrowedFd<'_>, name: &OsStr) -> io::Result<()> {
    let reading = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut source = File::from(rustix::fs::openat(from, name, reading, Mode::empty())?);
    let stat = rustix::fs::fstat(&source)?;
    let writing = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut copy = File::from(rustix::fs::openat(to, name, writing, Mode::RUSR | Mode::WUSR)?);
    io::copy(&mut source, &mut copy)?;
    rustix::fs::fchmod(&copy, permissions(stat.st_mode))?;
    copy.sync_all()
}

fn permissions(mode: RawMode) -> Mode {
    Mode::from_raw_mode(mode & 0o777)
}

/// All names in a folder.
fn children(folder: BorrowedFd<'_>) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name != "." && name != ".." {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

fn check_depth(depth: usize) -> io::Result<()> {
    if depth > MAX_DEPTH {
        return Err(io::Error::other("the folder is nested too deeply"));
    }
    Ok(())
}

fn open_folder(parent: BorrowedFd<'_>, name: &OsStr) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(parent, name, flags, Mode::empty())
}

/// Renames to a name that must be free.
fn rename(
    from: BorrowedFd<'_>,
    name: &OsStr,
    to: BorrowedFd<'_>,
    new_name: &OsStr,
) -> rustix::io::Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    match rustix::fs::renameat_with(from, name, to, new_name, rustix::fs::RenameFlags::NOREPLACE) {
        // Some file systems cannot promise it.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
        result => return result,
    }
    match rustix::fs::statat(to, new_name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => rustix::fs::renameat(from, name, to, new_name),
        Ok(_) => Err(Errno::EXIST),
        Err(error) => Err(error),
    }
}

fn identity(stat: &Stat) -> Identity {
    // The widths of these fields differ between systems.
    #[allow(clippy::useless_conversion, clippy::unnecessary_cast, reason = "needed on other systems")]
    (stat.st_dev as u64, stat.st_ino as u64)
}

fn joined(prefix: &str, name: &OsStr) -> OsString {
    let mut joined = OsString::from(prefix);
    joined.push(name);
    joined
}
