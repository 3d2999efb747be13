//! Files that can be made again at any time: written fast, whole or not at all, without waiting for the disk.

use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

/// Replaces a file of a cache. Readers see the old or the new content; a crash of the machine may leave neither,
/// so the content must be able to prove itself.
pub fn write_replaceable(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut temporary = tempfile::Builder::new().prefix(".prowess-").suffix(".tmp").tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}
