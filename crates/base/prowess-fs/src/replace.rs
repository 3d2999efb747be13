//! Files that can be made again at any time: written fast, whole or not at all, without waiting for the disk.

use std::io::Write as _;
use std::path::{Path, PathBuf};
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

/// The files of a cache with an extension, sorted by name; links are left out, and so is what is half written.
pub fn cache_files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// Removes a file of a cache. One that is gone already, or cannot be removed, only takes up room.
pub fn drop_cache_file(path: &Path) {
    let _ = fs::remove_file(path);
}

/// Gives a damaged file another name beside it, so that it can be looked at later; an older one of that name makes room.
pub fn put_aside(path: &Path, kept: &Path) -> io::Result<()> {
    fs::rename(path, kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_lists_what_is_whole_and_its_own() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.vec", "a.vec", "c.txt", ".prowess-x.tmp"] {
            write_replaceable(&folder.path().join("deep").join(name), b"x").unwrap();
        }
        fs::create_dir(folder.path().join("deep/d.vec")).unwrap();
        let folder = folder.path().join("deep");
        let names = || -> Vec<_> {
            cache_files(&folder, "vec").iter().map(|file| file.file_name().unwrap().to_owned()).collect()
        };
        assert_eq!(names(), ["a.vec", "b.vec"]);
        drop_cache_file(&folder.join("a.vec"));
        drop_cache_file(&folder.join("a.vec"));
        assert_eq!(names(), ["b.vec"]);
        assert!(cache_files(&folder.join("none"), "vec").is_empty());
    }
}
