//! Any text is a lock file or is not, and one that is survives being written again.

use std::path::{Component, Path};

use prowess_install::{LockEntry, LockFile};
use serde_json::{Map, Value};

/// Reads the text, writes what was read, and reads that.
pub fn check(text: &str) {
    let Ok(lock) = LockFile::parse(text) else { return };
    let written = lock.render();
    let again = LockFile::parse(&written).expect("what was written can be read");
    assert_eq!(again, lock);
    assert_eq!(again.render(), written, "writing twice changes nothing");
    for (folder, entry) in lock.skills.iter().chain(&lock.removed) {
        check_inside(folder.as_str());
        check_entry(entry);
    }

    let before: Value = serde_json::from_str(text).expect("a lock file is JSON");
    let after: Value = serde_json::from_str(&written).expect("a lock file is JSON");
    let (Value::Object(before), Value::Object(after)) = (&before, &after) else {
        panic!("a lock file is an object")
    };
    check_kept(before, after, &["skills", "removed"]);
    for list in ["skills", "removed"] {
        for (folder, entry) in before.get(list).and_then(Value::as_object).into_iter().flatten() {
            let now = after[list][folder].as_object().expect("every skill is kept");
            check_kept(entry.as_object().expect("a skill is an object"), now, &["files"]);
        }
    }
}

fn check_entry(entry: &LockEntry) {
    for (path, file) in &entry.files {
        check_inside(path.as_str());
        check_inside(file.sha256.as_str());
    }
    for note in &entry.notes {
        check_inside(note.as_str());
    }
}

fn check_inside(path: &str) {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    assert!(!path.is_empty() && Path::new(path).components().all(is_plain), "`{path}` leads elsewhere");
}

/// Every field is as it was, but for those that say nothing, and those that are looked at elsewhere.
fn check_kept(before: &Map<String, Value>, after: &Map<String, Value>, but: &[&str]) {
    for (key, value) in before.iter().filter(|(key, _)| !but.contains(&key.as_str())) {
        match after.get(key) {
            Some(kept) => check_value(key, value, kept),
            None => assert!(says_nothing(value), "`{key}` is lost"),
        }
    }
}

fn check_value(key: &str, before: &Value, after: &Value) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => check_kept(before, after, &[]),
        _ => assert_eq!(before, after, "`{key}` is kept"),
    }
}

fn says_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}
