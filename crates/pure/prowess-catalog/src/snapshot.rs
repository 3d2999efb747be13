//! What one agent sees in one workspace, frozen.
//!
//! Invariants: a snapshot cannot be changed, and its id is the hash of its content. The version only
//! says which of two snapshots is newer, for clients that compare numbers; it is no part of the content.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use prowess_types::{ContentHash, Origin, Skill};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Changes whenever the same skills would be written differently, so that stored prompts are not reused.
const PROMPT_FORMAT_VERSION: u32 = 6;

/// An eligible skill, hidden from the model or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotSkill {
    /// Its name.
    pub name: String,
    /// The key of its config entry.
    pub skill_key: String,
    /// The variable that holds its API key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primary_env: Option<String>,
    /// The variables it needs; present when it declares requirements of any kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_env: Option<Vec<String>>,
    /// Its file.
    pub file_path: String,
    /// The label of its source.
    pub source: String,
    /// The hash of its text.
    pub content_hash: ContentHash,
}

impl SnapshotSkill {
    /// The summary of a skill.
    pub fn new(skill: &Skill, origin: &Origin) -> Self {
        Self {
            name: skill.name.clone(),
            skill_key: skill.key().to_owned(),
            primary_env: skill.metadata.primary_env.clone(),
            required_env: skill.metadata.requires_declared.then(|| skill.requirements.env.clone()),
            file_path: origin.file.to_string_lossy().into_owned(),
            source: origin.source.clone(),
            content_hash: skill.content_hash,
        }
    }
}

/// A skill that is in the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedSkill {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// Its file.
    pub file_path: String,
    /// The folder that relative paths in it are resolved against.
    pub base_dir: String,
    /// The label of its source.
    pub source: String,
    /// The hash of its text.
    pub content_hash: ContentHash,
    /// True if its author keeps it from the model; such a skill is in no prompt, but a client may ask.
    pub disable_model_invocation: bool,
}

impl ResolvedSkill {
    /// The details of a skill.
    pub fn new(skill: &Skill, origin: &Origin) -> Self {
        Self {
            name: skill.name.clone(),
            description: skill.description.clone(),
            file_path: origin.file.to_string_lossy().into_owned(),
            base_dir: origin.base.to_string_lossy().into_owned(),
            source: origin.source.clone(),
            content_hash: skill.content_hash,
            disable_model_invocation: skill.invocation.disable_model_invocation,
        }
    }
}

/// Everything in a snapshot that its id stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotContent {
    /// The agent it is for, when there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The workspace it is for.
    pub workspace_dir: String,
    /// The catalogue.
    pub prompt: String,
    /// Every eligible skill that the agent may use.
    pub skills: Vec<SnapshotSkill>,
    /// The agent's allowlist, when it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_filter: Option<Vec<String>>,
    /// The skills that are in the catalogue.
    #[serde(rename = "resolvedSkills")]
    pub resolved: Vec<ResolvedSkill>,
}

/// A frozen view; shared behind an `Arc`. Its content is read through it. One that was stored is read back only if its
/// id is still the hash of its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", try_from = "Stored")]
pub struct Snapshot {
    id: String,
    version: u64,
    prompt_format_version: u32,
    #[serde(flatten)]
    content: SnapshotContent,
}

/// A snapshot that nobody has checked yet.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Stored {
    id: String,
    version: u64,
    prompt_format_version: u32,
    #[serde(flatten)]
    content: SnapshotContent,
}

impl TryFrom<Stored> for Snapshot {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        let Stored { id, version, prompt_format_version, content } = stored;
        if hash(prompt_format_version, &content) != id {
            return Err("the id is not the hash of the content");
        }
        Ok(Self { id, version, prompt_format_version, content })
    }
}

impl Deref for Snapshot {
    type Target = SnapshotContent;

    fn deref(&self) -> &SnapshotContent {
        &self.content
    }
}

impl Snapshot {
    /// Freezes a content under its hash.
    pub fn build(content: SnapshotContent, version: u64) -> Self {
        Self {
            id: hash(PROMPT_FORMAT_VERSION, &content),
            version,
            prompt_format_version: PROMPT_FORMAT_VERSION,
            content,
        }
    }

