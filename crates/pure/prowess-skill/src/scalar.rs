//! The YAML 1.2 core schema, and JavaScript's way of writing values as text.
//!
//! `yes`, `on`, dates and `1_000` stay text. Numbers that JavaScript would round are rounded only in the
//! dialect that mimics it.

use prowess_types::Dialect;
use serde_json::{Map, Number, Value};

use crate::text::trim;
use crate::yaml::{Kind, Node};

/// A YAML node as a JSON value.
pub(crate) fn to_value(node: &Node, dialect: Dialect) -> Value {
    match &node.kind {
        Kind::Scalar { text, plain, tag } => scalar(text, *plain, tag.as_deref(), dialect),
        Kind::Sequence(items) => items.iter().map(|item| to_value(item, dialect)).collect(),
        Kind::Mapping(pairs) => {
            let mut map = Map::new();
            for (key, value) in pairs {
                map.insert(key_text(key, dialect), to_value(value, dialect));
            }
            Value::Object(map)
        }
    }
}

/// A key as text; collections as keys are written as JSON.
pub(crate) fn key_text(node: &Node, dialect: Dialect) -> String {
    match &node.kind {
        Kind::Scalar { text, plain: false, .. } => text.clone(),
        _ => match to_value(node, dialect) {
            Value::Null => String::new(),
            value => text_of(&value),
        },
    }
}

fn scalar(text: &str, plain: bool, tag: Option<&str>, dialect: Dialect) -> Value {
    match tag {
        None if plain => resolve(text, dialect),
        Some(
            "tag:yaml.org,2002:int"
            | "tag:yaml.org,2002:float"
            | "tag:yaml.org,2002:bool"
            | "tag:yaml.org,2002:null",
        ) => resolve(text, dialect),
        _ => Value::String(text.to_owned()),
    }
}

fn resolve(text: &str, dialect: Dialect) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match text.as_bytes()[0] {
            b'0'..=b'9' | b'+' | b'-' | b'.' => number(text, dialect),
            _ => None,
        }
        .unwrap_or_else(|| Value::String(text.to_owned())),
    }
}

/// `None` when the text is not a number. Infinities and NaN have no JSON number, so they become the words
/// JavaScript would print.
fn number(text: &str, dialect: Dialect) -> Option<Value> {
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16, dialect);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8, dialect);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let negative = text.starts_with('-');
    match unsigned {
        ".inf" | ".Inf" | ".INF" => {
            return Some(Value::from(if negative { "-Infinity" } else { "Infinity" }));
        }
        ".nan" | ".NaN" | ".NAN" if unsigned.len() == text.len() => return Some(Value::from("NaN")),
        _ => {}
    }
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(position) => (&unsigned[..position], Some(&unsigned[position + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty());
    let exponent_ok = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    if !has_digits || !digits(whole) || !fraction.is_none_or(digits) || !exponent_ok {
        return None;
    }
    if fraction.is_none() && exponent.is_none() {
        let plain = text.strip_prefix('+').unwrap_or(text);
        if dialect == Dialect::Prowess {
            if let Ok(exact) = plain.parse::<i64>() {
                return Some(Value::from(exact));
            }
            if let Ok(exact) = plain.parse::<u64>() {
                return Some(Value::from(exact));
            }
        }
    }
    let float: f64 = text.parse().ok()?;
    Some(from_f64(float))
}

fn radix(digits: &str, radix: u32, dialect: Dialect) -> Option<Value> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let float = digits
        .chars()
        .fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit.to_digit(radix).unwrap_or(0)));
    match u64::from_str_radix(digits, radix) {
        Ok(exact) if dialect == Dialect::Prowess => Some(Value::from(exact)),
        _ => Some(from_f64(float)),
    }
}

/// Whole floats become integers, so that `1e3` and `1000` are the same value.
fn from_f64(float: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if float.fract() == 0.0 && float.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        return Value::from(float as i64);
    }
    match Number::from_f64(float) {
        Some(number) => Value::Number(number),
        None if float > 0.0 => Value::from("Infinity"),
        None => Value::from("-Infinity"),
    }
}

/// A value as the text a string field gets: strings trimmed, numbers as JavaScript writes them, collections
/// as compact JSON. Null has no text.
pub(crate) fn field_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(trim(text).to_owned()),
        other => Some(text_of(other)),
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => {
            let mut out = String::new();
            write_json(other, &mut out);
            out
        }
    }
}

/// Compact JSON with JavaScript's number format.
fn write_json(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => out.push_str(&number_text(number)),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (index, (key, item)) in map.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_json(item, out);
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}

fn number_text(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => ryu_js::Buffer::new().format(float).to_owned(),
        _ => number.to_string(),
    }
}

/// A value as JavaScript's `String(value)` has it: what list elements are turned into.
pub(crate) fn js_string(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number_text(number),
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(|item| if item.is_null() { String::new() } else { js_string(item) })
            .collect::<Vec<_>>()
            .join(","),
        Value::Object(_) => "[object Object]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str, dialect: Dialect) -> Option<String> {
        field_text(&scalar(source, true, None, dialect))
    }

    #[test]
    fn scalars_read_as_the_core_schema_and_print_as_javascript() {
        for (source, expected) in [
            ("42", "42"),
            ("1.50", "1.5"),
            ("0x1F", "31"),
            ("0o17", "15"),
            ("1e3", "1000"),
            ("1_000", "1_000"),
            (".inf", "Infinity"),
            ("-.inf", "-Infinity"),
            (".nan", "NaN"),
            ("+.nan", "+.nan"),
            ("0.1", "0.1"),
            ("-0", "0"),
            ("012", "12"),
            ("2024-01-02", "2024-01-02"),
            ("yes", "yes"),
            ("True", "true"),
            (".", "."),
            ("-", "-"),
            ("1.", "1"),
            (".5", "0.5"),
            ("1e", "1e"),
            ("1e400", "Infinity"),
            ("1.2.3", "1.2.3"),
        ] {
            assert_eq!(text(source, Dialect::Openclaw).as_deref(), Some(expected), "{source}");
        }
        assert_eq!(text("~", Dialect::Prowess), None);
        assert_eq!(text("", Dialect::Prowess), None);
    }

    #[test]
    fn large_integers_are_exact_in_our_dialect_only() {
        let big = "12345678901234567890";
        assert_eq!(text(big, Dialect::Prowess).as_deref(), Some(big));
        assert_eq!(text(big, Dialect::Openclaw).as_deref(), Some("12345678901234567000"));
    }

    #[test]
    fn list_elements_become_text_as_in_javascript() {
        for (value, expected) in [
            (serde_json::json!(null), "null"),
            (serde_json::json!(5), "5"),
            (serde_json::json!(true), "true"),
            (serde_json::json!({"a": 1}), "[object Object]"),
            (serde_json::json!(["a", null, 1]), "a,,1"),
        ] {
            assert_eq!(js_string(&value), expected);
        }
    }
}
