//! Any text is JSON5 or an error, and an edit changes what it was asked to and nothing else.

use prowess_json5::{Json5Document, Json5EditError, parse, to_value};
use serde_json::{Value, json};

/// How many places of a document are edited.
const EDITS: usize = 4;

/// Reads the text, and edits what can be read.
pub fn check(text: &str) {
    let Ok(document) = parse(text) else {
        assert!(to_value(text).is_err(), "both readers agree");
        // An empty text counts as an empty object, but only here.
        if let Ok(document) = Json5Document::parse_or_empty(text) {
            check_new_member(&document);
        }
        return;
    };
    let value = document.value();
    assert_eq!(to_value(text).as_ref(), Ok(&value), "both readers agree");
    let written = serde_json::to_string(&value).expect("a value can be written");
    assert_eq!(to_value(&written).as_ref(), Ok(&value), "JSON is JSON5 and means the same");

    let paths = paths(&value);
    for path in paths.iter().step_by(paths.len().div_ceil(EDITS).max(1)) {
        check_edits(&document, path);
    }
    if value.is_object() {
        check_new_member(&document);
    }
}

/// The paths of all values but the root, in the order of the text.
fn paths(value: &Value) -> Vec<Vec<String>> {
    fn walk(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
        let members: Vec<(String, &Value)> = match value {
            Value::Object(map) => map.iter().map(|(name, member)| (name.clone(), member)).collect(),
            Value::Array(items) => {
                items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
            }
            _ => Vec::new(),
        };
        for (name, member) in members {
            path.push(name);
            found.push(path.clone());
            walk(member, path, found);
            path.pop();
        }
    }
    let mut found = Vec::new();
    walk(value, &mut Vec::new(), &mut found);
    found
}

/// Sets and removes one value that is there.
fn check_edits(document: &Json5Document, path: &[String]) {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let values =
        [json!(null), json!("it's\n\"\u{2028}\\"), json!([0.5, {"k y": {"z": []}}]), json!({"a": 1})];
    for new in values {
        let mut edited = document.clone();
        match edited.set(&names, &new) {
            Ok(()) => {
                let mut expected = document.value();
                *at(&mut expected, path) = new;
                assert_says(&edited, &expected);
            }
            Err(Json5EditError::TooDeep) => assert_eq!(edited.text(), document.text()),
            Err(error) => panic!("cannot set {path:?}: {error}"),
        }
    }
    let mut edited = document.clone();
    assert_eq!(edited.remove(&names), Ok(true));
    let mut expected = document.value();
    if let Some((last, parents)) = path.split_last() {
        match at(&mut expected, parents) {
            Value::Object(map) => drop(map.shift_remove(last)),
            Value::Array(items) => drop(items.remove(last.parse().expect("an index"))),
            _ => unreachable!("a value is in an object or in a list"),
        }
    }
    assert_says(&edited, &expected);
}

/// Adds a member to the root and takes it out again.
fn check_new_member(document: &Json5Document) {
    const NAME: &str = "a name that nobody uses";
    let before = document.value();
    if before.get(NAME).is_some() {
        return;
    }
    let mut edited = document.clone();
    edited.set(&[NAME, "below"], &json!([1, "two"])).expect("an object takes a new member");
    let mut expected = before.clone();
    expected[NAME] = json!({"below": [1, "two"]});
    assert_says(&edited, &expected);
    assert_eq!(edited.remove(&[NAME]), Ok(true));
    assert_says(&edited, &before);
}

fn at<'a>(value: &'a mut Value, path: &[String]) -> &'a mut Value {
    path.iter().fold(value, |value, name| match value {
        Value::Object(map) => map.get_mut(name).expect("the member is there"),
        Value::Array(items) => &mut items[name.parse::<usize>().expect("an index")],
        _ => unreachable!("a value is in an object or in a list"),
    })
}

/// The document and its text say the same.
fn assert_says(document: &Json5Document, expected: &Value) {
    assert_eq!(&document.value(), expected, "{}", document.text());
    let read = Json5Document::parse_or_empty(document.text()).expect("an edited text can be read");
    assert_eq!(&read.value(), expected, "{}", document.text());
}
