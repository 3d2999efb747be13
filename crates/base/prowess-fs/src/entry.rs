//! Single names in a folder: made, looked at, renamed, removed. No link is followed.
//!
//! For callers that keep their own order of steps, such as an installer that must be able to undo each of them. An
//! error is the system's; the caller knows what it tried.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::ConditionKind;
use crate::condition::kind_of;
use crate::platform::is_missing;

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name.
    pub name: OsString,
    /// The folder joined with its name.
    pub path: PathBuf,
    /// Its kind.
    pub kind: ConditionKind,
}

/// The entries of a folder, sorted by name.
pub fn children(folder: &Path) -> io::Result<Vec<FolderEntry>> {
    let mut children = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = kind_of(entry.file_type()?);
        children.push(FolderEntry { name: entry.file_name(), path: entry.path(), kind });
    }
    children.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(children)
}

/// Makes a folder and those it is in, unless they exist.
pub fn make_folders(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Makes one folder. Fails if something has its name.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Makes a folder and those it is in, unless they exist. New ones are open to this user only.
pub fn make_private_folders(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes a file and opens it for writing. Fails if something has its name.
pub fn create_new(path: &Path) -> io::Result<File> {
    File::create_new(path)
}

/// Makes a file with this content and waits until it is on the disk. Fails if something has its name.
pub fn write_new(path: &Path, bytes: &[u8], is_executable: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if is_executable { 0o777 } else { 0o666 });
    #[cfg(not(unix))]
    let _ = is_executable;
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Opens a file that this process has written before.
pub fn open_own_file(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Waits until a file, or the names in a folder, are on the disk. Where a file system cannot do that, nothing happens.
pub fn sync_entry(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
    }
}

/// Gives something another name. A file, or an empty folder, that has that name is replaced.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// Removes a file or a link. Returns false if nothing has that name.
pub fn remove_file(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if is_missing(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes whatever has a name, a folder with everything in it. Does nothing if nothing has that name.
pub fn remove_entry(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if is_missing(&error) => Ok(()),
        result => result,
    }
}

/// Removes a folder if it is empty. One that stays does no harm.
pub fn remove_empty_folder(path: &Path) {
    let _ = fs::remove_dir(path);
}

/// The target of a link, as it is written in it.
pub fn link_target(path: &Path) -> io::Result<PathBuf> {
    fs::read_link(path)
}

/// Makes a link. Fails if something has its name.
#[cfg(unix)]
pub fn make_link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Links need a privilege on this system, so none are made.
#[cfg(not(unix))]
pub fn make_link(_target: &Path, _link: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "links are not made on this system; use copies"))
}

/// Reads a text file that the user named. Pipes and devices are read, too, to their end.
pub fn read_plain(path: &Path) -> io::Result<String> {
    fs::read_to_string(path)
}

/// Writes a file that the user named, in place: a link, a pipe or a device of that name gets the content.
pub fn write_plain(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_have_names_and_kinds() {
        let folder = tempfile::tempdir().unwrap();
        make_folder(&folder.path().join("b")).unwrap();
        write_new(&folder.path().join("a"), b"x", false).unwrap();
        let found: Vec<_> =
            children(folder.path()).unwrap().into_iter().map(|child| (child.name, child.kind)).collect();
        assert_eq!(found, [("a".into(), ConditionKind::File), ("b".into(), ConditionKind::Folder)]);
        assert_eq!(children(&folder.path().join("c")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn nothing_new_replaces_what_exists() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_new(&path, b"one", false).unwrap();
        assert!(write_new(&path, b"two", false).is_err() && create_new(&path).is_err());
        assert!(make_folder(&path).is_err());
        assert_eq!(read_plain(&path).unwrap(), "one");
        sync_entry(&path).unwrap();
        write_plain(&path, b"two").unwrap();
        assert_eq!(read_plain(&path).unwrap(), "two");
    }

    #[test]
    fn what_is_gone_can_be_removed_again() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        make_folders(&deep).unwrap();
        remove_empty_folder(&folder.path().join("a"));
        assert!(deep.is_dir());
        write_new(&deep.join("file"), b"", false).unwrap();
        assert!(remove_file(&deep.join("file")).unwrap());
        assert!(!remove_file(&deep.join("file")).unwrap());
        remove_entry(&folder.path().join("a")).unwrap();
        remove_entry(&folder.path().join("a")).unwrap();
        assert!(!folder.path().join("a").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_removed_and_its_target_stays() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("private/target"), folder.path().join("link"));
        make_private_folders(&target).unwrap();
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o700);
        make_link(&target, &link).unwrap();
        assert_eq!(link_target(&link).unwrap(), target);
        remove_entry(&link).unwrap();
        assert!(target.is_dir() && !link.exists());
    }
}
