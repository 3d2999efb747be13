//! What the config says about one skill (`skills.entries.<key>`).
//!
//! Secrets leave the config as [`Secret`], or as a reference to where they are.

use std::collections::BTreeSet;

use prowess_types::Secret;
use serde_json::Value;

use crate::api_key::ApiKey;
use crate::{Config, value};

/// An entry without its secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryView {
    /// True if it is switched on, false if off; none if nothing is configured.
    pub enabled: Option<bool>,
    /// True if an API key is configured, resolved or not.
    pub has_api_key: bool,
    /// The names of its variables that have a value.
    pub env_names: BTreeSet<String>,
}

impl Config {
    /// What is configured for a skill's key.
    pub fn entry(&self, key: &str) -> EntryView {
        EntryView {
            enabled: self.entry_value(key, "enabled").and_then(Value::as_bool),
            has_api_key: self.api_key(key).is_some(),
            env_names: self.entry_env(key).into_iter().map(|(name, _)| name).collect(),
        }
    }

    /// The API key of a skill; a blank one counts as none.
    pub fn api_key(&self, key: &str) -> Option<ApiKey> {
        self.secret_at(&["skills", "entries", key, "apiKey"])
    }

    /// The variables for runs with a skill, names trimmed, blank values left out.
    pub fn entry_env(&self, key: &str) -> Vec<(String, ApiKey)> {
        self.secrets_at(&["skills", "entries", key, "env"])
    }

    /// The keys of all skills that something is configured for.
    pub fn entry_keys(&self) -> Vec<String> {
        value::members(self.merged(), &["skills", "entries"]).map(|(key, _)| key.to_owned()).collect()
    }

    /// Named values that stand in the config, any of which may be secret: names trimmed, blank values left out.
    pub(crate) fn secret_texts(&self, path: &[&str]) -> Vec<(String, Secret)> {
        let members = value::at(self.merged(), path).and_then(Value::as_object);
        let named = members.into_iter().flatten().filter_map(|(name, value)| {
            let secret = Secret::new(value.as_str()?);
            let name = name.trim();
            (!name.is_empty() && !secret.is_blank()).then(|| (name.to_owned(), secret))
        });
        named.collect()
    }

    fn entry_value(&self, key: &str, field: &str) -> Option<&Value> {
        value::at(self.merged(), &["skills", "entries", key, field])
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use prowess_types::ProfileName;

    use super::*;

    fn config(text: &str) -> Config {
        let (config, issues) = Config::parse(Some(text), Path::new("/c.json"), ProfileName::Prowess);
        assert_eq!(issues, []);
        config
    }

    #[test]
    fn entries_tell_what_is_there_but_not_the_values() {
        let config = config(
            "{skills: {entries: {
                a: {enabled: false, apiKey: ' ', env: {' X ': 'v', BLANK: ' ', '': 'v'}},
                b: {apiKey: 'k'},
                c: {apiKey: {source: 'env', provider: 'default', id: 'KEY'}, config: {n: 1}},
                'my.skill': {enabled: true},
            }}}",
        );
        let a = config.entry("a");
        assert_eq!((a.enabled, a.has_api_key), (Some(false), false));
        assert_eq!(a.env_names, BTreeSet::from(["X".into()]));
        assert!(config.entry("b").has_api_key && config.entry("c").has_api_key);
        assert_eq!(config.entry("my.skill").enabled, Some(true));
        assert_eq!(config.entry("nobody"), EntryView::default());
        assert_eq!(config.api_key("b"), Some(ApiKey::Literal(Secret::new("k"))));
        let ApiKey::Reference(reference) = config.api_key("c").unwrap() else { panic!() };
        assert_eq!((reference.source.as_str(), reference.id.as_deref()), ("env", Some("KEY")));
        assert_eq!(config.entry_env("a"), [("X".to_owned(), ApiKey::Literal(Secret::new("v")))]);
        assert_eq!(config.entry_keys(), ["a", "b", "c", "my.skill"]);
    }
}
