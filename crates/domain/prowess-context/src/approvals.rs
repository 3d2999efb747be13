//! `exec-approvals.json`: what people have said about commands, as OpenClaw's clients read and write it.
//!
//! The file is kept for them. Runs here ask by the policy of each tool (`tools.<name>.policy`).

use prowess_config::{Loosening, ProtectedChange, content_hash};
use prowess_fs::UpdateError;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::config_file::WriteConsent;
use crate::context::{Context, ContextError, LOCK_TIMEOUT, read_config};

/// The file at a moment.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ApprovalsSnapshot {
    /// Where it is.
    pub path: String,
    /// Whether it is there.
    pub exists: bool,
    /// The hash of its text, to send back with a change.
    pub hash: String,
    /// What it says: `version`, `defaults` and `agents`.
    pub file: Value,
}

/// The reason the file is not changed. The words about hashes are those that clients know.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApprovalsError {
    /// The client does not say what it has read.
    #[error("exec approvals base hash required; re-run exec.approvals.get and retry")]
    HashRequired,
    /// Another client changed it first.
    #[error("exec approvals changed since last load; re-run exec.approvals.get and retry")]
    Stale,
    /// It must be an object.
    #[error("exec approvals must be an object with `version` 1")]
    Shape,
    /// The change loosens something, and a person has to confirm it first.
    #[error("a person has to confirm this change of the exec approvals")]
    NeedsConfirmation(Loosening),
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The file cannot be read or written.
    #[error("cannot change the exec approvals: {0}")]
    File(String),
}

impl prowess_types::Classify for ApprovalsError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::HashRequired | Self::Stale => Is(ErrorKind::Stale),
            Self::Shape => Is(ErrorKind::InvalidValue),
            Self::NeedsConfirmation(_) => Is(ErrorKind::NeedsConfirmation),
            Self::File(_) => Is(ErrorKind::Files),
        }
    }
}

impl Context {
    /// Returns the stored approvals of commands.
    pub fn exec_approvals(&self) -> Result<ApprovalsSnapshot, ContextError> {
        let path = self.approvals_file();
        let text = read_config(&path)?;
        let mut file = read(text.as_deref());
        if let Some(socket) = file.get_mut("socket").and_then(Value::as_object_mut) {
            socket.retain(|name, _| name == "path");
        }
        Ok(ApprovalsSnapshot {
            path: path.display().to_string(),
            exists: text.is_some(),
            hash: content_hash(text.as_deref().unwrap_or_default()),
            file,
        })
    }

    /// Replaces what people have said about commands. How the file's owner is reached stays as it is.
    pub fn set_exec_approvals(
        &self,
        file: &Value,
        base_hash: Option<&str>,
        consent: WriteConsent<'_>,
    ) -> Result<ApprovalsSnapshot, ApprovalsError> {
        if file.get("version").and_then(Value::as_u64) != Some(1) {
            return Err(ApprovalsError::Shape);
        }
        let written = prowess_fs::update_file(&self.approvals_file(), LOCK_TIMEOUT, |text| {
            match (text.as_deref(), base_hash) {
                (Some(_), None) => return Err(ApprovalsError::HashRequired),
                (Some(text), Some(hash)) if content_hash(text) != hash => return Err(ApprovalsError::Stale),
                _ => {}
            }
            let mut next = file.clone();
            let stored = read(text.as_deref());
            if let (Some(next), Some(socket)) = (next.as_object_mut(), stored.get("socket")) {
                next.insert("socket".to_owned(), socket.clone());
            }
            let loosening = loosening(&stored, &next);
            if !consent.covers(&loosening) {
                return Err(ApprovalsError::NeedsConfirmation(loosening));
            }
            let text = serde_json::to_string_pretty(&next)
                .map_err(|error| ApprovalsError::File(error.to_string()))?;
            Ok(Some(text + "\n"))
        });
        written.map_err(|error| match error {
            UpdateError::Edit(error) => error,
            other => ApprovalsError::File(prowess_text::describe_error(&other)),
        })?;
        Ok(self.exec_approvals()?)
    }

    fn approvals_file(&self) -> std::path::PathBuf {
        self.places().state.join("exec-approvals.json")
    }
}

/// Words of the fields that decide, from the strictest to the loosest, and what holds without them.
const LADDERS: [(&str, [&str; 3], &str); 3] = [
    ("security", ["deny", "allowlist", "full"], "allowlist"),
    ("ask", ["always", "on-miss", "off"], "on-miss"),
    ("askFallback", ["deny", "allowlist", "full"], "deny"),
];

/// Everything that new approvals loosen: for all agents, and for each.
fn loosening(old: &Value, new: &Value) -> Loosening {
    let mut changes = Vec::new();
    let nothing = Map::new();
    let part = |file: &Value, path: &[&str]| {
        let found = path.iter().try_fold(file, |value, name| value.get(name)).and_then(Value::as_object);
        found.unwrap_or(&nothing).clone()
    };
    let mut compare = |place: &str, old: &Map<String, Value>, new: &Map<String, Value>| {
        for name in old.keys().chain(new.keys().filter(|name| !old.contains_key(*name))) {
            let (old, new) = (old.get(name), new.get(name));
            if old != new && is_looser(name, old, new) {
                let key = format!("exec-approvals.{place}.{name}");
                let value = |value: Option<&Value>| value.cloned().unwrap_or_default();
                changes.push(ProtectedChange { key, old: value(old), new: value(new) });
            }
        }
    };
    compare("defaults", &part(old, &["defaults"]), &part(new, &["defaults"]));
    let (old_agents, new_agents) = (part(old, &["agents"]), part(new, &["agents"]));
    for agent in old_agents.keys().chain(new_agents.keys().filter(|id| !old_agents.contains_key(*id))) {
        let path = ["agents", agent.as_str()];
        compare(&format!("agents.{agent}"), &part(old, &path), &part(new, &path));
    }
    Loosening::of(changes)
}

/// Returns true if a field of the approvals is looser than before. An unknown field always counts as looser.
fn is_looser(name: &str, old: Option<&Value>, new: Option<&Value>) -> bool {
    if let Some((_, words, default)) = LADDERS.iter().find(|(field, ..)| *field == name) {
        let rank = |value: Option<&Value>| {
            let word = value.map_or(Some(*default), Value::as_str);
            words.iter().position(|known| Some(*known) == word).unwrap_or(words.len())
        };
        return rank(new) > rank(old) || rank(new) == words.len();
    }
    match (name, old, new) {
        ("autoAllowSkills", _, new) => new != Some(&Value::Bool(false)) && new.is_some(),
        ("allowlist", _, None) => false,
        ("allowlist", old, Some(Value::Array(new))) => {
            let known = old.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            new.iter().any(|entry| !known.contains(entry))
        }
        _ => true,
    }
}

/// Parses a text, and adds the parts that every client expects.
fn read(text: Option<&str>) -> Value {
    let mut file: Value = text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    if !file.is_object() {
        file = json!({ "version": 1 });
    }
    for part in ["defaults", "agents"] {
        if !file[part].is_object() {
            file[part] = Value::Object(Map::new());
        }
    }
    file
}
