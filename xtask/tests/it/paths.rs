//! Every path that ARCHITECTURE.md names exists.

use std::fs;
use std::path::PathBuf;

use crate::root;

/// The place of a path in the document: a crate's file, or one of the root.
fn places(path: &str) -> Vec<PathBuf> {
    let layers = fs::read_dir(root().join("crates")).expect("the layers");
    let below = layers.map(|layer| layer.expect("a layer").path().join(path));
    below.chain([root().join(path)]).collect()
}

/// `a/{b,c}.rs` stands for `a/b.rs` and `a/c.rs`.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let (names, after) = rest.split_once('}').expect("a closing brace");
    names.split(',').map(|name| format!("{before}{name}{after}")).collect()
}

#[test]
fn paths_of_the_architecture_exist() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let quoted: Vec<&str> = rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect();
    let mut missing = Vec::new();
    for path in quoted.iter().filter(|text| text.contains('/') && !text.starts_with('/')) {
        let (file, test) = path.split_once("::").unwrap_or((path, ""));
        for file in expanded(file) {
            let found = places(&file).into_iter().find(|place| place.exists());
            let has_test = |place: &PathBuf| {
                test.is_empty()
                    || fs::read_to_string(place).is_ok_and(|text| text.contains(&format!("fn {test}(")))
            };
            if !found.as_ref().is_some_and(has_test) {
                missing.push(format!("{file} {test}"));
            }
        }
    }
    assert!(quoted.len() > 100 && missing.is_empty(), "{missing:#?}");
}
