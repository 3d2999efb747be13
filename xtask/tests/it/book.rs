//! The documents as a book: its contents list every page, and mdBook can make it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::root;

/// The pages that the contents list, with how often each is listed.
fn listed() -> BTreeMap<String, usize> {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the contents of the book");
    let mut pages = BTreeMap::new();
    for page in summary.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
        *pages.entry(page.0.to_owned()).or_default() += 1;
    }
    pages
}

/// The pages that are there; the contents themselves are none.
fn pages(folder: &Path, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of documents") {
        let path = entry.expect("an entry of the folder").path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            found.extend(pages(&path, &format!("{prefix}{name}/")));
        } else if path.extension().is_some_and(|extension| extension == "md") && name != "SUMMARY.md" {
            found.push(format!("{prefix}{name}"));
        }
    }
    found
}

#[test]
fn the_contents_list_every_page_once() {
    let (listed, there) = (listed(), pages(&root().join("docs"), ""));
    let unlisted: Vec<&String> = there.iter().filter(|page| !listed.contains_key(*page)).collect();
    assert!(unlisted.is_empty(), "docs/SUMMARY.md does not list {unlisted:?}");
    let absent: Vec<&String> = listed.keys().filter(|page| !there.contains(page)).collect();
    assert!(absent.is_empty(), "docs/SUMMARY.md lists pages that are not there: {absent:?}");
    let twice: Vec<&String> = listed.iter().filter(|(_, times)| **times > 1).map(|(page, _)| page).collect();
    assert!(twice.is_empty(), "docs/SUMMARY.md lists twice: {twice:?}");
}

/// What is outside of the folder is not in the book, so a link to it would lead nowhere.
#[test]
fn no_link_leaves_the_book() {
    for page in pages(&root().join("docs"), "") {
        let text = fs::read_to_string(root().join("docs").join(&page)).expect("a page");
        let depth = page.matches('/').count() + 1;
        let outside = format!("]({}", "../".repeat(depth));
        assert!(!text.contains(&outside), "{page} links to something outside of docs");
    }
}

/// Only where mdBook is installed: nothing else in the repository needs it.
#[test]
fn mdbook_renders_every_page() {
    if Command::new("mdbook").arg("--version").output().is_err() {
        return;
    }
    let made = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new("mdbook")
        .args(["build", "--dest-dir"])
        .args([made.path(), root()])
        .output()
        .expect("mdBook runs");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("ERROR") && !said.contains("WARN"), "{said}");
    for page in listed().keys() {
        let html = page.replace("README.md", "index.md").replace(".md", ".html");
        assert!(made.path().join(&html).exists(), "{html} was not made");
    }
}
