//! Copies of files as they came, so that a later update can tell whose change is whose.
//!
//! A copy is named by the digest of its content: files that skills share are stored once, and a copy that was damaged
//! is noticed and counts as missing.

use std::collections::BTreeSet;
use std::io::{self, Write as _};

use prowess_types::{Bundle, BundleFile};

use crate::disk::sync_folder;
use crate::lock::{LockEntry, LockFile};
use crate::{Digest, Home, InstallError, failed};

const MAX_BYTES: u64 = 256 << 20;

/// Stores the files of a bundle.
pub(crate) fn store(home: &Home, bundle: &Bundle) -> Result<(), InstallError> {
    let folder = home.base();
    prowess_fs::make_folders(&folder).map_err(failed("make", &folder))?;
    for file in &bundle.files {
        let digest = Digest::of(&file.bytes);
        if load(home, &digest).is_some() {
            continue;
        }
        let path = folder.join(digest.as_str());
        let written =
            tempfile::Builder::new().prefix(".").suffix(".tmp").tempfile_in(&folder).and_then(|mut copy| {
                copy.write_all(&file.bytes)?;
                copy.as_file().sync_all()?;
                copy.persist(&path).map_err(|error| error.error)?;
                Ok(())
            });
        written.map_err(failed("write", &path))?;
    }
    sync_folder(&folder)
}

fn load(home: &Home, digest: &Digest) -> Option<Vec<u8>> {
    let bytes = prowess_fs::read_file(&home.base().join(digest.as_str()), MAX_BYTES).ok()?;
    (Digest::of(&bytes) == *digest).then_some(bytes)
}

/// The files of a skill as they came; those whose copy is lost are left out.
pub(crate) fn restore(home: &Home, entry: &LockEntry) -> Bundle {
    let files = entry.files.iter().filter_map(|(path, file)| {
        let bytes = load(home, &file.sha256)?;
        Some(BundleFile { path: path.as_str().to_owned(), bytes, executable: file.executable })
    });
    Bundle { files: files.collect() }
}

/// Removes copies that no skill needs, and what interrupted writers left. What stays behind only takes up room.
pub(crate) fn prune(home: &Home, lock: &LockFile) -> io::Result<()> {
    let entries = lock.skills.values().chain(lock.removed.values());
    let needed: BTreeSet<&str> =
        entries.flat_map(|entry| entry.files.values()).map(|file| file.sha256.as_str()).collect();
    for copy in prowess_fs::children(&home.base())? {
        if copy.name.to_str().is_none_or(|name| !needed.contains(name)) {
            prowess_fs::remove_file(&copy.path)?;
        }
    }
    Ok(())
}
