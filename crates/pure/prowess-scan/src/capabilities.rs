//! The capabilities of a skill, as tags `verb:target`.

use std::collections::BTreeSet;
use std::fmt;

use prowess_effects::UNREADABLE_EFFECT;
use serde::{Deserialize, Serialize};

/// Tags that one skill can have; beyond them, the skill counts as unreadable.
const LIMIT: usize = 512;

/// The capabilities of a skill: `read:git`, `shell:make`, `network:api.example.org`, `env:NAME`, `write:~/.config/x`,
/// `delete:./dist`, and `shell:unknown` for what cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Capabilities(BTreeSet<String>);

impl Capabilities {
    /// The tags, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Returns true if a tag is there.
    pub fn contains(&self, tag: &str) -> bool {
        self.0.contains(tag)
    }

    /// Returns true if the skill can do nothing but talk.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn add(&mut self, verb: &str, target: &str) {
        let target = target.trim_matches(['"', '\'', '`', ';', ')', ',']);
        let lower;
        let target = if verb == "network" {
            lower = target.to_ascii_lowercase();
            &lower
        } else {
            target
        };
        if !target.is_empty() && target.len() <= 200 {
            self.insert(format!("{verb}:{target}"));
        }
    }

    /// Adds tags that were read from code.
    pub(crate) fn extend<'t>(&mut self, tags: impl Iterator<Item = &'t str>) {
        tags.for_each(|tag| self.insert(tag.to_owned()));
    }

    /// Adds the tag of content that was not read.
    pub(crate) fn unreadable(&mut self) {
        self.0.insert(UNREADABLE_EFFECT.to_owned());
    }

    fn insert(&mut self, tag: String) {
        if self.0.len() < LIMIT || self.0.contains(&tag) {
            self.0.insert(tag);
        } else {
            self.unreadable();
        }
    }
}

impl<T: Into<String>> FromIterator<T> for Capabilities {
    fn from_iter<I: IntoIterator<Item = T>>(tags: I) -> Self {
        Self(tags.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().enumerate().try_for_each(|(at, tag)| write!(f, "{}{tag}", if at == 0 { "" } else { " " }))
    }
}

/// What one version can do that another cannot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CapabilityDiff {
    /// Only the new version can.
    pub added: Vec<String>,
    /// Only the old version could.
    pub removed: Vec<String>,
}

impl CapabilityDiff {
    /// Returns true if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }
}

/// Compares two versions.
///
/// ```
/// use prowess_scan::{Capabilities, diff};
/// let old: Capabilities = ["shell:git"].into_iter().collect();
/// let new: Capabilities = ["network:api.example.org", "shell:git"].into_iter().collect();
/// assert_eq!(diff(&old, &new).added, ["network:api.example.org"]);
/// ```
pub fn diff(old: &Capabilities, new: &Capabilities) -> CapabilityDiff {
    CapabilityDiff {
        added: new.0.difference(&old.0).cloned().collect(),
        removed: old.0.difference(&new.0).cloned().collect(),
    }
}
