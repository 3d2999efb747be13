//! Small questions about folders, each answered without following anything out of them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{FileReadError, write_atomic};

/// How deep [`markdown_files`] and [`copy_tree`] go; deeper trees are not skills.
const MAX_DEPTH: usize = 64;

/// Whether a path is a folder; an error if it is nothing at all.
pub fn is_folder(path: &Path) -> Result<bool, FileReadError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_dir()),
        Err(source) => Err(FileReadError::Io { path: path.to_owned(), source }),
    }
}

/// Returns true if anything at all has that name, be it a link that leads nowhere.
pub fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// A path from the root of the file system, whether or not it exists.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// A path with every link resolved, if it exists.
pub fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// The folders directly in a folder, sorted by name; hidden ones and links are left out.
pub fn subfolders(path: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = entries(path)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    folders
}

/// Returns true if a folder holds skills: a Markdown file, or a folder with `SKILL.md`.
pub fn looks_like_skills(path: &Path) -> bool {
    entries(path).any(|entry| {
        let path = entry.path();
        let is_markdown = path.extension().is_some_and(|extension| extension == "md");
        (is_markdown && path.is_file()) || path.join("SKILL.md").is_file()
    })
}

/// Returns true if users other than the owner may read a file.
pub fn is_readable_by_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| cfg!(unix) && mode_of(&metadata) & 0o044 != 0)
}

/// A file in a skill's `scripts` folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFile {
    /// The file.
    pub path: PathBuf,
    /// True if it may be executed.
    pub is_executable: bool,
    /// True if its first line names an interpreter.
    pub has_shebang: bool,
}

/// The files directly in a folder of scripts, sorted by name.
pub fn scripts(folder: &Path) -> Vec<ScriptFile> {
    let mut scripts: Vec<ScriptFile> = entries(folder)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter_map(|entry| {
            let path = entry.path();
            let is_executable = is_executable(&entry.metadata().ok()?);
            let start = crate::read_file(&path, 16 * 1024 * 1024).ok()?;
            Some(ScriptFile { has_shebang: start.starts_with(b"#!"), is_executable, path })
        })
        .collect();
    scripts.sort_by(|one, other| one.path.cmp(&other.path));
    scripts
}

/// Every Markdown file below a folder except `README.md`, unsorted; links are not followed.
pub fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut waiting = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        for entry in entries(&folder) {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let is_markdown = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
            if kind.is_dir() && depth < MAX_DEPTH {
                waiting.push((path, depth + 1));
            } else if kind.is_file() && is_markdown && !entry.file_name().eq_ignore_ascii_case("readme.md") {
                files.push(path);
            }
        }
    }
    files
}

/// Copies a file, or a folder with everything in it but links. Nothing is replaced: `to` must not exist.
pub fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    if is_taken(to) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "the target already exists"));
    }
    copy_level(from, to, 0)
}

fn copy_level(from: &Path, to: &Path, depth: usize) -> io::Result<()> {
    let metadata = fs::symlink_metadata(from)?;
    if metadata.is_file() {
        let bytes = fs::read(from)?;
        return write_atomic(to, &bytes, Some(mode_of(&metadata))).map_err(io::Error::other);
    }
    if !metadata.is_dir() {
        return Ok(());
    }
    if depth > MAX_DEPTH {
        return Err(io::Error::other("the folder is nested too deeply"));
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy_level(&entry.path(), &to.join(entry.file_name()), depth + 1)?;
    }
    Ok(())
}

/// The entries of a folder; none if it cannot be read.
fn entries(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    mode_of(metadata) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn mode_of(metadata: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.permissions().mode() & 0o777
}

#[cfg(not(unix))]
fn mode_of(_metadata: &fs::Metadata) -> u32 {
    0o644
}

/// A folder that goes away with whoever holds this.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// The folder at a path, whether or not it is there yet.
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// Makes a new folder that only this user can open, in another one. Its name begins with `prefix`.
    pub fn create_in(folder: &Path, prefix: &str) -> io::Result<Self> {
        let made = tempfile::Builder::new().prefix(prefix).tempdir_in(folder)?;
        Ok(Self(made.keep()))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Links in it are removed, not followed. What cannot be removed was only a copy.
        let _ = fs::remove_dir_all(&self.0);
    }
}
