//! Opening and replacing files below a folder so that nothing can lead out of it meanwhile.
//!
//! A path that was judged may be exchanged for a link before it is used. So the folder is opened, then every part
//! of the path from the handle of the one before, never following a link: whatever was judged free of links and is
//! not any more is refused.

use std::fs::File;
use std::io::{self, Read as _};

pub(super) use platform::{open_file, replace};

/// The content of an opened file of at most `max_bytes`.
pub(super) fn contents(file: File, max_bytes: u64) -> io::Result<Vec<u8>> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is neither a regular file nor a folder"));
    }
    let mut bytes = Vec::new();
    file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::other(format!(
            "it has {} bytes, more than {max_bytes}; look at parts of it through `exec`",
            metadata.len()
        )));
    }
    Ok(bytes)
}

#[cfg(unix)]
mod platform {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io::{self, Write as _};
    use std::os::fd::OwnedFd;
    use std::path::Path;
    use std::sync::atomic::{AtomicU64, Ordering};

    use rustix::fs::{
        AtFlags, FileType, Mode, OFlags, fchmod, mkdirat, open, openat, renameat, statat, unlinkat,
    };
    use rustix::io::Errno;

    use super::super::place::Place;
    use crate::ProtectedPlaces;

    const FOLDER: OFlags =
        OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

    /// Opens for reading, without waiting for anybody at the other end of a pipe. Fails for a protected file, whatever
    /// its name is here, and for the kernel's view of processes, which shows the memory and environment of the engine.
    pub(crate) fn open_file(place: &Place, protected: &ProtectedPlaces) -> io::Result<File> {
        let (folder, name) = folder_of(place, Missing::Fails)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(openat(&folder, name, flags, Mode::empty())?);
        if protected.hides_file(&file.metadata()?) {
            return Err(io::Error::other(
                "it is another name of a file in the state folder, which no tool opens",
            ));
        }
        if is_of_processes(&file) {
            return Err(io::Error::other("it shows the inside of processes"));
        }
        Ok(file)
    }

    #[cfg(target_os = "linux")]
    fn is_of_processes(file: &File) -> bool {
        rustix::fs::fstatfs(file).is_ok_and(|system| system.f_type == rustix::fs::PROC_SUPER_MAGIC)
    }

    #[cfg(not(target_os = "linux"))]
    fn is_of_processes(_file: &File) -> bool {
        false
    }

    /// Replaces a file, or makes it together with its folders: readers see the old content or the new one.
    pub(crate) fn replace(place: &Place, bytes: &[u8]) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (folder, name) = folder_of(place, Missing::IsMade)?;
        let mode = existing_mode(&folder, name)?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = format!(".prowess-{}-{number}.tmp", std::process::id());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(openat(&folder, &temporary, flags, Mode::from_raw_mode(0o666))?);
        let written = file
            .write_all(bytes)
            .and_then(|()| mode.map_or(Ok(()), |mode| Ok(fchmod(&file, mode)?)))
            .and_then(|()| file.sync_all())
            .and_then(|()| Ok(renameat(&folder, &temporary, &folder, name)?));
        if written.is_err() {
            // What is left behind is hidden and harmless; the first error says more.
            let _ = unlinkat(&folder, &temporary, AtFlags::empty());
        }
        written?;
        match rustix::fs::fsync(&folder) {
            // Some file systems cannot synchronise folders.
            Ok(()) | Err(Errno::INVAL) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Missing {
        Fails,
        IsMade,
    }

    fn folder_of(place: &Place, missing: Missing) -> io::Result<(OwnedFd, &OsStr)> {
        let not_a_file = || io::Error::from(io::ErrorKind::IsADirectory);
        let name = place.relative.file_name().ok_or_else(not_a_file)?;
        let mut folder = open(&place.root, FOLDER, Mode::empty())?;
        for part in place.relative.parent().unwrap_or(Path::new("")) {
            folder = match openat(&folder, part, FOLDER, Mode::empty()) {
                Err(Errno::NOENT) if missing == Missing::IsMade => {
                    match mkdirat(&folder, part, Mode::from_raw_mode(0o777)) {
                        Ok(()) | Err(Errno::EXIST) => openat(&folder, part, FOLDER, Mode::empty())?,
                        Err(error) => return Err(error.into()),
                    }
                }
                opened => opened?,
            };
        }
        Ok((folder, name))
    }

    /// The permissions of what is to be replaced; an error if that is not a regular file.
    fn existing_mode(folder: &OwnedFd, name: &OsStr) -> io::Result<Option<Mode>> {
        match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
                Ok(Some(Mode::from_raw_mode(stat.st_mode) & Mode::from_raw_mode(0o777)))
            }
            Ok(_) => Err(io::Error::other("it is not a regular file")),
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use std::fs::File;
    use std::io;

    use super::super::place::Place;
    use crate::ProtectedPlaces;

    pub(crate) fn open_file(place: &Place, _protected: &ProtectedPlaces) -> io::Result<File> {
        File::open(place.path())
    }

    pub(crate) fn replace(place: &Place, bytes: &[u8]) -> io::Result<()> {
        prowess_fs::write_atomic(&place.path(), bytes, None).map_err(io::Error::other)
    }
}
