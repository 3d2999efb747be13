//! Unpacking to disk, beside the place where it shall end up.
//!
//! The stage is a folder that nobody else can enter and in which no link is ever made, so a path in it leads
//! where it says.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::intake::Sink;
use super::{ArchiveError, Extracted};

/// A folder that is removed unless it takes its place.
pub(super) struct Stage {
    /// Keeps the stage until the end; dropping it removes what is left.
    _folder: TempDir,
    /// In the stage, with the permissions that the user's mask leaves.
    tree: PathBuf,
    open: Option<(PathBuf, File)>,
    done: Extracted,
}

impl Stage {
    pub(super) fn beside(into: &Path) -> Result<Self, ArchiveError> {
        check_free(into)?;
        let parent = match into.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(ArchiveError::writing(parent))?;
        let folder = tempfile::Builder::new()
            .prefix(".prowess-")
            .suffix(".tmp")
            .tempdir_in(parent)
            .map_err(ArchiveError::writing(parent))?;
        let tree = folder.path().join("tree");
        fs::create_dir(&tree).map_err(ArchiveError::writing(&tree))?;
        Ok(Self { _folder: folder, tree, open: None, done: Extracted::default() })
    }

    /// Gives the unpacked tree, or the one folder in it, its name.
    pub(super) fn move_into_place(self, root: Option<&str>, into: &Path) -> Result<Extracted, ArchiveError> {
        let from = root.map_or_else(|| self.tree.clone(), |root| self.tree.join(root));
        if check_free(into)? {
            fs::remove_dir(into).map_err(ArchiveError::writing(into))?;
        }
        fs::rename(&from, into).map_err(ArchiveError::writing(into))?;
        Ok(self.done)
    }
}

/// Whether an empty folder is there; anything else is in the way.
fn check_free(into: &Path) -> Result<bool, ArchiveError> {
    let taken = || ArchiveError::TargetTaken { path: into.to_owned() };
    match fs::symlink_metadata(into) {
        Ok(metadata) if metadata.is_dir() => {
            let mut entries = fs::read_dir(into).map_err(ArchiveError::writing(into))?;
            if entries.next().is_none() { Ok(true) } else { Err(taken()) }
        }
        Ok(_) => Err(taken()),
        Err(error) if crate::platform::is_missing(&error) => Ok(false),
        Err(error) => Err(ArchiveError::writing(into)(error)),
    }
}

impl Sink for Stage {
    fn folder(&mut self, path: &str) -> Result<(), ArchiveError> {
        let path = self.tree.join(path);
        fs::create_dir_all(&path).map_err(ArchiveError::writing(&path))
    }

    fn file(&mut self, path: &str, executable: bool) -> Result<(), ArchiveError> {
        let path = self.tree.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(ArchiveError::writing(parent))?;
        }
        let file = create(&path, executable).map_err(ArchiveError::writing(&path))?;
        self.done.files += 1;
        self.open = Some((path, file));
        Ok(())
    }

    fn content(&mut self, bytes: &[u8]) -> Result<(), ArchiveError> {
        if let Some((path, file)) = &mut self.open {
            file.write_all(bytes).map_err(ArchiveError::writing(path))?;
            self.done.bytes += bytes.len() as u64;
        }
        Ok(())
    }
}

/// A new file; of the permissions in an archive only whether it can be run is kept.
fn create(path: &Path, executable: bool) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if executable { 0o777 } else { 0o666 });
    #[cfg(not(unix))]
    let _ = executable;
    options.open(path)
}
