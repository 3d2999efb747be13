//! Agents in the value of a config file: found, added, changed, taken out, in the spelling that the file uses.

use serde_json::{Map, Value, json};

use crate::agent_id::normalize_id;
use crate::spelling::id_of;
use crate::{ReviseError, value};

/// The agent that is always there.
const MAIN: &str = "main";

/// The reason an agent is not changed. The words are OpenClaw's where it has some.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentEditError {
    /// Its name is that of the agent that is always there.
    #[error("\"{MAIN}\" is reserved")]
    Reserved,
    /// There is one already.
    #[error("agent \"{0}\" already exists")]
    Exists(String),
    /// There is none.
    #[error("agent \"{0}\" not found")]
    Unknown(String),
    /// The agent that is always there cannot go.
    #[error("\"{MAIN}\" cannot be deleted")]
    Undeletable,
    /// Agents are not where they should be.
    #[error("`{0}` in the config file has the wrong type; correct it first")]
    NoPlace(&'static str),
    /// The file cannot be changed.
    #[error(transparent)]
    Revise(#[from] ReviseError),
}

impl prowess_types::Classify for AgentEditError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Revise(_) | Self::NoPlace(_) => Is(ErrorKind::InvalidValue),
            Self::Unknown(_) => Is(ErrorKind::NotFound),
            Self::Exists(_) => Is(ErrorKind::AlreadyThere),
            Self::Reserved | Self::Undeletable => Is(ErrorKind::Refused),
        }
    }
}

/// The fields of an agent that is in the file.
pub fn agent_in<'a>(config: &'a Value, id: &str) -> Option<&'a Value> {
    let keyed = value::members(config, &["agents", "entries"]);
    let listed = value::at(config, &["agents", "list"]).and_then(Value::as_array).into_iter().flatten();
    let is_it = |agent: &&Value| agent.is_object() && id_of(agent) == id;
    keyed
        .into_iter()
        .find(|(key, _)| normalize_id(key) == id)
        .map(|(_, agent)| agent)
        .or_else(|| listed.into_iter().find(is_it))
}

/// The fields of an agent, to change them. It is put into the file if it is not there.
pub fn agent_slot<'a>(config: &'a mut Value, id: &str) -> Result<&'a mut Map<String, Value>, AgentEditError> {
    if agent_in(config, id).is_none() {
        add(config, id, Map::new())?;
    }
    find(config, id)
}

/// Puts a new agent into the file.
pub fn add_agent(config: &mut Value, id: &str, fields: Map<String, Value>) -> Result<(), AgentEditError> {
    match agent_in(config, id) {
        _ if id == MAIN => Err(AgentEditError::Reserved),
        Some(_) => Err(AgentEditError::Exists(id.to_owned())),
        None => add(config, id, fields),
    }
}

/// Takes an agent out of the file, with the bindings that lead to it. Says how many these were.
pub fn remove_agent(config: &mut Value, id: &str) -> Result<usize, AgentEditError> {
    if id == MAIN {
        return Err(AgentEditError::Undeletable);
    }
    if agent_in(config, id).is_none() {
        return Err(AgentEditError::Unknown(id.to_owned()));
    }
    if let Some(Value::Object(entries)) = config.pointer_mut("/agents/entries") {
        entries.retain(|key, _| normalize_id(key) != id);
    }
    if let Some(Value::Array(list)) = config.pointer_mut("/agents/list") {
        list.retain(|agent| !agent.is_object() || id_of(agent) != id);
    }
    let Some(Value::Array(bindings)) = config.get_mut("bindings") else { return Ok(0) };
    let before = bindings.len();
    let leads_here = |binding: &Value| {
        binding.get("agentId").and_then(Value::as_str).is_some_and(|to| normalize_id(to) == id)
    };
    bindings.retain(|binding| !leads_here(binding));
    Ok(before - bindings.len())
}

