//! The lock file: what is installed, from where, with which hash and verdict.
//!
//! It may have been written by a later version, by a merge tool, or by somebody who means harm: fields nobody knows
//! survive a rewrite, names that lead elsewhere do not parse, and a file that cannot be read is kept under another name.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use prowess_types::{ScanVerdict, StoredVerdict};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::home::damaged_name;
use crate::{Digest, FilePath, Folder, Home, InstallError, failed};

const SCHEMA: u64 = 1;
const MAX_BYTES: u64 = 64 << 20;
/// Only writers that skip the guard of the whole home are waited for here.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is installed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockFile {
    schema: u64,
    /// The installed skills.
    #[serde(default)]
    pub skills: BTreeMap<Folder, LockEntry>,
    /// What was known about skills that were removed, for when they come back.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub removed: BTreeMap<Folder, LockEntry>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

/// The entry of an installed skill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockEntry {
    /// Its source.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The hash of its files as they came.
    pub hash: Digest,
    /// Its files as they came.
    pub files: BTreeMap<FilePath, LockedFile>,
    /// Files in its folder that tools keep for themselves; they are not part of the skill.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<FilePath>,
    /// When it was first installed, in milliseconds since 1970.
    pub installed_at: u64,
    /// When it was last updated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<u64>,
    /// Whether it is held at what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned: Option<Pin>,
    #[serde(flatten)]
    pub(crate) unknown: Map<String, Value>,
}

/// The source of a skill and what was thought of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// The skill's name.
    pub name: String,
    /// The source as it was named.
    pub source: String,
    /// The version, tag or branch that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested: Option<String>,
    /// The version that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The commit that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The registry it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry: Option<String>,
    /// Who publishes it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// What the scanner said, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan: Option<ScanNote>,
    /// What the skill can do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<String>,
}

/// What the scanner said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScanNote {
    /// Its verdict.
    pub verdict: StoredVerdict,
    /// The number of findings.
    pub findings: usize,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

impl ScanNote {
    /// A verdict with the number of findings behind it.
    pub fn new(verdict: ScanVerdict, findings: usize) -> Self {
        Self { verdict: verdict.into(), findings, unknown: Map::new() }
    }
}

/// A file as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedFile {
    /// The digest of its content.
    pub sha256: Digest,
    /// True if it can be run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

impl LockedFile {
    pub(crate) fn new(sha256: Digest, executable: bool) -> Self {
        Self { sha256, executable, unknown: Map::new() }
    }
}

/// Holds a skill at what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pin {
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

impl Pin {
    /// A pin, with a reason if there is one.
    pub fn new(reason: Option<String>) -> Self {
        Self { reason, unknown: Map::new() }
    }
}

/// The reason a text is not a lock file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LockParseError {
    /// It is of a later schema.
    #[error("schema {schema} is newer than this program")]
    Newer {
        /// The schema.
        schema: u64,
    },
    /// It is not a lock file.
    #[error("{reason}")]
    Damaged {
        /// The problem.
        reason: String,
    },
}

impl Default for LockFile {
    fn default() -> Self {
        Self { schema: SCHEMA, skills: BTreeMap::new(), removed: BTreeMap::new(), unknown: Map::new() }
    }
}

impl LockEntry {
    /// The hash that the listed files have together.
    pub(crate) fn listed_hash(&self) -> Digest {
        let files = self.files.iter();
        Digest::of_tree(files.map(|(path, file)| (path.as_str(), file.executable, &file.sha256)))
    }
}

impl LockFile {
    /// Reads a text.
    ///
    /// ```
    /// use prowess_install::LockFile;
    /// let lock = LockFile::parse(r#"{"schema": 1, "skills": {}, "later": true}"#)?;
    /// assert!(lock.render().contains("later"));
    /// # Ok::<(), prowess_install::LockParseError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, LockParseError> {
        let damaged = |reason: String| LockParseError::Damaged { reason };
        let value: Value = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
        match value.get("schema").and_then(Value::as_u64) {
            Some(SCHEMA) => {}
            Some(schema) if schema > SCHEMA => return Err(LockParseError::Newer { schema }),
            _ => return Err(damaged("it names no schema".to_owned())),
        }
        let lock: Self = serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
        for (folder, entry) in lock.skills.iter().chain(&lock.removed) {
            if entry.listed_hash() != entry.hash {
                return Err(damaged(format!("the hash of `{folder}` is not that of its files")));
            }
        }
        Ok(lock)
    }

    /// As text, ready to be written.
    pub fn render(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The lock file of a home; an empty one if there is none.
    pub fn read(home: &Home) -> Result<Self, InstallError> {
        let path = home.lock_file();
        let bytes = match prowess_fs::read_file(&path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => return Ok(Self::default()),
            Err(error) => return Err(error.into()),
        };
        let text = String::from_utf8(bytes)
            .map_err(|_| InstallError::Damaged { path: path.clone(), reason: "it is not text".to_owned() })?;
        Self::parse(&text).map_err(|error| at(path, error))
    }

    /// The same, by who may write: a damaged file is kept under another name, which is the second part.
    pub(crate) fn rescue(home: &Home) -> Result<(Self, Option<PathBuf>), InstallError> {
        match Self::read(home) {
            Ok(lock) => Ok((lock, None)),
            Err(InstallError::Damaged { path, .. }) => {
                let kept = damaged_name(&path);
                prowess_fs::put_aside(&path, &kept).map_err(failed("put aside", &path))?;
                Ok((Self::default(), Some(kept)))
            }
            Err(error) => Err(error),
        }
    }

    /// Changes the lock file of a home, from what it says now.
    pub(crate) fn change(home: &Home, edit: impl FnOnce(&mut Self)) -> Result<(), InstallError> {
        let path = home.lock_file();
        prowess_fs::update_file(&path, PATIENCE, |old| {
            let mut lock = match &old {
                Some(text) => Self::parse(text).map_err(|error| at(path.clone(), error))?,
                None => Self::default(),
            };
            let before = lock.clone();
            edit(&mut lock);
            Ok::<_, InstallError>((lock != before).then(|| lock.render()))
        })?;
        Ok(())
    }
}

fn at(path: PathBuf, error: LockParseError) -> InstallError {
    match error {
        LockParseError::Newer { schema } => InstallError::Newer { path, schema },
        LockParseError::Damaged { reason } => InstallError::Damaged { path, reason },
    }
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
