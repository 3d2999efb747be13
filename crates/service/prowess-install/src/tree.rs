//! Looking at a folder without trusting it.
//!
//! What somebody put there is told from what the system fails to say: a link or a file without permission is odd, and
//! an error of the disk is an error. Otherwise a bad sector would look like an edit.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use prowess_fs::{Condition, ConditionKind, FileReadError, FinalLink, read_stamped};
use prowess_types::{Bundle, BundleFile};

use crate::lock::LockedFile;
use crate::names::MARK;
use crate::{Digest, FilePath, InstallError, failed};

const MAX_ENTRIES: usize = 50_000;
const MAX_DEPTH: usize = 64;
const MAX_FILE_BYTES: u64 = 256 << 20;
const MAX_MERGED_BYTES: u64 = 64 << 20;

/// What is in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DiskTree {
    /// Its regular files.
    pub(crate) files: BTreeMap<FilePath, LockedFile>,
    /// What else there is, with what it is.
    pub(crate) odd: BTreeMap<String, &'static str>,
}

impl DiskTree {
    /// Looks at a folder; none if nothing has that name.
    pub(crate) fn scan(folder: &Path) -> Result<Option<Self>, InstallError> {
        match prowess_fs::condition(folder).map_err(failed("look at", folder))? {
            Some(found) if found.kind == ConditionKind::Folder => {}
            Some(_) => return Err(InstallError::InTheWay { path: folder.to_owned() }),
            None => return Ok(None),
        }
        let mut tree = Self::default();
        visit(folder, MAX_FILE_BYTES, |relative, seen| match seen {
            Seen::File { path, bytes, executable } => {
                tree.files.insert(path, LockedFile::new(Digest::of(&bytes), executable));
            }
            Seen::Odd(what) => _ = tree.odd.insert(relative, what),
        })?;
        Ok(Some(tree))
    }

    /// What identifies all that was seen; equal to the hash of the files when there is nothing odd.
    pub(crate) fn digest(&self) -> Digest {
        let files = self.files.iter();
        let tree = Digest::of_tree(files.map(|(path, file)| (path.as_str(), file.executable, &file.sha256)));
        if self.odd.is_empty() { tree } else { Digest::of(format!("{tree} {:?}", self.odd).as_bytes()) }
    }
}

/// The files of a folder, if it holds nothing but files and not too much; otherwise what is in the way.
pub fn folder_files(folder: &Path) -> Result<Result<Bundle, String>, InstallError> {
    let mut files = Vec::new();
    let mut in_the_way = None;
    let mut size = 0;
    visit(folder, MAX_MERGED_BYTES, |relative, seen| match seen {
        Seen::File { path, bytes, executable } => {
            size += bytes.len() as u64;
            if size <= MAX_MERGED_BYTES {
                files.push(BundleFile { path: path.into(), bytes, executable });
            } else {
                in_the_way.get_or_insert_with(|| format!("it holds more than {MAX_MERGED_BYTES} bytes"));
            }
        }
        Seen::Odd(what) => _ = in_the_way.get_or_insert_with(|| format!("`{relative}` is {what}")),
    })?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(in_the_way.map_or(Ok(Bundle { files }), Err))
}

/// Something in a folder.
enum Seen {
    File { path: FilePath, bytes: Vec<u8>, executable: bool },
    Odd(&'static str),
}

/// Shows everything in a folder but folders and our mark, with its place.
fn visit(folder: &Path, max_bytes: u64, mut show: impl FnMut(String, Seen)) -> Result<(), InstallError> {
    let mut waiting = vec![(folder.to_owned(), String::new(), 0)];
    let mut count = 0;
    while let Some((path, above, depth)) = waiting.pop() {
        let entries = match prowess_fs::children(&path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                show(above, Seen::Odd("a folder without permission"));
                continue;
            }
            entries => entries.map_err(failed("read", &path))?,
        };
        for entry in entries {
            let name = entry.name;
            let relative = match above.as_str() {
                "" => name.to_string_lossy().into_owned(),
                above => format!("{above}/{}", name.to_string_lossy()),
            };
            let path = entry.path;
            let found = prowess_fs::condition(&path).map_err(failed("look at", &path))?;
            let Some(found) = found else { continue };
            if found.kind == ConditionKind::Folder && depth < MAX_DEPTH {
                waiting.push((path, relative, depth + 1));
                continue;
            }
            count += 1;
            if count > MAX_ENTRIES {
                show(relative, Seen::Odd("one file too many"));
                return Ok(());
            }
            if relative != MARK {
                let file_path = FilePath::parse(&relative).ok().filter(|_| name.to_str().is_some());
                let seen = look(path, found, file_path, max_bytes)?;
                show(relative, seen);
            }
        }
    }
    Ok(())
}

fn look(
    path: PathBuf,
    found: Condition,
    file_path: Option<FilePath>,
    max_bytes: u64,
) -> Result<Seen, InstallError> {
    let what = match file_path {
        _ if found.kind == ConditionKind::Link => "a link",
        _ if found.kind == ConditionKind::Folder => "a folder too deep",
        _ if found.kind == ConditionKind::Special => "a pipe, a socket or a device",
        None => "oddly named",
        Some(file_path) => match read_stamped(&path, max_bytes, FinalLink::Refuse) {
            Ok(contents) => {
                let executable = is_executable(found);
                return Ok(Seen::File { path: file_path, bytes: contents.bytes, executable });
            }
            Err(FileReadError::Oversize { .. }) => "too large",
            Err(FileReadError::Link { .. } | FileReadError::NotAFile { .. }) => "something else now",
            Err(FileReadError::Io { source, .. }) if source.kind() == io::ErrorKind::PermissionDenied => {
                "a file without permission"
            }
            Err(error) if error.is_missing() => "gone meanwhile",
            Err(error) => return Err(error.into()),
        },
    };
    Ok(Seen::Odd(what))
}

/// Whether the owner may run it: what a root user may do says nothing about the file.
fn is_executable(found: Condition) -> bool {
    cfg!(unix) && found.mode & 0o100 != 0
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn what_is_no_file_is_odd() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::write(place("file"), "x").unwrap();
        fs::set_permissions(place("file"), fs::Permissions::from_mode(0o711)).unwrap();
        fs::write(place(MARK), "").unwrap();
        fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"a\xffb")), "x").unwrap();
        fs::write(place("a\nb"), "x").unwrap();
        symlink("file", place("link")).unwrap();
        std::os::unix::net::UnixListener::bind(place("socket")).unwrap();
        fs::create_dir_all(folder.path().join("d/".repeat(MAX_DEPTH + 1))).unwrap();
        let tree = DiskTree::scan(folder.path()).unwrap().unwrap();
        let file = (FilePath::parse("file").unwrap(), LockedFile::new(Digest::of(b"x"), true));
        assert_eq!(tree.files, BTreeMap::from([file]));
        let deep = ["d"; MAX_DEPTH + 1].join("/");
        let expected = [
            ("a\nb", "oddly named"),
            ("a\u{fffd}b", "oddly named"),
            (&deep, "a folder too deep"),
            ("link", "a link"),
            ("socket", "a pipe, a socket or a device"),
        ];
        assert_eq!(tree.odd, expected.into_iter().map(|(path, what)| (path.to_owned(), what)).collect());
        assert!(folder_files(folder.path()).unwrap().is_err());
    }
}
