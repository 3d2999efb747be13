//! Writing folders of files so that they stay written.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use prowess_types::BundleFile;

use crate::names::MARK;
use crate::{Error, failed};

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
    unsupported_is_fine(result).map_err(failed("synchronise", folder))
}

/// Some file systems cannot synchronise everything, which is not an error.
pub(crate) fn unsupported_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
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
