//! Folders of files: looking at them without trusting them, and writing them so that they stay written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use prowess_fs::{EntryKind, FinalLink, ListedEntry, read_stamped};
use prowess_types::{Bundle, BundleFile};

use crate::lock::LockedFile;
use crate::{Digest, Error, FilePath, failed};

const MAX_ENTRIES: usize = 50_000;
const MAX_DEPTH: usize = 64;
const MAX_FILE_BYTES: u64 = 256 << 20;
const MAX_MERGED_BYTES: u64 = 64 << 20;

/// A file that only a staged folder has: it tells a new folder from an old one, wherever both are.
pub(crate) const MARK: &str = ".prowess-new";

/// What is in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DiskTree {
    /// Its regular files.
    pub(crate) files: BTreeMap<FilePath, LockedFile>,
    /// What else there is, with what it is.
    pub(crate) odd: BTreeMap<String, &'static str>,
}

impl DiskTree {
    /// Looks at a folder; none if nothing has that name. What cannot be read counts as odd.
    pub(crate) fn scan(folder: &Path) -> Result<Option<Self>, Error> {
        match fs::symlink_metadata(folder) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(Error::InTheWay { path: folder.to_owned() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("look at", folder)(error)),
        }
        let listing = prowess_fs::list_all(folder, MAX_ENTRIES, MAX_DEPTH);
        let mut tree = Self::default();
        for entry in listing.entries.iter().filter(|entry| entry.relative != MARK) {
            match read(entry, MAX_FILE_BYTES) {
                Ok(file) => _ = tree.files.insert(file.0, LockedFile::new(Digest::of(&file.1), file.2)),
                Err(what) => _ = tree.odd.insert(entry.relative.clone(), what),
            }
        }
        tree.odd.extend(
            listing.unread.into_iter().map(|(relative, _)| (relative, "a folder that cannot be read")),
        );
        if listing.is_cut {
            tree.odd.insert(".".to_owned(), "too many files");
        }
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
pub(crate) fn read_bundle(folder: &Path) -> Result<Bundle, String> {
    let listing = prowess_fs::list_all(folder, MAX_ENTRIES, MAX_DEPTH);
    if let Some((path, reason)) = listing.unread.first() {
        return Err(format!("`{path}`: {reason}"));
    }
    if listing.is_cut {
        return Err(format!("it holds more than {MAX_ENTRIES} files"));
    }
    let mut left = MAX_MERGED_BYTES;
    let mut files = Vec::new();
    for entry in listing.entries.iter().filter(|entry| entry.relative != MARK) {
        let (path, bytes, executable) =
            read(entry, left).map_err(|what| format!("`{}` is {what}", entry.relative))?;
        left = left.saturating_sub(bytes.len() as u64);
        files.push(BundleFile { path: path.into(), bytes, executable });
    }
    Ok(Bundle { files })
}

fn read(entry: &ListedEntry, max_bytes: u64) -> Result<(FilePath, Vec<u8>, bool), &'static str> {
    match entry.kind {
        EntryKind::File { size, .. } if size > max_bytes => return Err("too large"),
        EntryKind::File { .. } => {}
        EntryKind::LinkInside | EntryKind::LinkOutside | EntryKind::LinkDangling => return Err("a link"),
        EntryKind::Special => return Err("a pipe, a socket or a device"),
    }
    let path = FilePath::parse(&entry.relative).ok().filter(|_| entry.is_text_name).ok_or("oddly named")?;
    let contents = read_stamped(&entry.path, max_bytes, FinalLink::Refuse).map_err(|_| "unreadable")?;
    Ok((path, contents.bytes, is_executable(&entry.path)))
}

/// Whether the owner may run it: what a root user may do says nothing about the file.
#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
}

/// Nothing tells here, so nothing is told.
#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    false
}

/// Writes files into a new folder and waits until they are on the disk.
pub(crate) fn write_tree<'a>(
    folder: &Path,
    files: impl IntoIterator<Item = &'a BundleFile>,
) -> Result<(), Error> {
    let mut folders = BTreeSet::from([folder.to_owned()]);
    fs::create_dir_all(folder).map_err(failed("make", folder))?;
    for file in files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed("make", parent))?;
            folders.extend(parent.ancestors().take_while(|above| *above != folder).map(Path::to_owned));
        }
        write_new(&path, file).map_err(failed("write", &path))?;
    }
    folders.iter().try_for_each(|folder| sync_folder(folder))
}

fn write_new(path: &Path, file: &BundleFile) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if file.executable { 0o777 } else { 0o666 });
    let mut open = options.open(path)?;
    open.write_all(&file.bytes)?;
    open.sync_all()
}

/// Marks a folder as new.
pub(crate) fn mark(folder: &Path) -> Result<(), Error> {
    let path = folder.join(MARK);
    File::create_new(&path).and_then(|file| file.sync_all()).map_err(failed("write", &path))?;
    sync_folder(folder)
}

/// Whether there is a folder that is marked as new.
pub(crate) fn is_marked(folder: &Path) -> Result<bool, Error> {
    exists(&folder.join(MARK))
}

/// Whether something has that name; not being able to tell is no answer.
pub(crate) fn exists(path: &Path) -> Result<bool, Error> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(failed("look at", path)(error)),
    }
}

/// Takes the mark off, if there is one.
pub(crate) fn unmark(folder: &Path) -> Result<(), Error> {
    remove(&folder.join(MARK))
}

/// Makes the names in a folder survive a power cut, where folders can be synchronised at all.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), Error> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let result = File::open(folder).and_then(|handle| handle.sync_all());
    match result {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result.map_err(failed("synchronise", folder)),
    }
}

/// Removes whatever has that name, without following a link; it is fine if nothing has.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(())
        }
        result => result.map_err(failed("remove", path)),
    }
}
