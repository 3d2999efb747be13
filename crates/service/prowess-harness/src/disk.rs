//! What is in a view, looked at without following anything out of it, and links made and taken away.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use prowess_fs::{EntryKind, Mirror};

/// Entries of one skill that are looked at.
const MAX_ENTRIES: usize = 20_000;
/// Folders within folders that are looked at.
const MAX_DEPTH: usize = 40;
/// Size of a file that is compared; a larger one was not made from here.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// The place where a link is made before it takes the place of another.
const TEMPORARY: &str = ".prowess-link.tmp";

/// What has a name in a view.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    Link(PathBuf),
    /// A file, or a folder with files; by their places in the view.
    Files {
        files: BTreeMap<String, FoundFile>,
        /// What is no plain file, or cannot be read.
        odd: Vec<String>,
    },
    /// A pipe, a socket or a device.
    Odd,
}

/// A file in a view.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FoundFile {
    pub(crate) hash: String,
    pub(crate) is_executable: bool,
}

/// Looks at what has a name in a view. No link is followed.
pub(crate) fn look(mirror: &Mirror, view: &Path, name: &str) -> io::Result<Found> {
    let path = view.join(name);
    let metadata = match fs::symlink_metadata(&path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Found::Nothing);
        }
        other => other?,
    };
    if metadata.is_symlink() {
        return Ok(Found::Link(fs::read_link(&path)?));
    }
    let (mut files, mut odd) = (BTreeMap::new(), Vec::new());
    let mut take = |place: String| match mirror.read(&place, MAX_FILE_BYTES) {
        Ok(Some(file)) => {
            let hash = prowess_fs::sha256_hex(&file.bytes);
            files.insert(place, FoundFile { hash, is_executable: file.is_executable });
        }
        Ok(None) | Err(_) => odd.push(place),
    };
    if metadata.is_file() {
        take(name.to_owned());
    } else if metadata.is_dir() {
        let listing = prowess_fs::list_all(&path, MAX_ENTRIES, MAX_DEPTH);
        let mut strange: Vec<String> = listing.unread.into_iter().map(|(place, _)| place).collect();
        if listing.is_cut {
            strange.push("…".to_owned());
        }
        for entry in listing.entries {
            match entry.kind {
                EntryKind::File { .. } if entry.is_text_name => take(format!("{name}/{}", entry.relative)),
                _ => strange.push(entry.relative),
            }
        }
        odd.extend(strange.into_iter().map(|place| format!("{name}/{place}")));
    } else {
        return Ok(Found::Odd);
    }
    Ok(Found::Files { files, odd })
}

/// Makes a link, where nothing or another link is.
#[cfg(unix)]
pub(crate) fn put_link(view: &Path, name: &str, target: &Path, replaces: bool) -> io::Result<()> {
    use std::os::unix::fs::symlink;
    if !replaces {
        return symlink(target, view.join(name));
    }
    let temporary = view.join(TEMPORARY);
    let _ = fs::remove_file(&temporary);
    symlink(target, &temporary)?;
    fs::rename(&temporary, view.join(name)).inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// Links need a privilege on other systems.
#[cfg(not(unix))]
pub(crate) fn put_link(_: &Path, _: &str, _: &Path, _: bool) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "links are not made on this system; use copies"))
}

/// Takes a link away, if it still leads where it did.
pub(crate) fn take_link(view: &Path, name: &str, target: &Path) -> io::Result<()> {
    let path = view.join(name);
    if fs::read_link(&path)? == target { fs::remove_file(path) } else { Ok(()) }
}

/// The folders that are not there yet, the innermost first.
pub(crate) fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    folder.ancestors().take_while(|folder| !prowess_fs::is_taken(folder)).map(Path::to_owned).collect()
}

/// Takes folders away that are empty.
pub(crate) fn take_empty_folders(folders: &[PathBuf]) {
    for folder in folders {
        let _ = fs::remove_dir(folder);
    }
}

/// The skills directly in a folder: their names, and their folders with links resolved. Sorted by name.
pub fn skill_folders(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            Some((entry.file_name().into_string().ok()?, fs::canonicalize(entry.path()).ok()?))
        })
        .filter(|(name, real)| !name.starts_with('.') && real.join("SKILL.md").is_file())
        .collect();
    found.sort();
    found
}
