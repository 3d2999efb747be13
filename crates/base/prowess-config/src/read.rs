//! Readers of single keys, with their defaults.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::kind::Kind;
use crate::{Config, kind, lookup, value};

impl Config {
    /// The value of a known key, or its default.
    pub(crate) fn read(&self, key: &str) -> Option<Value> {
        let path: Vec<&str> = key.split('.').collect();
        let set = value::at(self.merged(), &path).cloned();
        set.or_else(|| lookup::key(&path)?.default_value(self.profile()))
    }

    /// A switch; off where nothing says otherwise.
    pub(crate) fn flag(&self, key: &str) -> bool {
        self.read(key).and_then(|value| value.as_bool()).unwrap_or_default()
    }

    /// A number; zero where nothing says otherwise.
    pub(crate) fn count(&self, key: &str) -> u64 {
        self.read(key).and_then(|value| kind::count(&value)).unwrap_or_default()
    }

    /// A share between 0 and 1.
    pub(crate) fn share(&self, key: &str) -> Option<f32> {
        #[expect(clippy::cast_possible_truncation, reason = "a probability needs no more digits")]
        self.read(key).filter(|value| Kind::Share.accepts(value))?.as_f64().map(|share| share as f32)
    }

    /// A text without blanks around it; a blank one counts as none.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let text = self.read(key)?.as_str()?.trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// The texts of a list.
    pub(crate) fn texts(&self, key: &str) -> Vec<String> {
        self.read(key).map(|value| trimmed(&value)).unwrap_or_default()
    }

    /// A word out of a list, as its type.
    pub(crate) fn choice<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let path: Vec<&str> = key.split('.').collect();
        word(&path, &self.read(key)?)
    }
}

/// Reads a word at a path.
pub(crate) fn word<T: DeserializeOwned>(path: &[&str], value: &Value) -> Option<T> {
    let word = lookup::key(path)?.kind.choice(value)?;
    serde_json::from_value(word.into()).ok()
}

/// The strings of a list without the blanks around them; blank ones are dropped.
pub(crate) fn trimmed(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::trim).filter(|text| !text.is_empty()).map(Into::into).collect()
}
