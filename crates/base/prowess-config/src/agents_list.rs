//! Agents as a list for clients that know no other form, whatever form the file has.
//!
//! A file may keep its agents by their ids (`agents.entries`). Clients are shown `agents.list` beside it, and when they
//! send it back changed, the change goes where the file keeps its agents.

use serde_json::{Map, Value};

use crate::agent_id::normalize_id;
use crate::spelling::id_of;

/// Adds `agents.list` where a config has `agents.entries` only.
pub(crate) fn show_list(config: &mut Value) {
    let Some(list) = list_of(config) else { return };
    if let Some(agents) = config.get_mut("agents").and_then(Value::as_object_mut) {
        agents.insert("list".to_owned(), list);
    }
}

/// Takes the list out again that was added to `shown`. If it was changed, so are the entries.
pub(crate) fn take_list(sent: &mut Value, shown: &Value) {
    let Some(before) = list_of(shown) else { return };
    let Some(agents) = sent.get_mut("agents").and_then(Value::as_object_mut) else { return };
    if !agents.contains_key("entries") {
        return;
    }
    let Some(Value::Array(list)) = agents.shift_remove("list") else { return };
    let Some(Value::Object(entries)) =
        agents.get_mut("entries").filter(|_| Value::Array(list.clone()) != before)
    else {
        return;
    };
    entries.retain(|key, _| list.iter().any(|agent| id_of(agent) == normalize_id(key)));
    for agent in list {
        let id = id_of(&agent);
        let Value::Object(mut fields) = agent else { continue };
        fields.shift_remove("id");
        let key = entries.keys().find(|key| normalize_id(key) == id).cloned().unwrap_or(id);
        entries.insert(key, Value::Object(fields));
    }
}

/// The entries as a list; none if the config has a list of its own, or no entries.
fn list_of(config: &Value) -> Option<Value> {
    let agents = config.get("agents")?.as_object()?;
    if agents.contains_key("list") {
        return None;
    }
    let as_element = |(key, fields): (&String, &Value)| {
        let mut element = Map::from_iter([("id".to_owned(), Value::from(normalize_id(key)))]);
        element.extend(fields.as_object()?.clone());
        Some(Value::Object(element))
    };
    Some(agents.get("entries")?.as_object()?.iter().filter_map(as_element).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn stored() -> Value {
        json!({ "agents": { "entries": { "Main": { "default": true }, "b": { "skills": ["x"] } } } })
    }

    fn shown() -> Value {
        let mut config = stored();
        show_list(&mut config);
        config
    }

    #[test]
    fn entries_are_shown_as_a_list_and_come_back() {
        let mut sent = shown();
        assert_eq!(
            sent["agents"]["list"],
            json!([{ "id": "main", "default": true }, { "id": "b", "skills": ["x"] }])
        );
        take_list(&mut sent, &stored());
        assert_eq!(sent, stored());
    }

    #[test]
    fn a_changed_list_changes_the_entries_and_changed_entries_stay() {
        let mut sent = shown();
        sent["agents"]["list"] = json!([{ "id": "main", "default": true, "skills": [] }, { "id": "c" }]);
        take_list(&mut sent, &stored());
        assert_eq!(
            sent["agents"],
            json!({ "entries": { "Main": { "default": true, "skills": [] }, "c": {} } })
        );
        let mut sent = shown();
        sent["agents"]["entries"]["b"]["skills"] = json!([]);
        take_list(&mut sent, &stored());
        assert_eq!(sent["agents"]["entries"]["b"]["skills"], json!([]));
        let mut sent = json!({ "agents": { "list": [{ "id": "x" }] } });
        take_list(&mut sent, &stored());
        assert_eq!(sent["agents"]["list"], json!([{ "id": "x" }]), "who drops the entries means it");
    }
}
