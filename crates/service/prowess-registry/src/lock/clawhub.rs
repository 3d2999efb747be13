//! `.clawhub/lock.json` and `<skill>/.clawhub/origin.json`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::LockfileError;
use crate::protocol::Millis;

/// The only version of both formats.
const VERSION: u64 = 1;

/// `<workdir>/.clawhub/lock.json`: what is installed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClawhubLock {
    version: u64,
    skills: Map<String, Value>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// A skill of a [`ClawhubLock`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClawhubEntry {
    /// The installed version.
    pub version: Option<String>,
    /// When it was first installed; updates do not change it.
    pub installed_at: Millis,
    /// The publisher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_handle: Option<String>,
    /// True if updates skip it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned: Option<bool>,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin_reason: Option<String>,
    /// What was asked for, if it was no slug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_ref: Option<String>,
    /// Everything else, kept as it is.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Default for ClawhubLock {
    fn default() -> Self {
        Self { version: VERSION, skills: Map::new(), other: Map::new() }
    }
}

impl ClawhubLock {
    /// Where it is, below the work directory.
    pub const PLACE: &'static str = ".clawhub/lock.json";
    /// Where older clients put it; read, never written.
    pub const OLD_PLACE: &'static str = ".clawdhub/lock.json";

    /// Reads a lock. The original takes a broken one for empty; here the caller decides that.
    pub fn parse(text: &str) -> Result<Self, LockfileError> {
        let lock: Self = read(Self::PLACE, text)?;
        check_version(Self::PLACE, lock.version)?;
        for entry in lock.skills.values() {
            ClawhubEntry::deserialize(entry)
                .map_err(|source| LockfileError::Shape { file: Self::PLACE.to_owned(), source })?;
        }
        Ok(lock)
    }

    /// The keys, `slug` or `@owner/slug`, with their entries.
    pub fn entries(&self) -> impl Iterator<Item = (&str, ClawhubEntry)> {
        self.skills
            .iter()
            .filter_map(|(key, value)| Some((key.as_str(), ClawhubEntry::deserialize(value).ok()?)))
    }

    /// One skill.
    pub fn get(&self, key: &str) -> Option<ClawhubEntry> {
        ClawhubEntry::deserialize(self.skills.get(key)?).ok()
    }

    /// Adds a skill, or replaces what is known of it.
    pub fn set(&mut self, key: &str, entry: &ClawhubEntry) {
        if let Ok(value) = serde_json::to_value(entry) {
            self.skills.insert(key.to_owned(), value);
        }
    }

    /// Forgets a skill; says whether it was there.
    pub fn remove(&mut self, key: &str) -> bool {
        self.skills.shift_remove(key).is_some()
    }

    /// The text to write.
    pub fn to_text(&self) -> String {
        write(self)
    }
}

/// `<skill>/.clawhub/origin.json`: where an installed skill came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClawhubOrigin {
    version: u64,
    /// The base address of the registry.
    pub registry: String,
    /// The slug.
    pub slug: String,
    /// The publisher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_handle: Option<String>,
    /// The version.
    pub installed_version: String,
    /// When it was first installed; updates do not change it.
    pub installed_at: Millis,
    /// The fingerprint of the files as they were installed. Old clients did not write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Everything else, kept as it is.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl ClawhubOrigin {
    /// Where it is, below the skill's folder.
    pub const PLACE: &'static str = ".clawhub/origin.json";

    /// The origin of a skill that was just installed.
    pub fn new(registry: &str, slug: &str, installed_version: &str, installed_at: Millis) -> Self {
        Self {
            version: VERSION,
            registry: registry.to_owned(),
            slug: slug.to_owned(),
            owner_handle: None,
            installed_version: installed_version.to_owned(),
            installed_at,
            fingerprint: None,
            other: Map::new(),
        }
    }

    /// Reads an origin.
    pub fn parse(text: &str) -> Result<Self, LockfileError> {
        let origin: Self = read(Self::PLACE, text)?;
        check_version(Self::PLACE, origin.version)?;
        Ok(origin)
    }

    /// The text to write.
    pub fn to_text(&self) -> String {
        write(self)
    }
}

fn read<'a, T: Deserialize<'a>>(file: &str, text: &'a str) -> Result<T, LockfileError> {
    serde_json::from_str(text).map_err(|source| LockfileError::Shape { file: file.to_owned(), source })
}

fn check_version(file: &str, version: u64) -> Result<(), LockfileError> {
    if version == VERSION {
        return Ok(());
    }
    Err(LockfileError::Version { file: file.to_owned(), version: version.to_string() })
}

/// Two spaces and a line end, as the original writes. Such data can always be written.
fn write(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
