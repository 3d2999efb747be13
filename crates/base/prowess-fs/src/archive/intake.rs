//! Where entries of every kind of archive come in: names and sizes are checked here, once for all of them.

use std::io::Read;

use prowess_types::git_names::git_part;
use prowess_types::{Bundle, BundleFile};

use super::error::shown;
use super::names::{self, Kind, Names};
use super::{ArchiveError, ArchiveLimits, ArchiveOptions};

const CHUNK: usize = 64 * 1024;

/// Takes what is unpacked. Paths are relative and safe, with `/`.
pub(super) trait Sink {
    fn folder(&mut self, path: &str) -> Result<(), ArchiveError>;
    /// Starts a file; what follows until the next one is its content.
    fn file(&mut self, path: &str, executable: bool) -> Result<(), ArchiveError>;
    fn content(&mut self, bytes: &[u8]) -> Result<(), ArchiveError>;
}

/// Checks entries and hands them on.
pub(super) struct Intake<'a> {
    options: &'a ArchiveOptions,
    names: Names,
    sink: &'a mut dyn Sink,
    entries: usize,
    files: usize,
    total: u64,
}

/// An entry that is a file.
pub(super) struct FileEntry<'a> {
    pub(super) name: &'a [u8],
    pub(super) executable: bool,
    pub(super) size: u64,
}

impl<'a> Intake<'a> {
    pub(super) fn new(options: &'a ArchiveOptions, sink: &'a mut dyn Sink) -> Self {
        let names = Names::new(options.limits.entries.saturating_mul(2));
        Self { options, names, sink, entries: 0, files: 0, total: 0 }
    }

    pub(super) fn limits(&self) -> ArchiveLimits {
        self.options.limits
    }

    /// Whether a size is within what one file may have.
    pub(super) fn check_size(&self, name: &[u8], size: u64) -> Result<(), ArchiveError> {
        let limit = self.options.limits.entry;
        if size > limit {
            return Err(ArchiveError::EntryTooLarge { entry: shown(name), limit });
        }
        Ok(())
    }

    pub(super) fn folder(&mut self, name: &[u8]) -> Result<(), ArchiveError> {
        self.count()?;
        let Some(path) = self.admit(name, Kind::Folder)? else { return Ok(()) };
        self.sink.folder(&path)
    }

    /// Reads the content of a file: exactly as many bytes as were announced.
    pub(super) fn file(&mut self, entry: &FileEntry<'_>, content: &mut dyn Read) -> Result<(), ArchiveError> {
        self.count()?;
        self.check_size(entry.name, entry.size)?;
        self.total = self.total.saturating_add(entry.size);
        if self.total > self.options.limits.total {
            return Err(ArchiveError::TotalTooLarge { limit: self.options.limits.total });
        }
        let path = self.admit(entry.name, Kind::File)?;
        if let Some(path) = &path {
            self.files += 1;
            self.sink.file(path, entry.executable)?;
        }
        let mut buffer = vec![0; CHUNK.min(usize::try_from(entry.size).unwrap_or(CHUNK).max(1))];
        let mut left = entry.size;
        loop {
            let count = content.read(&mut buffer).map_err(ArchiveError::reading)?;
            let length = count as u64;
            if length > left {
                return Err(ArchiveError::Contradiction { entry: shown(entry.name), what: "size" });
            }
            if count == 0 {
                break;
            }
            left -= length;
            if path.is_some() {
                self.sink.content(&buffer[..count])?;
            }
        }
        if left > 0 {
            return Err(ArchiveError::Contradiction { entry: shown(entry.name), what: "size" });
        }
        Ok(())
    }

    /// The folder to unwrap, if that was asked for; an archive without files is refused.
    pub(super) fn finish(self) -> Result<Option<String>, ArchiveError> {
        if self.files == 0 {
            return Err(ArchiveError::Empty);
        }
        let root = self.names.single_root().filter(|_| self.options.unwrap_single_root);
        Ok(root.map(str::to_owned))
    }

    fn count(&mut self) -> Result<(), ArchiveError> {
        self.entries += 1;
        let limit = self.options.limits.entries;
        if self.entries > limit {
            return Err(ArchiveError::TooManyEntries { limit });
        }
        Ok(())
    }

    /// Returns the destination of an entry; none if nothing is left of its path.
    fn admit(&mut self, name: &[u8], kind: Kind) -> Result<Option<String>, ArchiveError> {
        let parts = names::parts(name, self.options.limits.parts)?;
        if kind == Kind::File && (parts.is_empty() || name.ends_with(b"/")) {
            return Err(ArchiveError::UnsafePath { entry: shown(name), why: "a file needs a name" });
        }
        let Some(kept) = parts.get(self.options.strip_components..).filter(|kept| !kept.is_empty()) else {
            return Ok(None);
        };
        self.names.add(kept, kind)?;
        Ok(Some(kept.join("/")))
    }
}

/// Keeps everything in memory.
#[derive(Default)]
pub(super) struct Memory {
    files: Vec<BundleFile>,
}

impl Memory {
    /// The files in the order of their paths, without the folder that holds them all. A folder that git takes for a
    /// bare repository is refused.
    pub(super) fn into_bundle(mut self, root: Option<&str>) -> Result<Bundle, ArchiveError> {
        if let Some(root) = root {
            for file in &mut self.files {
                file.path.drain(..=root.len());
            }
        }
        self.files.sort_by(|one, other| one.path.cmp(&other.path));
        let bundle = Bundle { files: self.files };
        match bundle.git_repository() {
            Some(place) => Err(ArchiveError::GitRepository { entry: shown(place.as_bytes()) }),
            None => Ok(bundle),
        }
    }
}

/// Refuses a path that git takes for its metadata. Checked on the whole path, before a common root is taken off.
fn check_git(path: &str) -> Result<(), ArchiveError> {
    match git_part(path) {
        Some(place) => Err(ArchiveError::GitRepository { entry: shown(place.as_bytes()) }),
        None => Ok(()),
    }
}

impl Sink for Memory {
    fn folder(&mut self, path: &str) -> Result<(), ArchiveError> {
        check_git(path)
    }

    fn file(&mut self, path: &str, executable: bool) -> Result<(), ArchiveError> {
        check_git(path)?;
        self.files.push(BundleFile { path: path.to_owned(), bytes: Vec::new(), executable });
        Ok(())
    }

    fn content(&mut self, bytes: &[u8]) -> Result<(), ArchiveError> {
        if let Some(file) = self.files.last_mut() {
            file.bytes.extend_from_slice(bytes);
        }
        Ok(())
    }
}
