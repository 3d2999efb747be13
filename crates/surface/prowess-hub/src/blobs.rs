//! Contents of files, kept by their SHA-256.

use std::path::PathBuf;

use prowess_fs::sha256_hex;

use crate::HubError;

/// Only the operator may read contents that no client has requested yet.
const PRIVATE: u32 = 0o600;
/// Contents that one look at the folder sees; the rest is seen another time.
const MAX_LISTED: usize = 1_000_000;

/// A folder of contents.
#[derive(Clone, Debug)]
pub(crate) struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps contents and returns their hash.
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<String, HubError> {
        let sha256 = sha256_hex(bytes);
        let path = self.path(&sha256);
        if !prowess_fs::is_taken(&path) {
            prowess_fs::write_atomic(&path, bytes, Some(PRIVATE))?;
        }
        Ok(sha256)
    }

    /// The contents of a hash that this folder gave, of at most `max_bytes` bytes.
    pub(crate) fn get(&self, sha256: &str, max_bytes: u64) -> Result<Vec<u8>, HubError> {
        Ok(prowess_fs::read_file(&self.path(sha256), max_bytes)?)
    }

    /// Removes unreferenced contents. Returns their number.
    pub(crate) fn sweep(
        &self,
        is_needed: impl Fn(&str) -> Result<bool, HubError>,
    ) -> Result<usize, HubError> {
        let mut removed = 0;
        for entry in prowess_fs::list_all(&self.folder, MAX_LISTED, 3).entries {
            let name = entry.relative.rsplit('/').next().unwrap_or_default();
            let is_leftover = name.starts_with('.');
            if is_leftover || (name.len() == 64 && !is_needed(name)?) {
                prowess_fs::drop_cache_file(&entry.path);
                removed += 1;
            }
        }
        Ok(removed)
    }

    fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(sha256.get(..2).unwrap_or_default()).join(sha256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_kept_once_and_swept_when_nobody_needs_them() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(folder.path().join("blobs"));
        let one = blobs.put(b"one").unwrap();
        assert_eq!(blobs.put(b"one").unwrap(), one);
        let two = blobs.put(b"two").unwrap();
        assert_eq!(blobs.sweep(|sha256| Ok(sha256 == two)).unwrap(), 1);
        assert!(blobs.get(&one, 10).is_err());
        assert_eq!(blobs.get(&two, 10).unwrap(), b"two");
        assert!(blobs.get(&two, 2).is_err());
    }
}
