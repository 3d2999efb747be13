//! Small readings of loosely typed values.

use prowess_types::Dialect;
use serde_json::{Map, Value};

use crate::scalar::js_string;
use crate::text::trim;

/// A list that may also be written as one separated string. Blank elements are dropped; elements that are
/// not text become text the way JavaScript prints them.
pub(crate) fn list(value: Option<&Value>, dialect: Dialect) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(|item| non_blank(&js_string(item))).collect(),
        Some(Value::String(text)) => match dialect {
            Dialect::Prowess | Dialect::Openclaw => text.split(',').filter_map(non_blank).collect(),
            Dialect::Openpocket => text
                .split(|character: char| character == ',' || character.is_whitespace())
                .filter_map(non_blank)
                .collect(),
        },
        _ => Vec::new(),
    }
}

/// Phrases: a list, or one phrase. A string is not split, because phrases have commas and blanks.
pub(crate) fn phrases(value: Option<&Value>, dialect: Dialect) -> Vec<String> {
    match value {
        Some(Value::String(text)) if dialect != Dialect::Openpocket => non_blank(text).into_iter().collect(),
        other => list(other, dialect),
    }
}

/// Trimmed, unless nothing is left.
pub(crate) fn non_blank(text: &str) -> Option<String> {
    let trimmed = trim(text);
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// A text value, as it stands.
pub(crate) fn string<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    map.get(key).and_then(Value::as_str)
}

/// A list of words or patterns: an array, or a string split at blanks that are not inside parentheses
/// (`Bash(git *) Read`) and at commas.
pub(crate) fn patterns(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => {
            let mut depth = 0_usize;
            text.split(|character: char| {
                match character {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 && (character == ',' || character.is_whitespace())
            })
            .filter_map(non_blank)
            .collect()
        }
        other => list(other, Dialect::Prowess),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_take_arrays_and_separated_text() {
        let read = |value: Value| list(Some(&value), Dialect::Openclaw);
        assert_eq!(read(json!("gh, jq ,,")), ["gh", "jq"]);
        assert_eq!(read(json!(["gh", 5, null, "  ", " jq "])), ["gh", "5", "null", "jq"]);
        assert!(read(json!({"a": 1})).is_empty());
        assert_eq!(list(Some(&json!("sh ls,jq")), Dialect::Openpocket), ["sh", "ls", "jq"]);
    }

    #[test]
    fn patterns_keep_their_parentheses_together() {
        assert_eq!(patterns(Some(&json!("Bash(git *) Read,Write"))), ["Bash(git *)", "Read", "Write"]);
        assert_eq!(patterns(Some(&json!(["Bash(git *)"]))), ["Bash(git *)"]);
    }
}
