//! The secrets of a whole config: hidden where it is shown, found where they stand in plain text.

use serde_json::Value;

use crate::api_key::ApiKey;
use crate::kind::is_secret_reference;
use crate::redact::{MASK, is_address_with_password, is_hidden, is_placeholder, password_of, redact};
use crate::{Config, KeyPath, value};

impl Config {
    /// Everything that is set, defaults included, without secrets.
    pub fn redacted(&self) -> Value {
        let mut all = self.defaults();
        value::overlay(&mut all, self.merged());
        redact(&mut all, &[], self.profile().placeholder);
        all
    }

    /// The same, with what stands in the place of a secret where clients of a gateway see it.
    pub fn masked(&self) -> Value {
        let mut all = self.defaults();
        value::overlay(&mut all, self.merged());
        redact(&mut all, &[], MASK);
        all
    }

    /// The keys of the user's own file whose values are secrets in plain text. Never the values.
    ///
    /// ```
    /// use prowess_config::Config;
    /// let text = "{skills: {entries: {weather: {apiKey: 'k', env: {OTHER: '${OTHER}'}}}}}";
    /// let (config, _) = Config::parse(Some(text), "/c.json".as_ref(), prowess_types::ProfileName::Prowess);
    /// let keys: Vec<String> = config.plain_secrets().iter().map(ToString::to_string).collect();
    /// assert_eq!(keys, ["skills.entries.weather.apiKey"]);
    /// ```
    pub fn plain_secrets(&self) -> Vec<KeyPath> {
        let mut found = Vec::new();
        collect(self.user_value(), &mut Vec::new(), false, &mut found);
        found.into_iter().filter_map(|path| KeyPath::new(path).ok()).collect()
    }

    /// Every value of the config that is, or refers to, a secret, with the last name of its key. Which of the values in
    /// `env` and `headers` are harmless is not known here.
    ///
    /// ```
    /// use prowess_config::Config;
    /// let text = "{gateway: {auth: {token: 'planted-token'}}, skills: {entries: {gh: {env: {GH_HOST: 'host'}}}}}";
    /// let (config, _) = Config::parse(Some(text), "/c.json".as_ref(), prowess_types::ProfileName::Prowess);
    /// let names: Vec<String> = config.secret_values().into_iter().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["token", "GH_HOST"]);
    /// ```
    pub fn secret_values(&self) -> Vec<(String, ApiKey)> {
        let mut found = Vec::new();
        gather(self.merged(), &mut Vec::new(), false, &mut found);
        found
    }
}

fn gather(value: &Value, path: &mut Vec<String>, hidden: bool, found: &mut Vec<(String, ApiKey)>) {
    let name = || path.iter().rev().find(|name| name.parse::<usize>().is_err()).cloned().unwrap_or_default();
    match value {
        Value::String(text) if is_placeholder(text) => {}
        Value::String(_) if hidden => found.extend(ApiKey::read(value).map(|secret| (name(), secret))),
        Value::String(text) => {
            found.extend(
                password_of(text)
                    .map(|password| (name(), ApiKey::Literal(prowess_types::Secret::new(password)))),
            );
        }
        Value::Object(_) if hidden && is_secret_reference(value) => {
            found.extend(ApiKey::read(value).map(|secret| (name(), secret)));
        }
        Value::Object(members) => {
            for (name, member) in members {
                path.push(name.clone());
                let hidden = hidden || is_hidden(&path.iter().map(String::as_str).collect::<Vec<_>>());
                gather(member, path, hidden, found);
                path.pop();
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                path.push(index.to_string());
                gather(element, path, hidden, found);
                path.pop();
            }
        }
        _ => {}
    }
}

/// The paths of secrets that are no references.
fn collect(value: &Value, path: &mut Vec<String>, hidden: bool, found: &mut Vec<Vec<String>>) {
    match value {
        Value::String(text) => {
            let is_plain = matches!(ApiKey::read(value), Some(ApiKey::Literal(_))) && !is_placeholder(text);
            if is_plain && (hidden || is_address_with_password(text)) {
                found.push(path.clone());
            }
        }
        Value::Object(_) if hidden && is_secret_reference(value) => {}
        Value::Object(members) => {
            for (name, member) in members {
                path.push(name.clone());
                let hidden = hidden || is_hidden(&path.iter().map(String::as_str).collect::<Vec<_>>());
                collect(member, path, hidden, found);
                path.pop();
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                path.push(index.to_string());
                collect(element, path, hidden, found);
                path.pop();
            }
        }
        _ => {}
    }
}
