//! The user's settings for one skill: its switch, its key, its variables.

use std::collections::BTreeMap;
use std::fmt;

use prowess_config::KeyPath;
use prowess_types::Secret;
use serde_json::{Map, Value};

use crate::config_file::{ConfigWriteError, WriteConsent};
use crate::context::Context;

/// A change of the settings of a skill. Fields that are not set stay as they are.
#[derive(Clone, Default)]
pub struct SkillChange {
    /// True to switch it on, false to switch it off.
    pub enabled: Option<bool>,
    /// Its key; a blank one takes the key out.
    pub api_key: Option<Secret>,
    /// Variables for runs with it; a blank one takes the variable out.
    pub env: BTreeMap<String, Secret>,
}

/// Only what is named, not the values.
impl fmt::Debug for SkillChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkillChange")
            .field("enabled", &self.enabled)
            .field("env", &self.env.keys())
            .finish_non_exhaustive()
    }
}

impl Context {
    /// Changes what is set for a skill, for every agent, and gives what is set now, secrets masked.
    ///
    /// A mask in the place of a secret changes nothing: it is what the client was shown.
    pub fn set_skill(
        &self,
        key: &str,
        change: &SkillChange,
        consent: WriteConsent<'_>,
    ) -> Result<Value, ConfigWriteError> {
        let path = KeyPath::new(["skills", "entries", key])?;
        self.change_config_value(consent, |config| {
            let entry = object_at(config, path.segments()).ok_or_else(no_place)?;
            if let Some(enabled) = change.enabled {
                entry.insert("enabled".to_owned(), enabled.into());
            }
            if let Some(secret) = &change.api_key {
                put(entry, "apiKey", &secret.expose().replace(['\r', '\n'], ""));
            }
            if !change.env.is_empty() {
                let env = object_in(entry, "env").ok_or_else(no_place)?;
                for (name, secret) in &change.env {
                    put(env, name.trim(), secret.expose());
                }
                if env.is_empty() {
                    entry.shift_remove("env");
                }
            }
            Ok::<(), ConfigWriteError>(())
        })?;
        let shown = self.config_snapshot()?.config;
        let entry = path.segments().iter().try_fold(&shown, |value, name| value.get(name));
        Ok(entry.cloned().unwrap_or_else(|| Value::Object(Map::new())))
    }
}

/// Sets a text, or takes it out if it is blank.
fn put(members: &mut Map<String, Value>, name: &str, text: &str) {
    let text = text.trim();
    if prowess_config::is_mask(text) {
        return;
    }
    if text.is_empty() {
        members.shift_remove(name);
    } else {
        members.insert(name.to_owned(), text.into());
    }
}

fn no_place() -> ConfigWriteError {
    ConfigWriteError::File("there is no place for it".to_owned())
}

fn object_at<'a>(config: &'a mut Value, path: &[String]) -> Option<&'a mut Map<String, Value>> {
    path.iter().try_fold(config.as_object_mut()?, |members, name| object_in(members, name))
}

/// The members below a name. Anything but an object is replaced: nothing else is used in these places.
fn object_in<'a>(members: &'a mut Map<String, Value>, name: &str) -> Option<&'a mut Map<String, Value>> {
    let value = members.entry(name).or_insert(Value::Null);
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut()
}
