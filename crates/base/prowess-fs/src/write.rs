//! Replacing a file so that every reader sees the old content or the new one.
//!
//! The new content is complete and on disk before it takes the old one's name; a crash at any moment
//! leaves at worst a hidden temporary file beside it.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::platform::is_missing;

/// As many links as the kernel itself would follow.
const MAX_LINKS: usize = 40;

/// The reason a file was not replaced. It is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The path leads through too many links, probably in a circle.
    #[error("`{}` leads through too many links", path.display())]
    LinkLoop {
        /// The path as given.
        path: PathBuf,
    },
    /// A folder, a pipe or a device blocks the path.
    #[error("`{}` is not a regular file", path.display())]
    NotAFile {
        /// The entry that blocks the path.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write `{}`", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl prowess_types::Classify for WriteError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Files)
    }
}

/// Replaces the content of `path`, or creates it together with its folders.
///
/// A link stays a link: what it points to is replaced. An existing file keeps its permissions and its owner;
/// a new one gets `mode`, or what the user's mask leaves.
pub fn write_atomic(path: &Path, bytes: &[u8], mode: Option<u32>) -> Result<(), WriteError> {
    let target = target_of(path)?;
    let failed = |source| WriteError::Io { path: target.clone(), source };
    let existing = match fs::metadata(&target) {
        Ok(metadata) if metadata.is_file() => Some(metadata),
        Ok(_) => return Err(WriteError::NotAFile { path: target }),
        Err(error) if is_missing(&error) => None,
        Err(error) => return Err(failed(error)),
    };
    let folder = folder_of(&target);
    fs::create_dir_all(folder).map_err(failed)?;

    let mut builder = tempfile::Builder::new();
    builder.prefix(".prowess-").suffix(".tmp");
    #[cfg(unix)]
    if existing.is_none() && mode.is_none() {
        builder.permissions(usual_permissions());
    }
    let mut temporary = builder.tempfile_in(folder).map_err(failed)?;
    temporary.write_all(bytes).map_err(failed)?;
    dress(temporary.as_file(), existing.as_ref(), mode).map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    temporary.persist(&target).map_err(|error| failed(error.error))?;
    sync_folder(folder).map_err(failed)
}

/// Creates a folder and those it is in, unless they are there.
pub fn create_folder(path: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(path).map_err(|source| WriteError::Io { path: path.to_owned(), source })
}

/// Closes a file that others could read, if it is there.
#[cfg(unix)]
pub fn close_to_others(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    match fs::set_permissions(path, fs::Permissions::from_mode(0o600)) {
        Err(error) if !is_missing(&error) => Err(error),
        _ => Ok(()),
    }
}

/// Closes a file that others could read, where the system has such rights.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Unix")]
pub fn close_to_others(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// The file that `path` leads to, whether or not it exists.
pub(crate) fn target_of(path: &Path) -> Result<PathBuf, WriteError> {
    let mut target = path.to_owned();
    for _ in 0..=MAX_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(error) if is_missing(&error) || error.kind() == io::ErrorKind::InvalidInput => {
                return Ok(target);
            }
            Err(source) => return Err(WriteError::Io { path: target, source }),
        }
    }
    Err(WriteError::LinkLoop { path: path.to_owned() })
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Gives the new file the owner and the permissions it shall have.
#[cfg(unix)]
fn dress(file: &File, existing: Option<&Metadata>, mode: Option<u32>) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    if let Some(existing) = existing {
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (existing.uid(), existing.gid()) {
            // Only a privileged user can give files away; for others the new owner is right.
            let _ = fchown(file, Some(existing.uid()), Some(existing.gid()));
        }
        file.set_permissions(existing.permissions())?;
    } else if let Some(mode) = mode {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn dress(file: &File, existing: Option<&Metadata>, _mode: Option<u32>) -> io::Result<()> {
    existing.map_or(Ok(()), |existing| file.set_permissions(existing.permissions()))
}

/// What a program that does not care creates files with; the user's mask is taken off by the system.
#[cfg(unix)]
fn usual_permissions() -> Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

/// Makes the new name survive a power cut, where folders can be synchronised at all.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    let Ok(handle) = File::open(folder) else {
        return Ok(());
    };
    match handle.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Unix")]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
