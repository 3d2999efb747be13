//! What a config of another program would mean here, setting by setting.

use serde_json::Value;

use crate::keypath::display;
use crate::kind::Kind;
use crate::lookup::{self, Spot};
use crate::redact;

/// The settings of a config, by their keys. No value is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspected {
    /// Settings that have a meaning here.
    pub understood: Vec<String>,
    /// Settings that only the other program understands.
    pub others: Vec<String>,
    /// Settings whose value is a secret, whoever understands them.
    pub secrets: Vec<String>,
}

/// Names the settings of a config.
///
/// ```
/// use prowess_config::inspect;
///
/// let config = serde_json::json!({"skills": {"entries": {"x": {"apiKey": "k"}}}, "channels": {"a": 1}});
/// let found = inspect(&config);
/// assert_eq!(found.understood, ["skills.entries.x.apiKey"]);
/// assert_eq!((found.others, found.secrets), (vec!["channels.a".into()], found.understood.clone()));
/// ```
pub fn inspect(config: &Value) -> Inspected {
    let mut found = Inspected::default();
    let mut redacted = config.clone();
    redact::redact(&mut redacted, &[], redact::MASK);
    walk(config, &redacted, &mut Vec::new(), &mut found);
    found
}

fn walk(value: &Value, redacted: &Value, path: &mut Vec<String>, found: &mut Inspected) {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let spot = lookup::find(&names);
    let is_whole = matches!(spot, Spot::Key(key) if !matches!(key.kind, Kind::Open | Kind::Opaque));
    match value {
        Value::Object(members) if !is_whole && !members.is_empty() => {
            for (name, member) in members {
                path.push(name.clone());
                walk(member, &redacted[name], path, found);
                path.pop();
            }
        }
        _ if path.is_empty() => {}
        _ => {
            let key = display(path);
            if value != redacted {
                found.secrets.push(key.clone());
            }
            if is_understood(&names) { &mut found.understood } else { &mut found.others }.push(key);
        }
    }
}

/// Returns true if the key itself, or what it lies in as a whole, has a meaning here.
fn is_understood(path: &[&str]) -> bool {
    let has_meaning = |spot: Spot| matches!(spot, Spot::Key(key) if !key.doc.is_empty());
    let in_whole = |length: usize| match lookup::find(&path[..length]) {
        Spot::Key(key) => key.kind == Kind::Opaque && !key.doc.is_empty(),
        _ => false,
    };
    has_meaning(lookup::find(path)) || (1..path.len()).any(in_whole)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_setting_is_named_once_and_no_value_at_all() {
        let config = json!({
            "agents": { "defaults": { "model": { "primary": "anthropic/x" }, "heartbeat": { "every": "30m" } } },
            "channels": { "telegram": { "botToken": "12345:secret-of-a-bot" } },
            "skills": { "load": { "extraDirs": ["/a", "/b"] }, "entries": { "gh": { "env": { "GH": "v" } } } },
        });
        let found = inspect(&config);
        assert_eq!(
            found.understood,
            ["agents.defaults.model.primary", "skills.load.extraDirs", "skills.entries.gh.env.GH"]
        );
        assert_eq!(found.others, ["agents.defaults.heartbeat.every", "channels.telegram.botToken"]);
        assert_eq!(found.secrets, ["channels.telegram.botToken", "skills.entries.gh.env.GH"]);
        assert!(!format!("{found:?}").contains("secret-of-a-bot"));
    }

    #[test]
    fn what_is_no_config_has_no_settings() {
        for value in [json!(null), json!([]), json!("text"), json!({})] {
            assert_eq!(inspect(&value), Inspected::default());
        }
    }
}
