//! Changes that loosen the sandbox, approvals, tool policy or access to the gateway.
//!
//! Invariant: a key of a [strict section](STRICT) that is not classified, or not known at all, counts as protected. So a new
//! setting is never open by omission.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::api_key::ApiKey;
use crate::keypath::display;
use crate::kind::Kind;
use crate::lookup::{self, Spot};
use crate::protection::Protection;
use crate::redact::{self, MASK};
use crate::run::{ToolPermission, permission_of};
use crate::{Config, Profile, Revised, content_hash};

/// Sections whose unknown keys are protected, too.
pub(crate) const STRICT: [&str; 16] = [
    "approvals",
    "auth",
    "browser",
    "commands",
    "env",
    "forge",
    "gateway",
    "hooks",
    "mcp",
    "models",
    "plugins",
    "proxy",
    "run",
    "secrets",
    "security",
    "tools",
];

/// The fields of a tool that say whether it asks.
const CONSENT_FIELDS: [&str; 3] = ["policy", "security", "ask"];

/// A protected key, before and after a change. Secrets are masked.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ProtectedChange {
    /// The key, such as `run.landlock`.
    pub key: String,
    /// The value before; null if it was not set.
    pub old: Value,
    /// The value after; null if it is no longer set.
    pub new: Value,
}

/// Everything that a change loosens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loosening {
    /// The protected keys that change.
    pub changes: Vec<ProtectedChange>,
    /// A hash of the same with secrets: two changes with the same hash do the same.
    pub digest: String,
}

impl Loosening {
    /// Returns true if nothing is loosened.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// A loosening of settings outside the config, made of what is shown.
    pub fn of(changes: Vec<ProtectedChange>) -> Self {
        let digest = content_hash(&serde_json::to_string(&changes).unwrap_or_default());
        Self { changes, digest }
    }
}

impl Revised<'_> {
    /// Everything that the text `after` loosens, compared with this file. `is_own_workspace` tells whether a folder is one
    /// that the engine makes for an agent.
    ///
    /// ```
    /// # use prowess_config::Revised;
    /// # use prowess_types::ProfileName;
    /// let file = || Revised { text: Some("{}"), file: "c.json".as_ref(), profile: ProfileName::Prowess };
    /// let loosens = |after: &str| !file().loosening(after, &|_| false).is_empty();
    /// assert!(loosens("{run: {landlock: 'off'}}"));
    /// assert!(!loosens("{run: {landlock: 'require'}}"));
    /// ```
    pub fn loosening(self, after: &str, is_own_workspace: &dyn Fn(&str) -> bool) -> Loosening {
        let read = |text| Config::parse(text, self.file, self.profile).0;
        let (before, after) = (read(self.text), read(Some(after)));
        let mut search =
            Search { profile: crate::profile(self.profile), is_own_workspace, found: Vec::new() };
        search.walk(&mut Vec::new(), Some(before.user_value()), Some(after.user_value()));
        let whole: Vec<_> = search.found.iter().map(|row| (&row.path, &row.old, &row.new)).collect();
        let digest = content_hash(&serde_json::to_string(&whole).unwrap_or_default());
        Loosening { changes: search.found.iter().map(Row::shown).collect(), digest }
    }
}

/// A protected value that changes.
struct Row {
    path: Vec<String>,
    old: Option<Value>,
    new: Option<Value>,
}

impl Row {
    fn shown(&self) -> ProtectedChange {
        let masked = |value: Option<&Value>| {
            let mut value = value.cloned().unwrap_or_default();
            // A reference names a place, not a secret.
            if let Some(ApiKey::Reference(reference)) = ApiKey::read(&value) {
                return reference.to_string().into();
            }
            redact::redact(&mut value, &self.path, MASK);
            value
        };
        let (old, new) = (masked(self.old.as_ref()), masked(self.new.as_ref()));
        ProtectedChange { key: display(&self.path), old, new }
    }
}

struct Search<'a> {
    profile: &'static Profile,
    is_own_workspace: &'a dyn Fn(&str) -> bool,
    found: Vec<Row>,
}

