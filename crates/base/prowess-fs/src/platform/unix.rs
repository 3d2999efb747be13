//! Unix: handles, `fstatat` and the entry types that come with the listing.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::{Access, AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::{Entry, FinalLink, Kind, Listing, Meta, Stamp};

/// An open folder.
pub(crate) struct Folder(Dir);

impl Folder {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(Dir::new(rustix::fs::open(path, flags, Mode::empty())?)?))
    }

    /// At most `max` entries.
    pub(crate) fn list(&mut self, max: usize) -> io::Result<Listing> {
        let mut listing = Listing { entries: Vec::new(), truncated: false };
        while let Some(entry) = self.0.read() {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            if listing.entries.len() == max {
                listing.truncated = true;
                break;
            }
            // Some file systems do not say what an entry is.
            let kind = match entry.file_type() {
                FileType::Unknown => match self.child(name)? {
                    Some(meta) => meta.kind,
                    None => continue,
                },
                known => kind_of(known),
            };
            listing.entries.push(Entry { name: name.to_owned(), kind });
        }
        Ok(listing)
    }

    /// Returns the entry at a path below this folder; the last component is not followed.
    pub(crate) fn child(&self, relative: impl AsRef<OsStr>) -> io::Result<Option<Meta>> {
        found(rustix::fs::statat(self.0.fd()?, relative.as_ref(), AtFlags::SYMLINK_NOFOLLOW))
    }
}

/// Returns the entry at a path; the last component is not followed.
pub(crate) fn examine(path: &Path) -> io::Result<Option<Meta>> {
    found(rustix::fs::lstat(path))
}

/// Returns the metadata of a path, with links followed.
pub(crate) fn follow(path: &Path) -> io::Result<Meta> {
    Ok(meta(&rustix::fs::stat(path)?))
}

/// Returns the metadata of an open file.
pub(crate) fn meta_of(file: &File) -> io::Result<Meta> {
    Ok(meta(&rustix::fs::fstat(file)?))
}

/// Opens for reading, but waits for nobody at the other end of a pipe and never becomes a terminal's owner.
pub(crate) fn open_without_blocking(path: &Path, link: FinalLink) -> io::Result<File> {
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if link == FinalLink::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    OpenOptions::new().read(true).custom_flags(raw(flags)).open(path)
}

/// Opens for reading and writing, and creates it for this user alone. Never follows a link, which somebody
/// may have put there to have another file overwritten.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(raw(flags))
        .open(path)
}

/// Returns true if this user may execute the path.
pub(crate) fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, Access::EXEC_OK).is_ok()
}

/// Returns true if the error means that links lead in a circle.
pub(crate) fn is_link_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

fn found(stat: rustix::io::Result<Stat>) -> io::Result<Option<Meta>> {
    match stat {
        Ok(stat) => Ok(Some(meta(&stat))),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn meta(stat: &Stat) -> Meta {
    Meta {
        kind: kind_of(FileType::from_raw_mode(stat.st_mode)),
        hard_links: unsigned(stat.st_nlink),
        stamp: Stamp {
            device: unsigned(stat.st_dev),
            inode: unsigned(stat.st_ino),
            size: unsigned(stat.st_size),
            modified_secs: signed(stat.st_mtime),
            modified_nanos: fraction(stat.st_mtime_nsec),
            changed_secs: signed(stat.st_ctime),
            changed_nanos: fraction(stat.st_ctime_nsec),
        },
    }
}

fn raw(flags: OFlags) -> i32 {
    flags.bits().cast_signed()
}

fn kind_of(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}

// The widths and signs of these fields differ between systems.

fn unsigned(value: impl TryInto<u64>) -> u64 {
    value.try_into().unwrap_or(u64::MAX)
}

fn signed(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}

fn fraction(value: impl TryInto<u32>) -> u32 {
    value.try_into().unwrap_or_default()
}