/// Agents are a list, unless the file keeps them by their ids.
fn add(config: &mut Value, id: &str, mut fields: Map<String, Value>) -> Result<(), AgentEditError> {
    let has_list = config.pointer("/agents/list").is_some();
    if !has_list && let Some(entries) = config.pointer_mut("/agents/entries") {
        let entries = entries.as_object_mut().ok_or(AgentEditError::NoPlace("agents.entries"))?;
        entries.insert(id.to_owned(), Value::Object(fields));
        return Ok(());
    }
    if !has_list {
        value::put(config, &["agents", "list"], json!([]));
    }
    let list = config.pointer_mut("/agents/list").and_then(Value::as_array_mut);
    let list = list.ok_or(AgentEditError::NoPlace("agents.list"))?;
    // Where no agent is named there is one all the same, and it stays the first.
    if list.is_empty() && id != MAIN {
        list.push(json!({ "id": MAIN }));
    }
    fields.shift_insert(0, "id".to_owned(), id.into());
    list.push(Value::Object(fields));
    Ok(())
}

fn find<'a>(config: &'a mut Value, id: &str) -> Result<&'a mut Map<String, Value>, AgentEditError> {
    let agents = config.get_mut("agents").and_then(Value::as_object_mut);
    let agents = agents.ok_or(AgentEditError::NoPlace("agents"))?;
    let is_keyed = agents
        .get("entries")
        .and_then(Value::as_object)
        .is_some_and(|entries| entries.keys().any(|key| normalize_id(key) == id));
    let agent = if is_keyed {
        let entries = agents.get_mut("entries").and_then(Value::as_object_mut).into_iter().flatten();
        entries.into_iter().find(|(key, _)| normalize_id(key) == id).map(|(_, agent)| agent)
    } else {
        let list = agents.get_mut("list").and_then(Value::as_array_mut).into_iter().flatten();
        list.into_iter().find(|agent| agent.is_object() && id_of(agent) == id)
    };
    agent.and_then(Value::as_object_mut).ok_or_else(|| AgentEditError::Unknown(id.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_agent_does_not_replace_the_one_that_is_always_there() {
        let mut config = json!({});
        add_agent(&mut config, "helper", Map::new()).unwrap();
        assert_eq!(config, json!({ "agents": { "list": [{ "id": "main" }, { "id": "helper" }] } }));
        let told = |error: AgentEditError| error.to_string();
        assert_eq!(told(add_agent(&mut config, "main", Map::new()).unwrap_err()), "\"main\" is reserved");
        assert_eq!(
            told(add_agent(&mut config, "helper", Map::new()).unwrap_err()),
            "agent \"helper\" already exists"
        );
    }

    #[test]
    fn an_agent_is_changed_where_the_file_keeps_it() {
        let mut config = json!({ "agents": { "entries": { "Main": { "x": 1 } } } });
        agent_slot(&mut config, "main").unwrap().insert("skills".to_owned(), json!([]));
        agent_slot(&mut config, "other").unwrap().insert("name".to_owned(), json!("O"));
        assert_eq!(
            config,
            json!({ "agents": { "entries": { "Main": { "x": 1, "skills": [] }, "other": { "name": "O" } } } })
        );
        let mut config = json!({ "agents": { "list": 5 } });
        assert!(matches!(agent_slot(&mut config, "main"), Err(AgentEditError::NoPlace("agents.list"))));
    }

    #[test]
    fn an_agent_goes_with_its_bindings() {
        let mut config = json!({
            "agents": { "list": [{ "id": "main" }, { "id": "a" }] },
            "bindings": [{ "agentId": "A" }, { "agentId": "main" }],
        });
        assert_eq!(remove_agent(&mut config, "a").unwrap(), 1);
        assert_eq!(config["agents"]["list"], json!([{ "id": "main" }]));
        assert_eq!(config["bindings"], json!([{ "agentId": "main" }]));
        assert_eq!(remove_agent(&mut config, "a").unwrap_err().to_string(), "agent \"a\" not found");
        assert_eq!(remove_agent(&mut config, "main").unwrap_err().to_string(), "\"main\" cannot be deleted");
    }
}
