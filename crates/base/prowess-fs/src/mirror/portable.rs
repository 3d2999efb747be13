//! Systems other than Unix: by path, after a look at every part.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Mirrored, TEMPORARY};

#[derive(Debug)]
pub(super) struct Root(PathBuf);

impl Root {
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        Ok(Self(fs::canonicalize(folder)?))
    }

    pub(super) fn read(&self, parts: &[&str], max_bytes: u64) -> io::Result<Option<Mirrored>> {
        let path = self.path(parts);
        if !self.is_plain(parts)? || !fs::symlink_metadata(&path)?.is_file() {
            return Ok(None);
        }
        if fs::metadata(&path)?.len() > max_bytes {
            return Ok(None);
        }
        // Extensions decide what can be executed here.
        Ok(Some(Mirrored { bytes: fs::read(path)?, is_executable: false }))
    }

    pub(super) fn write_mode(&self, parts: &[&str], bytes: &[u8], _mode: u32) -> io::Result<()> {
        self.write(parts, bytes, false)
    }

    pub(super) fn write(&self, parts: &[&str], bytes: &[u8], _is_executable: bool) -> io::Result<()> {
        for end in 1..parts.len() {
            let folder = self.path(&parts[..end]);
            match fs::symlink_metadata(&folder) {
                Ok(metadata) if metadata.is_dir() => continue,
                Ok(_) => fs::remove_file(&folder).or_else(|_| fs::remove_dir(&folder))?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            fs::create_dir(&folder)?;
        }
        let temporary = self.0.join(TEMPORARY);
        fs::write(&temporary, bytes)?;
        fs::rename(temporary, self.path(parts))
    }

    pub(super) fn remove(&self, parts: &[&str]) -> io::Result<bool> {
        if !self.is_plain(parts)? {
            return Ok(false);
        }
        fs::remove_file(self.path(parts))?;
        for end in (1..parts.len()).rev() {
            if fs::remove_dir(self.path(&parts[..end])).is_err() {
                break;
            }
        }
        Ok(true)
    }

    fn path(&self, parts: &[&str]) -> PathBuf {
        parts.iter().fold(self.0.clone(), |path, part| path.join(part))
    }

    /// Whether every folder above a place is one.
    fn is_plain(&self, parts: &[&str]) -> io::Result<bool> {
        for end in 1..parts.len() {
            if !fs::symlink_metadata(self.path(&parts[..end]))?.is_dir() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
