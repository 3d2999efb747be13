//! Skills for an agent that cannot see the user's folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the model finds skills that were copied for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locations {
    /// The copy of each file, by the file that it was copied from.
    files: BTreeMap<PathBuf, String>,
}

impl Locations {
    /// The copy of a skill's file, as the model is told.
    pub fn of(&self, file: &Path) -> Option<&str> {
        self.files.get(file).map(String::as_str)
    }
}
