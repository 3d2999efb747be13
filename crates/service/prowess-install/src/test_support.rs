//! Small skills and homes for the tests of this crate.

use std::path::Path;
use std::time::Duration;

use prowess_types::{Bundle, BundleFile};

use crate::{Folder, Home, Placement, Provenance, Writer};

pub(crate) struct Case {
    pub(crate) home: Home,
    folder: tempfile::TempDir,
}

impl Case {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::new(folder.path().join("skills"), folder.path().join(".prowess"));
        Self { home, folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn writer(&self) -> Writer {
        Writer::open(&self.home, Duration::from_secs(5)).unwrap()
    }

    /// Installs a skill as `demo`.
    pub(crate) fn install(&self, bundle: &Bundle) {
        self.writer().place(&placement(bundle), crate::Existing::Refuse).unwrap();
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.home.skills.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.home.skills.join(path)).unwrap()
    }

    /// Everything below the folder of skills.
    pub(crate) fn listed(&self) -> Vec<String> {
        let listing = prowess_fs::list_all(&self.home.skills, 1000, 10);
        listing.entries.into_iter().map(|entry| entry.relative).collect()
    }
}

pub(crate) fn demo() -> Folder {
    Folder::parse("demo").unwrap()
}

/// Files by path and text; a name that ends in `!` can be run.
pub(crate) fn bundle(files: &[(&str, &str)]) -> Bundle {
    let files = files.iter().map(|(path, text)| BundleFile {
        path: path.trim_end_matches('!').to_owned(),
        bytes: text.as_bytes().to_vec(),
        executable: path.ends_with('!'),
    });
    Bundle { files: files.collect() }
}

pub(crate) fn placement(bundle: &Bundle) -> Placement<'_> {
    let provenance =
        Provenance { name: "demo".to_owned(), source: "./demo".to_owned(), ..Provenance::default() };
    Placement::new(demo(), bundle, provenance, 1000)
}
