//! The queue on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prowess_fs::{EntryKind, Mirror, sha256_hex, tree_hash_of};

use super::record::DraftRecord;
use super::{Forge, ForgeError, MAX_BYTES, below};

/// The record of a draft, beside its files.
pub(super) const RECORD: &str = "draft.json";
/// Files of one draft, and folders within folders, that are looked at.
const MAX_FILES: usize = 200;
const MAX_DEPTH: usize = 8;

/// A draft as it lies on disk now.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDraft {
    /// Its record.
    pub record: DraftRecord,
    /// Its files, by their place below its folder.
    pub files: BTreeMap<String, String>,
    /// The hash of its files. A test holds for this content only.
    pub hash: String,
}

impl StoredDraft {
    /// The text of the skill.
    pub fn skill_md(&self) -> &str {
        self.files.get("SKILL.md").map_or("", String::as_str)
    }

    /// The script, if it has one.
    pub fn script(&self) -> Option<&str> {
        self.files.get(self.record.script.as_ref()?).map(String::as_str)
    }

    /// Returns true if it passed its test as it is now.
    pub fn has_passed(&self) -> bool {
        self.record.test.as_ref().is_some_and(|test| test.passed && test.hash == self.hash)
    }
}

impl Forge<'_> {
    /// Every draft, by name. A folder without a readable record is left out.
    pub fn list(&self) -> Result<Vec<DraftRecord>, ForgeError> {
        // Reading goes on where nothing can be settled now, such as on a disk that is full.
        let _ = self.settle();
        self.records()
    }

    /// Every draft as it lies on disk, by name.
    pub(super) fn records(&self) -> Result<Vec<DraftRecord>, ForgeError> {
        let mut records = Vec::new();
        for folder in prowess_fs::subfolders(&self.drafts()) {
            match read_record(&folder) {
                Ok(record) => records.push(record),
                Err(ForgeError::Read(error)) if error.is_missing() => {}
                Err(error) => return Err(error),
            }
        }
        records.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(records)
    }

    /// A draft by its name, its fingerprint, or the beginning of one.
    pub fn show(&self, name: &str) -> Result<StoredDraft, ForgeError> {
        let record = self.find(name)?;
        self.stored(record)
    }

    pub(super) fn find(&self, text: &str) -> Result<DraftRecord, ForgeError> {
        let mut records = self.list()?;
        if let Some(exact) = records.iter().position(|record| record.name == text) {
            return Ok(records.swap_remove(exact));
        }
        let begins = |record: &DraftRecord| {
            !text.is_empty() && (record.name.starts_with(text) || record.fingerprint.starts_with(text))
        };
        let mut found: Vec<DraftRecord> = records.into_iter().filter(begins).collect();
        match (found.pop(), found.is_empty()) {
            (Some(record), true) => Ok(record),
            (None, _) => Err(ForgeError::Unknown(text.to_owned())),
            (Some(last), false) => {
                let names = found.iter().chain([&last]).map(|record| record.name.clone()).collect();
                Err(ForgeError::Ambiguous { text: text.to_owned(), names })
            }
        }
    }

    pub(super) fn stored(&self, record: DraftRecord) -> Result<StoredDraft, ForgeError> {
        let folder = self.drafts().join(&record.name);
        let mut files = BTreeMap::new();
        let mut hashes = Vec::new();
        for entry in prowess_fs::list_all(&folder, MAX_FILES, MAX_DEPTH).entries {
            let is_own = entry.relative == RECORD || is_half_written(&entry.relative);
            if is_own || !matches!(entry.kind, EntryKind::File { .. }) {
                continue;
            }
            let bytes = prowess_fs::read_file(&entry.path, MAX_BYTES)?;
            hashes.push((entry.relative.clone(), prowess_fs::is_executable(&entry.path), sha256_hex(&bytes)));
            files.insert(entry.relative, String::from_utf8_lossy(&bytes).into_owned());
        }
        let hash = tree_hash_of(
            hashes.iter().map(|(path, executable, hash)| (path.as_str(), *executable, hash.clone())),
        );
        Ok(StoredDraft { record, files, hash })
    }

    /// Writes the files of a draft, and then its record. The queue is locked by the caller.
    pub(super) fn store(
        &self,
        record: &DraftRecord,
        files: &BTreeMap<String, String>,
    ) -> Result<(), ForgeError> {
        let folder = self.drafts().join(&record.name);
        let mirror = Mirror::open(&folder)?;
        let before = prowess_fs::list_all(&folder, MAX_FILES, MAX_DEPTH).entries;
        for (relative, text) in files {
            let is_script = relative.starts_with("scripts/");
            mirror
                .write(relative, text.as_bytes(), is_script)
                .map_err(|source| failed(&folder, relative, source))?;
        }
        for old in before {
            if old.relative != RECORD && !files.contains_key(&old.relative) {
                mirror.remove(&old.relative).map_err(|source| failed(&folder, &old.relative, source))?;
            }
        }
        self.store_record(record)
    }

    pub(super) fn store_record(&self, record: &DraftRecord) -> Result<(), ForgeError> {
        let path = self.record_path(&record.name);
        let text = record_text(&path, record)?;
        Ok(prowess_fs::write_atomic(&path, text.as_bytes(), Some(0o600))?)
    }

    pub(super) fn record_path(&self, name: &str) -> PathBuf {
        self.drafts().join(name).join(RECORD)
    }

    /// Takes a draft out of the queue.
    pub(super) fn remove(&self, name: &str) -> Result<(), ForgeError> {
        let folder = self.drafts().join(name);
        let mirror = Mirror::open(&folder)?;
        // Without its record it is no longer a draft.
        mirror.remove(RECORD).map_err(|source| failed(&folder, RECORD, source))?;
        for entry in prowess_fs::list_all(&folder, MAX_FILES, MAX_DEPTH).entries {
            mirror.remove(&entry.relative).map_err(|source| failed(&folder, &entry.relative, source))?;
        }
        Ok(())
    }
}

/// A record as it is written.
pub(super) fn record_text(path: &Path, record: &DraftRecord) -> Result<String, ForgeError> {
    let text = serde_json::to_string_pretty(record)
        .map_err(|source| ForgeError::Record { path: path.to_owned(), source })?;
    Ok(text + "\n")
}

fn read_record(folder: &Path) -> Result<DraftRecord, ForgeError> {
    let path = folder.join(RECORD);
    let bytes = prowess_fs::read_file(&path, MAX_BYTES)?;
    let mut record: DraftRecord =
        serde_json::from_slice(&bytes).map_err(|source| ForgeError::Record { path, source })?;
    // The folder is where the draft is, whatever its record says.
    record.test = record.test.map(super::report::TestReport::revised);
    record.name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(record)
}

/// Returns true if a file was left by a writer that was interrupted: it is not part of a draft.
fn is_half_written(relative: &str) -> bool {
    let name = relative.rsplit('/').next().unwrap_or(relative);
    name.starts_with(".prowess-") && Path::new(name).extension().is_some_and(|ending| ending == "tmp")
}

pub(super) fn failed(folder: &Path, relative: &str, source: std::io::Error) -> ForgeError {
    ForgeError::Io { path: below(folder, relative), source }
}