impl Search<'_> {
    /// Compares two values at a path, down to the keys that the table knows.
    fn walk(&mut self, path: &mut Vec<String>, old: Option<&Value>, new: Option<&Value>) {
        if old == new {
            return;
        }
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let spot = lookup::find(&names);
        match spot {
            // Its elements are in `agents.entries`, too.
            Spot::Key(key) if matches!(key.kind, Kind::ListOf(_)) => {}
            Spot::Key(key) if key.kind != Kind::Open => {
                if self.loosens(key.protection, path, old, new) {
                    self.report(key.protection, path, old, new);
                }
            }
            Spot::Key(_) | Spot::Section => self.walk_members(path, old, new),
            Spot::Unknown if is_strict(path) => self.push(path, old, new),
            Spot::Unknown => {}
        }
    }

    fn walk_members(&mut self, path: &mut Vec<String>, old: Option<&Value>, new: Option<&Value>) {
        let (old, new) = (members(old), members(new));
        // An agent that goes takes nothing with it that held others back.
        let is_agent =
            matches!(path.as_slice(), [agents, entries] if agents == "agents" && entries == "entries");
        for name in names_of(&old, &new) {
            if is_agent && !new.contains_key(name) {
                continue;
            }
            path.push(name.clone());
            self.walk(path, old.get(name), new.get(name));
            path.pop();
        }
    }

    fn loosens(
        &self,
        protection: Protection,
        path: &[String],
        old: Option<&Value>,
        new: Option<&Value>,
    ) -> bool {
        let flag = |value: Option<&Value>| self.effective(path, value).and_then(|value| value.as_bool());
        match protection {
            Protection::Unclassified => is_strict(path),
            Protection::Everyday => false,
            Protection::Always => true,
            Protection::Ladder(words) => {
                let [old, new] = [old, new].map(|value| self.effective(path, value));
                let [before, after] = [&old, &new].map(|value| rank(words, value.as_ref()));
                old != new && (after > before || after == words.len())
            }
            Protection::TrueLoosens => flag(new) == Some(true) && flag(old) != Some(true),
            Protection::FalseLoosens => flag(new) != Some(true) && flag(old) == Some(true),
            Protection::MoreLoosens => gains(old, new),
            Protection::AllowList => !list(old).is_empty() && (gains(old, new) || list(new).is_empty()),
            Protection::FewerLoosens => gains(new, old),
            Protection::Reference => {
                new.and_then(ApiKey::read).is_some_and(|key| matches!(key, ApiKey::Reference(_)))
            }
            Protection::Workspace => {
                !new.and_then(Value::as_str).is_some_and(|folder| (self.is_own_workspace)(folder))
            }
            Protection::Tool => !tool_fields(old, new).is_empty(),
        }
    }

    /// Notes a change; of a tool, the fields that matter.
    fn report(
        &mut self,
        protection: Protection,
        path: &mut Vec<String>,
        old: Option<&Value>,
        new: Option<&Value>,
    ) {
        let are_objects = [old, new].into_iter().flatten().all(Value::is_object);
        if protection != Protection::Tool || !are_objects {
            return self.push(path, old, new);
        }
        for field in tool_fields(old, new) {
            path.push(field.clone());
            self.push(path, old.and_then(|old| old.get(&field)), new.and_then(|new| new.get(&field)));
            path.pop();
        }
    }

    fn push(&mut self, path: &[String], old: Option<&Value>, new: Option<&Value>) {
        self.found.push(Row { path: path.to_vec(), old: old.cloned(), new: new.cloned() });
    }

    /// The value that holds: the one that is set, else the default.
    fn effective(&self, path: &[String], value: Option<&Value>) -> Option<Value> {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let key = lookup::key(&names)?;
        match value {
            Some(value) => Some(key.kind.choice(value).map_or_else(|| value.clone(), Value::from)),
            None => key.default_value(self.profile),
        }
    }
}

fn is_strict(path: &[String]) -> bool {
    path.first().is_some_and(|section| STRICT.contains(&section.as_str()))
}

/// The place of a word; a word that is not listed is the loosest.
fn rank(words: &[&str], value: Option<&Value>) -> usize {
    let word = value.and_then(Value::as_str).unwrap_or_default().trim();
    words.iter().position(|known| known.eq_ignore_ascii_case(word)).unwrap_or(words.len())
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Returns true if a list has an entry that another has not.
fn gains(old: Option<&Value>, new: Option<&Value>) -> bool {
    list(new).iter().any(|entry| !list(old).contains(entry))
}

fn members(value: Option<&Value>) -> Map<String, Value> {
    value.and_then(Value::as_object).cloned().unwrap_or_default()
}

fn names_of<'a>(old: &'a Map<String, Value>, new: &'a Map<String, Value>) -> Vec<&'a String> {
    old.keys().chain(new.keys().filter(|name| !old.contains_key(*name))).collect()
}

/// The fields of a tool whose change loosens something; the empty name stands for the tool itself.
fn tool_fields(old: Option<&Value>, new: Option<&Value>) -> Vec<String> {
    if [old, new].into_iter().flatten().any(|value| !value.is_object()) {
        return vec![String::new()];
    }
    // A tool of the user's own that goes away can do nothing any more.
    if new.is_none() && old.is_some_and(|old| old.get("type").is_some()) {
        return Vec::new();
    }
    let is_looser = permission_rank(new) > permission_rank(old);
    let (old, new) = (members(old), members(new));
    let changed = names_of(&old, &new).into_iter().filter(|name| old.get(*name) != new.get(*name));
    changed.filter(|name| is_looser || !CONSENT_FIELDS.contains(&name.as_str())).cloned().collect()
}

/// From the strictest to the loosest. A tool without a setting may be one that does not have to ask.
fn permission_rank(tool: Option<&Value>) -> u8 {
    match tool.and_then(permission_of) {
        Some(ToolPermission::Deny) => 0,
        Some(ToolPermission::Ask) => 1,
        None => 2,
        Some(ToolPermission::Allow) => 3,
    }
}

#[cfg(test)]
#[path = "protect_tests.rs"]
mod tests;
