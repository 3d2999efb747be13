//! One setting, several spellings.
//!
//! A file may use an older name of a key, and may keep its agents in `agents.list` instead of
//! `agents.entries`. Inside the engine there is one canonical spelling; edits and origins have to find
//! the one that the file uses.

use serde_json::{Map, Value};

use crate::agent_id::normalize_id;
use crate::keys::KEYS;
use crate::{lookup, value};

/// The canonical spelling of a path.
pub(crate) fn canonical(path: &[&str]) -> Vec<String> {
    let mut canonical: Vec<String> = path.iter().map(|&segment| segment.into()).collect();
    if let ["agents", "entries", id, ..] = path {
        canonical[2] = normalize_id(id);
    }
    if let (Some(name), Some(last)) = (lookup::current_name(path), canonical.last_mut()) {
        *last = name.into();
    }
    canonical
}

/// The canonical path in the spelling of a file that says `raw`.
pub(crate) fn in_file(raw: &Value, path: &[&str]) -> Vec<String> {
    let mut spelled: Vec<String> = path.iter().map(|&segment| segment.into()).collect();
    if let ["agents", "entries", id, rest @ ..] = path {
        let keys = value::members(raw, &["agents", "entries"]).map(|(key, _)| key);
        let list = value::at(raw, &["agents", "list"]).and_then(Value::as_array);
        if let Some(key) = keys.into_iter().find(|key| normalize_id(key) == *id) {
            spelled[2] = key.into();
        } else if let Some(index) = list.and_then(|list| list.iter().position(|agent| id_of(agent) == *id)) {
            spelled = ["agents", "list", &index.to_string()].map(Into::into).to_vec();
            spelled.extend(rest.iter().map(|&segment| segment.to_owned()));
        }
    }
    if value::at(raw, &spelled).is_none()
        && let Some(key) = lookup::key(path)
        && let Some((_, parents)) = spelled.split_last()
    {
        let older = key.aliases.iter().map(|&alias| [parents, &[alias.to_owned()]].concat());
        if let Some(older) = older.into_iter().find(|older| value::at(raw, older).is_some()) {
            return older;
        }
    }
    spelled
}

/// The whole config in the canonical spelling. What `agents.list` says is in `agents.entries`, too.
pub(crate) fn canonicalize(config: &mut Value) {
    rename(config);
    let mut agents: Map<String, Value> = Map::new();
    let list = value::at(config, &["agents", "list"]).and_then(Value::as_array);
    for agent in list.into_iter().flatten().filter(|agent| agent.is_object()) {
        let mut fields = agent.clone();
        value::take(&mut fields, &["id"]);
        // Of two agents with the same id the first one counts.
        agents.entry(id_of(agent)).or_insert(fields);
    }
    for (id, fields) in value::members(config, &["agents", "entries"]) {
        value::overlay(agents.entry(normalize_id(id)).or_insert(Value::Null), fields);
    }
    if !agents.is_empty() {
        value::put(config, &["agents", "entries"], Value::Object(agents));
    }
}

/// Gives every known key its current name, unless that one is used, too.
fn rename(config: &mut Value) {
    for key in KEYS {
        let path: Vec<&str> = key.pattern.split('.').collect();
        let Some((_, parents)) = path.split_last() else { continue };
        for &alias in key.aliases {
            let Some(member) = value::take(config, &[parents, &[alias]].concat()) else { continue };
            if value::at(config, &path).is_none() {
                value::put(config, &path, member);
            }
        }
    }
}

/// The id of an element of `agents.list`.
pub(crate) fn id_of(agent: &Value) -> String {
    normalize_id(agent.get("id").and_then(Value::as_str).unwrap_or_default())
}
