//! The current place of the walk: the path as people know it beside the path with every link resolved.
//!
//! The real path is carried along instead of being asked for, because below a real folder it only grows by
//! the name; only links are ever resolved.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A folder on the way.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Its name where it was met: for a link, the link's.
    pub(super) name: OsString,
    /// The names that lead to it from the root, with `/` between them.
    pub(super) relative: String,
    /// Its path as it was met.
    pub(super) path: PathBuf,
    /// Its path with every link resolved.
    pub(super) real: PathBuf,
}

impl Place {
    pub(super) fn root(path: &Path, real: &Path) -> Self {
        let name = path.file_name().or_else(|| real.file_name());
        Self {
            name: name.unwrap_or_default().to_owned(),
            relative: String::new(),
            path: path.to_owned(),
            real: real.to_owned(),
        }
    }

    /// A real folder directly below.
    pub(super) fn child(&self, name: OsString) -> Self {
        let real = self.real.join(&name);
        self.linked_child(name, real)
    }

    /// A link directly below that leads to `real`.
    pub(super) fn linked_child(&self, name: OsString, real: PathBuf) -> Self {
        Self { relative: self.relative_to_child(&name), path: self.path.join(&name), name, real }
    }

    pub(super) fn relative_to_child(&self, name: &OsStr) -> String {
        let name = name.to_string_lossy();
        if self.relative.is_empty() { name.into_owned() } else { format!("{}/{name}", self.relative) }
    }
}
