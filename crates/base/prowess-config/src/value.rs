//! Walking, merging and patching plain values.

use serde_json::{Map, Value};

/// The value at a path. Elements of lists are counted from `0`.
pub(crate) fn at<'a, S: AsRef<str>>(value: &'a Value, path: &[S]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, segment| match value {
        Value::Object(members) => members.get(segment.as_ref()),
        Value::Array(elements) => elements.get(segment.as_ref().parse::<usize>().ok()?),
        _ => None,
    })
}

/// The members of the object at a path; none where there is no object.
pub(crate) fn members<'a>(value: &'a Value, path: &[&str]) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let members = at(value, path).and_then(Value::as_object);
    members.into_iter().flatten().map(|(name, member)| (name.as_str(), member))
}

/// Puts a value at a path, making objects on the way. Elements of lists can be replaced, not added.
pub(crate) fn put(target: &mut Value, path: &[&str], value: Value) {
    let Some((first, rest)) = path.split_first() else {
        *target = value;
        return;
    };
    if let Value::Array(elements) = target
        && let Some(element) = first.parse().ok().and_then(|index: usize| elements.get_mut(index))
    {
        return put(element, rest, value);
    }
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(members) = target {
        put(members.entry(*first).or_insert(Value::Null), rest, value);
    }
}

/// Takes the value at a path out.
pub(crate) fn take<S: AsRef<str>>(target: &mut Value, path: &[S]) -> Option<Value> {
    let (first, rest) = path.split_first()?;
    match target {
        Value::Object(members) if rest.is_empty() => members.shift_remove(first.as_ref()),
        Value::Object(members) => take(members.get_mut(first.as_ref())?, rest),
        Value::Array(elements) => {
            let index = first.as_ref().parse().ok().filter(|&index| index < elements.len())?;
            if rest.is_empty() { Some(elements.remove(index)) } else { take(&mut elements[index], rest) }
        }
        _ => None,
    }
}

/// Lays one value over another: objects are joined member by member, anything else is replaced.
pub(crate) fn overlay(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (name, value) in over {
                overlay(base.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over.clone(),
    }
}

/// Applies a JSON merge patch (RFC 7396): null deletes, objects are joined, anything else replaces.
///
/// ```
/// let mut config = serde_json::json!({"a": {"b": 1, "c": 2}, "d": [1]});
/// prowess_config::merge_patch(&mut config, &serde_json::json!({"a": {"b": null}, "d": [2, 3]}));
/// assert_eq!(config, serde_json::json!({"a": {"c": 2}, "d": [2, 3]}));
/// ```
pub fn merge_patch(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(members) = target {
        for (name, value) in patch {
            if value.is_null() {
                members.shift_remove(name);
            } else {
                merge_patch(members.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn merge_patch_follows_the_rfc() {
        let table = [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
            (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
            (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
            (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
            (json!({"a": "b"}), json!(["c"]), json!(["c"])),
            (json!({"a": "foo"}), json!(null), json!(null)),
            (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
            (json!([1, 2]), json!({"a": "b", "c": null}), json!({"a": "b"})),
            (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ];
        for (mut target, patch, expected) in table {
            merge_patch(&mut target, &patch);
            assert_eq!(target, expected, "{patch}");
        }
    }
}
