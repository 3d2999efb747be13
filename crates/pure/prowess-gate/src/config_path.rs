//! Whether a dotted path of the config is set. Only the answer leaves this module, never the value.

use serde_json::Value;

/// How an engine reads a path and what it takes for "set".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConfigStyle {
    /// Blank text counts as missing, lists are walked by index, and a few paths are on unless set.
    Openclaw,
    /// Any text but the empty one counts, lists are not walked, and blanks around a name are dropped.
    Openpocket,
}

/// Paths that OpenClaw takes for on while the config does not mention them.
const ON_BY_DEFAULT: [&str; 2] = ["browser.enabled", "browser.evaluateEnabled"];

/// Names that mean the machinery of an object rather than a setting.
const REFUSED: [&str; 3] = ["__proto__", "constructor", "prototype"];

/// Returns true if `path` leads to a value that counts as set.
pub(crate) fn is_set(config: &Value, path: &str, style: ConfigStyle) -> bool {
    let segments = || {
        let trimmed = path.split('.').map(move |segment| match style {
            ConfigStyle::Openclaw => segment,
            ConfigStyle::Openpocket => segment.trim(),
        });
        trimmed.filter(|segment| !segment.is_empty())
    };
    if segments().any(|segment| REFUSED.contains(&segment)) {
        return false;
    }
    match segments().try_fold(config, |value, segment| step(value, segment, style)) {
        Some(value) => is_truthy(value, style),
        None => style == ConfigStyle::Openclaw && ON_BY_DEFAULT.contains(&path),
    }
}

fn step<'a>(value: &'a Value, segment: &str, style: ConfigStyle) -> Option<&'a Value> {
    match value {
        Value::Object(fields) => fields.get(segment),
        Value::Array(items) if style == ConfigStyle::Openclaw => {
            // `01` and `+1` are names of no element in JavaScript.
            let index: usize = segment.parse().ok()?;
            (index.to_string() == segment).then(|| items.get(index))?
        }
        _ => None,
    }
}

fn is_truthy(value: &Value, style: ConfigStyle) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::String(text) => match style {
            ConfigStyle::Openclaw => !text.trim().is_empty(),
            ConfigStyle::Openpocket => !text.is_empty(),
        },
        Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::ConfigStyle::{Openclaw, Openpocket};
    use super::*;
    use serde_json::json;

    #[test]
    fn every_kind_of_value() {
        let config = json!({
            "yes": true, "no": false, "zero": 0, "minus": -0.0, "one": 1.5, "null": null,
            "text": "x", "blank": "  ", "empty": "", "object": {}, "list": [],
            "a": { "b": { "c": "deep" } }, "items": [{ "on": true }, 0],
        });
        let table = [
            ("yes", true, true),
            ("no", false, false),
            ("zero", false, false),
            ("minus", false, false),
            ("one", true, true),
            ("null", false, false),
            ("missing", false, false),
            ("text", true, true),
            ("blank", false, true),
            ("empty", false, false),
            ("object", true, true),
            ("list", true, true),
            ("a.b.c", true, true),
            ("a..b...c.", true, true),
            (". a . b", false, true),
            ("a.b.c.d", false, false),
            ("text.length", false, false),
            ("items.0.on", true, false),
            ("items.1", false, false),
            ("items.00", false, false),
            ("items.7", false, false),
            ("__proto__", false, false),
            ("a.constructor", false, false),
            ("prototype.x", false, false),
            ("", true, true),
        ];
        for (path, openclaw, openpocket) in table {
            assert_eq!(is_set(&config, path, Openclaw), openclaw, "{path:?}");
            assert_eq!(is_set(&config, path, Openpocket), openpocket, "{path:?}");
        }
    }

    #[test]
    fn defaults_hold_only_while_the_config_is_silent() {
        let path = "browser.enabled";
        assert!(is_set(&json!({}), path, Openclaw));
        assert!(is_set(&json!({ "browser": {} }), path, Openclaw));
        assert!(!is_set(&json!({ "browser": { "enabled": false } }), path, Openclaw));
        assert!(!is_set(&json!({ "browser": { "enabled": null } }), path, Openclaw));
        assert!(!is_set(&json!({}), "browser", Openclaw));
        assert!(!is_set(&json!({}), path, Openpocket));
    }
}
