//! A skill laid out for somebody who wants to look at it before it is installed.

use std::path::{Path, PathBuf};

use prowess_types::Bundle;

use crate::{FilePath, InstallError, disk, failed};

/// The files of a bundle in a folder that goes away with this.
#[derive(Debug)]
pub struct Display {
    place: PathBuf,
    _folder: tempfile::TempDir,
}

impl Display {
    /// Lays a bundle out below `within`, in a folder that only the user can enter.
    pub fn new(bundle: &Bundle, within: &Path) -> Result<Self, InstallError> {
        for file in &bundle.files {
            FilePath::parse(&file.path)?;
        }
        prowess_fs::make_folders(within).map_err(failed("make", within))?;
        let folder = tempfile::Builder::new()
            .prefix("review-")
            .tempdir_in(within)
            .map_err(failed("make a folder in", within))?;
        let place = folder.path().join("skill");
        disk::write_tree(&place, &bundle.files)?;
        Ok(Self { place, _folder: folder })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.place
    }
}

#[cfg(test)]
mod tests {
    use prowess_types::BundleFile;

    use super::*;

    fn bundle(path: &str) -> Bundle {
        Bundle { files: vec![BundleFile { path: path.into(), bytes: b"x".to_vec(), executable: true }] }
    }

    #[test]
    fn it_is_there_until_nobody_looks_any_more() {
        let within = tempfile::tempdir().unwrap();
        let within = within.path().join("cache");
        let display = Display::new(&bundle("scripts/run.sh"), &within).unwrap();
        let file = display.path().join("scripts/run.sh");
        assert!(prowess_fs::is_executable(&file));
        drop(display);
        assert!(!file.exists());
        assert!(Display::new(&bundle("../run.sh"), &within).is_err());
    }
}
