//! A change of a tree of values, as small as it is.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A change of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueDelta {
    /// It becomes this.
    Set(Value),
    /// It is a count and grows, or shrinks, by this.
    Add(i64),
    /// It goes.
    Remove,
    /// These members change.
    Within(Vec<(String, Self)>),
}

impl ValueDelta {
    /// What makes `base` into `target`; none if nothing does.
    pub(super) fn between(base: &Value, target: &Value) -> Option<Self> {
        change(&mut Vec::new(), base, target)
    }

    /// Changes a value. What is not there counts as nothing, or 0.
    pub(super) fn apply(&self, value: &mut Value) {
        match self {
            Self::Set(new) => value.clone_from(new),
            Self::Add(step) => {
                let count = value.as_u64().unwrap_or_default();
                *value = count.saturating_add_signed(*step).into();
            }
            Self::Remove => *value = Value::Null,
            Self::Within(changes) => {
                if !value.is_object() {
                    *value = Value::Object(Map::new());
                }
                let Value::Object(members) = value else { return };
                for (name, delta) in changes {
                    if matches!(delta, Self::Remove) {
                        members.shift_remove(name);
                    } else {
                        delta.apply(members.entry(name.clone()).or_insert(Value::Null));
                    }
                }
            }
        }
    }
}

fn change<'a>(path: &mut Vec<&'a str>, base: &'a Value, target: &'a Value) -> Option<ValueDelta> {
    if base == target {
        return None;
    }
    if let (Value::Object(base), Value::Object(target)) = (base, target) {
        return Some(ValueDelta::Within(changes(path, base, target)));
    }
    if is_count(path)
        && let (Some(base), Some(target)) = (base.as_u64(), target.as_u64())
    {
        return Some(ValueDelta::Add(target.checked_signed_diff(base).unwrap_or(i64::MAX)));
    }
    Some(ValueDelta::Set(target.clone()))
}

fn changes<'a>(
    path: &mut Vec<&'a str>,
    base: &'a Map<String, Value>,
    target: &'a Map<String, Value>,
) -> Vec<(String, ValueDelta)> {
    let gone = base.keys().filter(|name| !target.contains_key(*name));
    let mut found: Vec<_> = gone.map(|name| (name.clone(), ValueDelta::Remove)).collect();
    for (name, value) in target {
        let delta = match base.get(name) {
            None => Some(ValueDelta::Set(value.clone())),
            Some(before) => {
                path.push(name);
                let delta = change(path, before, value);
                path.pop();
                delta
            }
        };
        found.extend(delta.map(|delta| (name.clone(), delta)));
    }
    found
}

/// Counts grow on both sides, so their growth is what is merged.
fn is_count(path: &[&str]) -> bool {
    matches!(path, [.., "runs", "success" | "fail"] | ["stats", _] | ["ledger", _, "count"])
}
