//! What is in a view, looked at without following anything out of it, and links made and taken away.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use prowess_fs::{ConditionKind, EntryKind, Mirror};

/// Entries of one skill that are looked at.
const MAX_ENTRIES: usize = 20_000;
/// Folders within folders that are looked at.
const MAX_DEPTH: usize = 40;
/// Size of a file that is compared; a larger one was not made from here.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// The name of a new link before it replaces another.
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
    let kind = match prowess_fs::condition(&path)?.map(|condition| condition.kind) {
        None => return Ok(Found::Nothing),
        Some(ConditionKind::Link) => return Ok(Found::Link(prowess_fs::link_target(&path)?)),
        Some(kind) => kind,
    };
    let (mut files, mut odd) = (BTreeMap::new(), Vec::new());
    let mut take = |place: String| match mirror.read(&place, MAX_FILE_BYTES) {
        Ok(Some(file)) => {
            let hash = prowess_fs::sha256_hex(&file.bytes);
            files.insert(place, FoundFile { hash, is_executable: file.is_executable });
        }
        Ok(None) | Err(_) => odd.push(place),
    };
    if kind == ConditionKind::File {
        take(name.to_owned());
    } else if kind == ConditionKind::Folder {
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
pub(crate) fn put_link(view: &Path, name: &str, target: &Path, replaces: bool) -> io::Result<()> {
    if !replaces {
        return prowess_fs::make_link(target, &view.join(name));
    }
    let temporary = view.join(TEMPORARY);
    let _ = prowess_fs::remove_file(&temporary);
    prowess_fs::make_link(target, &temporary)?;
    prowess_fs::rename(&temporary, &view.join(name))
        .inspect_err(|_| drop(prowess_fs::remove_file(&temporary)))
}

/// Takes a link away, if it still leads where it did.
pub(crate) fn take_link(view: &Path, name: &str, target: &Path) -> io::Result<()> {
    let path = view.join(name);
    if prowess_fs::link_target(&path)? == target {
        prowess_fs::remove_file(&path)?;
    }
    Ok(())
}

/// The folders that are not there yet, the innermost first.
pub(crate) fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    folder.ancestors().take_while(|folder| !prowess_fs::is_taken(folder)).map(Path::to_owned).collect()
}

/// Takes folders away that are empty.
pub(crate) fn take_empty_folders(folders: &[PathBuf]) {
    for folder in folders {
        prowess_fs::remove_empty_folder(folder);
    }
}

/// The skills directly in a folder: their names, and their folders with links resolved. Sorted by name.
pub fn skill_folders(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = prowess_fs::children(folder).unwrap_or_default().into_iter();
    let mut found: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| Some((entry.name.into_string().ok()?, prowess_fs::real(&entry.path)?)))
        .filter(|(name, real)| !name.starts_with('.') && real.join("SKILL.md").is_file())
        .collect();
    found.sort();
    found
}