    /// The hash of the content: equal ids mean equal content, whatever the version.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Rises with every snapshot that differs from the one before.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The version of the rules by which its prompt was written.
    pub fn prompt_format_version(&self) -> u32 {
        self.prompt_format_version
    }

    /// Returns true if a newer one is needed: the version was passed, it was reset, or the filter is another.
    pub fn is_stale(&self, current_version: u64, skill_filter: Option<&[String]>) -> bool {
        let was_reset = current_version == 0 && self.version > 0;
        let names = |filter: &[String]| filter.iter().cloned().collect::<BTreeSet<_>>();
        let filter_changed = self.skill_filter.as_deref().map(names) != skill_filter.map(names);
        self.version < current_version || was_reset || filter_changed
    }
}

/// The version after `current`: the time, unless the clock stands still or goes back.
pub fn next_version(current: u64, now_ms: u64) -> u64 {
    now_ms.max(current.saturating_add(1))
}

fn hash(format: u32, content: &SnapshotContent) -> String {
    // Texts and lists of texts always serialise, and fields in the order of the type.
    let canonical = serde_json::to_vec(&(format, content)).unwrap_or_default();
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(canonical) {
        for digit in [byte >> 4, byte & 0xf] {
            hex.extend(char::from_digit(digit.into(), 16));
        }
    }
    hex
}

/// Names of the skills in which two snapshots differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SnapshotDiff {
    /// Only in the later one.
    pub added: Vec<String>,
    /// Only in the earlier one.
    pub removed: Vec<String>,
    /// In both, with another key, source, file or text.
    pub changed: Vec<String>,
}

impl SnapshotDiff {
    /// Returns true if nothing differs.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }

    /// Both steps as one: what came and went again in between is no difference.
    #[must_use]
    pub fn then(self, later: Self) -> Self {
        let has = |list: &[String], name: &String| list.contains(name);
        let replaced: Vec<String> =
            later.added.iter().filter(|name| has(&self.removed, name)).cloned().collect();
        let is_known = |name: &String| !has(&self.added, name);
        let mut added: Vec<String> =
            self.added.iter().filter(|name| !has(&later.removed, name)).cloned().collect();
        added.extend(later.added.iter().filter(|name| !has(&self.removed, name)).cloned());
        let mut removed: Vec<String> =
            self.removed.iter().filter(|name| !has(&later.added, name)).cloned().collect();
        removed.extend(later.removed.iter().filter(|name| is_known(name)).cloned());
        let mut changed: Vec<String> =
            self.changed.iter().filter(|name| !has(&later.removed, name)).cloned().collect();
        changed.extend(later.changed.iter().filter(|name| is_known(name)).cloned());
        changed.extend(replaced);
        for list in [&mut added, &mut removed, &mut changed] {
            list.sort_unstable();
            list.dedup();
        }
        Self { added, removed, changed }
    }
}

/// What changed between two snapshots: skills that came, went, or are no longer the same.
pub fn diff(earlier: &SnapshotContent, later: &SnapshotContent) -> SnapshotDiff {
    let (before, after) = (identities(earlier), identities(later));
    let names = |names: &mut dyn Iterator<Item = &&str>| names.map(|name| (*name).to_owned()).collect();
    SnapshotDiff {
        added: names(&mut after.keys().filter(|name| !before.contains_key(*name))),
        removed: names(&mut before.keys().filter(|name| !after.contains_key(*name))),
        changed: names(
            &mut after
                .iter()
                .filter_map(|(name, now)| before.get(name).filter(|then| *then != now).map(|_| name)),
        ),
    }
}

/// Key, source, file and hash of every skill of a name; where ids decide, a name may come twice.
type Identities<'a> = BTreeMap<&'a str, BTreeSet<(&'a str, &'a str, &'a str, &'a ContentHash)>>;

fn identities(content: &SnapshotContent) -> Identities<'_> {
    let mut identities = Identities::new();
    for skill in &content.skills {
        let SnapshotSkill { skill_key, source, file_path, content_hash, .. } = skill;
        let identity = (skill_key.as_str(), source.as_str(), file_path.as_str(), content_hash);
        identities.entry(&skill.name).or_default().insert(identity);
    }
    identities
}

#[cfg(test)]
#[path = "snapshot_tests.rs"]
mod tests;
