//! Unix: every step from an open folder, no link followed.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::{Mirrored, TEMPORARY};

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

#[derive(Debug)]
pub(super) struct Root(OwnedFd);

impl Root {
    /// The folder itself may be reached through a link: the user named it.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(folder, FOLDER.difference(OFlags::NOFOLLOW), Mode::empty())?))
    }

    pub(super) fn read(&self, parts: &[&str], max_bytes: u64) -> io::Result<Option<Mirrored>> {
        let (name, folders) = split(parts)?;
        let folder = match self.enter(folders) {
            // A link or a file where a folder should be holds no file of ours.
            Err(Errno::LOOP | Errno::NOTDIR) => return Ok(None),
            other => other?,
        };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(&folder, name, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::LOOP | Errno::NXIO | Errno::NODEV) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let stat = rustix::fs::fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
        let fits = bytes.len() as u64 <= max_bytes;
        Ok(fits.then_some(Mirrored { bytes, is_executable: stat.st_mode & 0o100 != 0 }))
    }

    pub(super) fn write(&self, parts: &[&str], bytes: &[u8], is_executable: bool) -> io::Result<()> {
        self.write_mode(parts, bytes, if is_executable { 0o755 } else { 0o644 })
    }

    pub(super) fn write_mode(&self, parts: &[&str], bytes: &[u8], mode: u32) -> io::Result<()> {
        let (name, folders) = split(parts)?;
        let folder = self.make(folders)?;
        // What an interrupted writer left behind.
        let _ = rustix::fs::unlinkat(&self.0, TEMPORARY, AtFlags::empty());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(mode);
        let mut file = File::from(rustix::fs::openat(&self.0, TEMPORARY, flags, mode)?);
        let written = file.write_all(bytes).and_then(|()| Ok(rustix::fs::fchmod(&file, mode)?));
        let renamed = written.and_then(|()| Ok(rustix::fs::renameat(&self.0, TEMPORARY, &folder, name)?));
        if renamed.is_err() {
            let _ = rustix::fs::unlinkat(&self.0, TEMPORARY, AtFlags::empty());
        }
        renamed
    }

    pub(super) fn remove(&self, parts: &[&str]) -> io::Result<bool> {
        let (name, mut folders) = split(parts)?;
        let folder = match self.enter(folders) {
            Err(Errno::LOOP | Errno::NOTDIR) => return Ok(false),
            other => other?,
        };
        match rustix::fs::unlinkat(&folder, name, AtFlags::empty()) {
            Err(Errno::NOENT) => return Ok(false),
            other => other?,
        }
        while let Some((last, above)) = folders.split_last() {
            // A folder that is not empty stays, and so does everything above it.
            if rustix::fs::unlinkat(self.enter(above)?, *last, AtFlags::REMOVEDIR).is_err() {
                break;
            }
            folders = above;
        }
        Ok(true)
    }

    /// A folder below this one.
    fn enter(&self, folders: &[&str]) -> Result<OwnedFd, Errno> {
        let start = self.0.as_fd().try_clone_to_owned().map_err(|_| Errno::MFILE)?;
        folders
            .iter()
            .try_fold(start, |folder, name| rustix::fs::openat(folder, *name, FOLDER, Mode::empty()))
    }

    /// A folder below this one, made if it is not there.
    fn make(&self, folders: &[&str]) -> io::Result<OwnedFd> {
        let mut folder = self.0.as_fd().try_clone_to_owned()?;
        for name in folders {
            folder = match rustix::fs::openat(&folder, *name, FOLDER, Mode::empty()) {
                Ok(next) => next,
                Err(Errno::NOENT) => make_one(folder.as_fd(), name)?,
                Err(Errno::LOOP | Errno::NOTDIR) => {
                    rustix::fs::unlinkat(&folder, *name, AtFlags::empty())?;
                    make_one(folder.as_fd(), name)?
                }
                Err(error) => return Err(error.into()),
            };
        }
        Ok(folder)
    }
}

fn make_one(folder: BorrowedFd<'_>, name: &str) -> io::Result<OwnedFd> {
    rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o755))?;
    Ok(rustix::fs::openat(folder, name, FOLDER, Mode::empty())?)
}

fn split<'a, 'b>(parts: &'b [&'a str]) -> io::Result<(&'a str, &'b [&'a str])> {
    let (name, folders) = parts.split_last().ok_or(io::ErrorKind::InvalidInput)?;
    Ok((name, folders))
}
