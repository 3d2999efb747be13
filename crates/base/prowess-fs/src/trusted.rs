//! Programs that are run because the user named them in a file: only if nobody else could have changed them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Child;

/// The reason a program is not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UntrustedError {
    /// It could be a different one from another folder.
    #[error("`{}` is not an absolute path", .0.display())]
    Relative(PathBuf),
    /// A link, a folder or a device.
    #[error("`{}` is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// It lies elsewhere.
    #[error("`{}` is in none of the trusted folders", .0.display())]
    Elsewhere(PathBuf),
    /// Others may change it, or the folder it is in.
    #[error("`{}` can be changed by other users", .0.display())]
    Shared(PathBuf),
    /// The system refused.
    #[error("cannot look at `{}`", path.display())]
    Io {
        /// The program, or a folder above it.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

/// Refuses a program unless it is a regular file at an absolute path, in one of the trusted folders if any are given,
/// that only this user or the system's administrator can change or exchange.
pub fn check_trusted_program(path: &Path, trusted: &[&Path]) -> Result<(), UntrustedError> {
    if !path.is_absolute() {
        return Err(UntrustedError::Relative(path.to_owned()));
    }
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| UntrustedError::Io { path, source }
    };
    let metadata = fs::symlink_metadata(path).map_err(io(path))?;
    if !metadata.is_file() {
        return Err(UntrustedError::NotAFile(path.to_owned()));
    }
    let real = fs::canonicalize(path).map_err(io(path))?;
    let is_inside = |folder: &&Path| fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder));
    if !trusted.is_empty() && !trusted.iter().any(is_inside) {
        return Err(UntrustedError::Elsewhere(path.to_owned()));
    }
    for place in real.ancestors() {
        let metadata = fs::metadata(place).map_err(io(place))?;
        if can_others_change(&metadata) {
            return Err(UntrustedError::Shared(place.to_owned()));
        }
    }
    Ok(())
}

#[cfg(unix)]
fn can_others_change(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let owner = metadata.uid();
    let is_ours = owner == 0 || owner == rustix::process::getuid().as_raw();
    // In a sticky folder everybody can add files, but only owners can exchange them.
    let is_sticky = metadata.is_dir() && metadata.mode() & 0o1000 != 0;
    (metadata.mode() & 0o022 != 0 && !is_sticky) || !is_ours
}

#[cfg(not(unix))]
fn can_others_change(_metadata: &fs::Metadata) -> bool {
    false
}

/// The reason others could read or change a file that must be private; none if it is private.
#[cfg(unix)]
pub fn exposure(path: &Path) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(metadata) = fs::symlink_metadata(path) else { return Some("it is gone") };
    let owner = metadata.uid();
    if owner != 0 && owner != rustix::process::getuid().as_raw() {
        Some("it belongs to another user")
    } else if metadata.mode() & 0o077 != 0 {
        Some("other users have access to it; run `chmod 600` on it")
    } else if metadata.nlink() != 1 {
        Some("it has more than one name; copy it to a new file")
    } else {
        None
    }
}

/// The rights of other users cannot be read on this system.
#[cfg(not(unix))]
pub fn exposure(_path: &Path) -> Option<&'static str> {
    Some("that cannot be checked on this system")
}

/// Ends a child that leads a process group, and everything it started.
#[cfg(unix)]
pub fn kill_group(child: &Child) {
    signal_group(child, rustix::process::Signal::KILL);
}

/// Ends a child. Groups are a notion of Unix.
#[cfg(not(unix))]
pub fn kill_group(_child: &Child) {}

/// Asks a child that leads a process group, and everything it started, to end.
#[cfg(unix)]
pub(crate) fn ask_group_to_end(child: &Child) {
    signal_group(child, rustix::process::Signal::TERM);
}

/// Nobody can be asked here.
#[cfg(not(unix))]
pub(crate) fn ask_group_to_end(_child: &Child) {}

#[cfg(unix)]
fn signal_group(child: &Child, signal: rustix::process::Signal) {
    let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id {
        // A group that is gone already needs no signal.
        let _ = rustix::process::kill_process_group(id, signal);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_private_file_has_one_name_and_one_reader() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        assert!(exposure(&file).is_some());
        fs::write(&file, "x").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(exposure(&file).is_some_and(|problem| problem.contains("chmod 600")));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(exposure(&file), None);
        fs::hard_link(&file, folder.path().join("other")).unwrap();
        assert!(exposure(&file).is_some_and(|problem| problem.contains("more than one name")));
    }
}
