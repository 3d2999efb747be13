//! The keys of OpenClaw's own config, so that a file which it wrote has nothing unknown in it.
//!
//! The data are names and types only, of the version that they name. A key that is not in them may be one of another
//! version, so it is reported only if it is a slip of the pen.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::keypath::display;

/// The data, read when a key is met that our own table does not have.
static KEYS: LazyLock<OpenclawKeys> = LazyLock::new(|| {
    let data = prowess_json5::to_value(include_str!("../data/openclaw-keys.json5")).unwrap_or_default();
    OpenclawKeys {
        shapes: data["shapes"].as_array().cloned().unwrap_or_default(),
        keys: data["keys"].as_object().cloned().unwrap_or_default(),
    }
});

struct OpenclawKeys {
    /// Shapes that occur several times.
    shapes: Vec<Value>,
    keys: Map<String, Value>,
}

/// A place in the data.
enum Shape {
    /// An object or a list with these parts.
    Parts(&'static Map<String, Value>),
    /// A value without parts that are known.
    Leaf {
        /// True if anything may be in it.
        is_open: bool,
    },
}

/// Returns true if OpenClaw knows the key at a path.
pub(crate) fn knows(path: &[&str]) -> bool {
    !path.is_empty() && find(path).is_some()
}

/// A key of OpenClaw that an unknown one was probably meant to be.
pub(crate) fn suggestion(path: &[&str]) -> Option<String> {
    let (last, parents) = path.split_last()?;
    let Shape::Parts(parts) = find(parents)? else { return None };
    if parts.contains_key("*") {
        return None;
    }
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let written = plain(last);
    // Other versions have other keys, so what is reported must differ by very little.
    let most = match written.chars().count() {
        ..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    let distance = |name: &str| strsim::damerau_levenshtein(&plain(name), &written);
    let names = parts.keys().map(String::as_str).filter(|name| !name.is_empty() && *name != "[]");
    let closest = names.min_by_key(|name| distance(name)).filter(|name| distance(name) <= most)?;
    Some(display(&[parents, &[closest]].concat()))
}

fn find(path: &[&str]) -> Option<Shape> {
    let root = Shape::Parts(&KEYS.keys);
    canonical(path).into_iter().try_fold(root, |shape, name| match shape {
        Shape::Leaf { is_open } => is_open.then_some(Shape::Leaf { is_open }),
        Shape::Parts(parts) => {
            let is_index = name.parse::<usize>().is_ok();
            let element = || parts.get("[]").filter(|_| is_index);
            let member = parts.get(name).filter(|_| !matches!(name, "" | "*" | "[]"));
            member.or_else(element).or_else(|| parts.get("*")).map(shape_of)
        }
    })
}

/// Agents in a list have the keys of agents by name.
fn canonical<'a>(path: &[&'a str]) -> Vec<&'a str> {
    match path {
        ["agents", "list"] => vec!["agents", "entries"],
        ["agents", "list", index, rest @ ..] if index.parse::<usize>().is_ok() => {
            [&["agents", "entries", *index], rest].concat()
        }
        path => path.to_vec(),
    }
}

fn shape_of(value: &'static Value) -> Shape {
    match value {
        Value::Object(parts) => Shape::Parts(parts),
        Value::String(text) => {
            let number = text.strip_prefix('#').and_then(|number| number.parse::<usize>().ok());
            match number.and_then(|number| KEYS.shapes.get(number)) {
                Some(shape) => shape_of(shape),
                None => Shape::Leaf { is_open: text.split('|').any(|kind| kind == "any") },
            }
        }
        _ => Shape::Leaf { is_open: true },
    }
}

#[cfg(test)]
#[path = "openclaw_keys_tests.rs"]
mod tests;
