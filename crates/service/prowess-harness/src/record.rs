//! What was made in each view, written down in the engine's own folder.
//!
//! A view's record is found by the view's path. A view that was moved or cloned has no record, so nothing in it counts
//! as ours: better to leave something behind than to touch what may be somebody's. No file in a workspace can claim
//! to be ours.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_fs::Lock;
use serde::{Deserialize, Serialize};

use crate::ViewError;
use crate::disk::Found;

/// The version that is read and written.
const VERSION: u32 = 1;
/// A larger record is not read.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// The time to wait for another process that fills the same view.
const PATIENCE: Duration = Duration::from_secs(30);

/// The records of all views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Records {
    folder: PathBuf,
}

/// What was made in one view.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Record {
    version: u32,
    /// The view, for people.
    folder: String,
    /// Folders that were made for the view, the innermost first.
    pub(crate) made_folders: Vec<PathBuf>,
    /// What was made, by its name in the view.
    pub(crate) entries: BTreeMap<String, Made>,
}

/// What was made under one name. While something is changed, the old and the new state are both ours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Made {
    /// The targets of links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) links: Vec<String>,
    /// SHA-256 of each file, by its place in the view.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) files: BTreeMap<String, Vec<String>>,
}

/// How something in a view differs from what was made.
#[derive(Debug, Default)]
pub(crate) struct Strange {
    /// What was made and is something else now.
    pub(crate) edited: Vec<String>,
    /// What was not made from here.
    pub(crate) added: Vec<String>,
}

impl Records {
    /// The records in a folder, which need not be there yet.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Returns true if nothing was ever made.
    pub fn is_empty(&self) -> bool {
        !prowess_fs::is_taken(&self.folder)
    }

    /// Returns true if something was made in a view, by its settled path.
    pub fn has(&self, view: &Path) -> bool {
        prowess_fs::is_taken(&self.file(view))
    }

    /// What was made in a view; nothing if there is no record.
    pub fn read(&self, view: &Path) -> Result<Record, ViewError> {
        let file = self.file(view);
        let bytes = match prowess_fs::read_file(&file, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => return Ok(Record::default()),
            Err(error) => return Err(error.into()),
        };
        let record: Option<Record> = serde_json::from_slice(&bytes).ok();
        record
            .filter(|record| record.version == VERSION && record.folder == view.to_string_lossy())
            .ok_or_else(|| ViewError::Damaged { file, view: view.to_owned() })
    }

    /// The right to change a view and its record.
    pub(crate) fn lock(&self, view: &Path) -> Result<Lock, ViewError> {
        Ok(Lock::acquire(&self.file(view), PATIENCE)?)
    }

    /// Writes a record, or takes it away if nothing is left in it.
    pub(crate) fn write(&self, view: &Path, record: &Record) -> Result<(), ViewError> {
        let file = self.file(view);
        if record.entries.is_empty() {
            return match prowess_fs::remove_file(&file) {
                Err(source) => Err(ViewError::Io { path: file, source }),
                Ok(_) => Ok(()),
            };
        }
        let record =
            Record { version: VERSION, folder: view.to_string_lossy().into_owned(), ..record.clone() };
        let mut text = serde_json::to_string_pretty(&record).unwrap_or_default();
        text.push('\n');
        Ok(prowess_fs::write_atomic(&file, text.as_bytes(), Some(0o600))?)
    }

    fn file(&self, view: &Path) -> PathBuf {
        let name = prowess_fs::sha256_hex(view.as_os_str().as_encoded_bytes());
        self.folder.join(format!("{}.json", &name[..16]))
    }
}

impl Record {
    /// The names of what was made.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Returns true if something of this name was made.
    pub fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }
}

impl Made {
    /// Adds what is about to be made.
    pub(crate) fn expect(&mut self, next: &Self) {
        extend(&mut self.links, &next.links);
        for (place, hashes) in &next.files {
            extend(self.files.entry(place.clone()).or_default(), hashes);
        }
    }

    /// What in `found` is not as it was made.
    pub(crate) fn strange(&self, name: &str, found: &Found) -> Strange {
        let mut strange = Strange::default();
        match found {
            Found::Nothing => {}
            Found::Link(target) => {
                if !self.links.iter().any(|link| Path::new(link) == target) {
                    strange.edited.push(name.to_owned());
                }
            }
            Found::Odd => strange.edited.push(name.to_owned()),
            // A link was made, and something else has its name now.
            Found::Files { .. } if self.files.is_empty() => strange.edited.push(name.to_owned()),
            Found::Files { files, odd } => {
                for (place, file) in files {
                    match self.files.get(place) {
                        Some(hashes) if hashes.contains(&file.hash) => {}
                        Some(_) => strange.edited.push(place.clone()),
                        None => strange.added.push(place.clone()),
                    }
                }
                for place in odd {
                    let list =
                        if self.files.contains_key(place) { &mut strange.edited } else { &mut strange.added };
                    list.push(place.clone());
                }
            }
        }
        strange
    }
}

/// Adds what is not there yet.
fn extend(list: &mut Vec<String>, more: &[String]) {
    for new in more {
        if !list.contains(new) {
            list.push(new.clone());
        }
    }
}
