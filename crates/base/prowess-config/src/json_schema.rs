//! The table of known keys as JSON Schema, for forms and editors.

use serde_json::{Map, Value, json};

use crate::keys::KEYS;
use crate::kind::Kind;
use crate::schema::Key;
use crate::{Config, Profile};

impl Config {
    /// What a config file may say under a profile. Keys of other programs are allowed everywhere.
    pub fn json_schema(profile: &Profile) -> Value {
        let mut root = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": profile.config_file,
            "type": "object",
        });
        for key in KEYS {
            let place = key.pattern.split('.').fold(&mut root, below);
            describe(key, profile, place);
        }
        root
    }

    /// The patterns of keys that hold secrets; `*` stands for any name.
    pub fn secret_keys() -> impl Iterator<Item = &'static str> {
        let is_secret = |key: &&Key| matches!(key.kind, Kind::Secret | Kind::Variable);
        KEYS.iter().filter(is_secret).map(|key| key.pattern)
    }
}

/// The schema of a member, made if it is not there.
fn below<'a>(schema: &'a mut Value, name: &str) -> &'a mut Value {
    if schema.get("type").is_none() {
        schema["type"] = "object".into();
    }
    if name == "*" {
        return object_at(schema, "additionalProperties");
    }
    let properties = object_at(schema, "properties");
    object_at(properties, name)
}

fn object_at<'a>(schema: &'a mut Value, name: &str) -> &'a mut Value {
    let member = &mut schema[name];
    if !member.is_object() {
        *member = Value::Object(Map::new());
    }
    member
}

fn describe(key: &Key, profile: &Profile, schema: &mut Value) {
    let shape = match key.kind {
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Count { min } => json!({ "type": "integer", "minimum": min }),
        Kind::Share => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        Kind::Text => json!({ "type": "string" }),
        Kind::Choice(words) => json!({ "type": "string", "enum": words }),
        Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Secret | Kind::Variable => json!({ "type": ["string", "object"], "writeOnly": true }),
        Kind::Open => json!({ "type": "object" }),
        Kind::ListOf(_) => json!({ "type": "array", "items": { "type": "object" } }),
        Kind::Opaque => json!({}),
    };
    for (name, value) in shape.as_object().into_iter().flatten() {
        schema[name] = value.clone();
    }
    if !key.doc.is_empty() {
        schema["description"] = key.doc.into();
    }
    if let Some(default) = key.default_value(profile) {
        schema["default"] = default;
    }
}

#[cfg(test)]
mod tests {
    use prowess_types::ProfileName;

    use super::*;

    #[test]
    fn every_known_key_is_described() {
        let schema = Config::json_schema(crate::profile(ProfileName::Prowess));
        let entry = &schema["properties"]["skills"]["properties"]["entries"]["additionalProperties"];
        assert_eq!(entry["properties"]["enabled"]["type"], "boolean");
        assert_eq!(schema["properties"]["gateway"]["properties"]["port"]["default"], 18789);
        assert!(Config::secret_keys().any(|key| key == "skills.entries.*.apiKey"));
    }
}
