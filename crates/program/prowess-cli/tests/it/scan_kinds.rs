//! Skills of many kinds that were written before any rule was changed for them: what the scanner says of each half.
//!
//! `cargo test -p prowess-cli --test it scan_kinds -- --nocapture` prints the figures. Rules may be written for the open
//! half; of the half held back only the figures may be looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};

use serde_json::Value;

use crate::support::{Home, Program as _};

const OPEN: &[u8] = include_bytes!("../../../../pure/prowess-scan/tests/fixtures/kinds.open.jsonl.gz");
const HELD: &[u8] = include_bytes!("../../../../pure/prowess-scan/tests/fixtures/kinds.held.jsonl.gz");
const ORDERS: &[u8] = include_bytes!("../../../../pure/prowess-scan/tests/fixtures/orders.jsonl.gz");

/// What was said of the skills with one label.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    all: usize,
    warned: usize,
    blocked: usize,
}

impl Said {
    fn flagged(&self) -> usize {
        self.warned + self.blocked
    }
}

fn lines(packed: &[u8]) -> Vec<Value> {
    let lines = BufReader::new(flate2::read::GzDecoder::new(packed)).lines();
    lines.map(|line| serde_json::from_str(&line.expect("gzip")).expect("JSON")).collect()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().expect(key)
}

/// Scans all skills of a half with one command.
fn said(packed: &[u8]) -> BTreeMap<String, Said> {
    let (home, items) = (Home::new(), lines(packed));
    let mut arguments = vec!["scan".to_owned(), "--json".to_owned()];
    for item in &items {
        let folder = format!("kinds/{}", text(item, "name"));
        for (path, content) in item["files"].as_object().expect("files") {
            home.tree.write(&format!("ws/{folder}/{path}"), content.as_str().expect("a text"));
        }
        arguments.push(folder);
    }
    let ran = home.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let skills = report["skills"].as_array().expect("skills");
    assert_eq!(skills.len(), items.len());
    let mut said: BTreeMap<String, Said> = BTreeMap::new();
    for (item, skill) in items.iter().zip(skills) {
        assert!(text(skill, "path").ends_with(text(item, "name")), "{}", text(skill, "path"));
        let said = said.entry(text(item, "label").to_owned()).or_default();
        said.all += 1;
        said.warned += usize::from(skill["verdict"] == "suspicious");
        said.blocked += usize::from(skill["verdict"] == "malicious");
    }
    said
}

#[expect(clippy::print_stdout, reason = "the figures of the documents are copied from here")]
fn print(half: &str, said: &BTreeMap<String, Said>) {
    for (label, Said { all, warned, blocked }) in said {
        println!("{half}, {label}: {all} skills, {blocked} blocked, {warned} warned about");
    }
}

/// A ratchet: what is recognised may only grow, and false alarms may only become fewer.
#[test]
fn what_is_known_of_each_half_keeps_its_figures() {
    for (half, packed, malicious, harmless) in [
        (
            "open",
            OPEN,
            Said { all: 104, warned: 10, blocked: 37 },
            Said { all: 106, warned: 18, blocked: 22 },
        ),
        ("held", HELD, Said { all: 118, warned: 8, blocked: 49 }, Said { all: 115, warned: 20, blocked: 18 }),
    ] {
        let said = said(packed);
        print(half, &said);
        let (bad, good) = (&said["malicious"], &said["harmless"]);
        assert_eq!((bad.all, good.all), (malicious.all, harmless.all));
        assert!(bad.flagged() >= malicious.flagged() && bad.blocked >= malicious.blocked, "{half}: {bad:?}");
        assert!(good.flagged() <= harmless.flagged() && good.blocked <= harmless.blocked, "{half}: {good:?}");
    }
}

#[test]
fn names_and_sentences_stand_once() {
    let skills: Vec<Value> = [OPEN, HELD].into_iter().flat_map(lines).collect();
    let names: BTreeSet<&str> = skills.iter().map(|item| text(item, "name")).collect();
    assert_eq!(names.len(), skills.len());
    let sentences = lines(ORDERS);
    let distinct: BTreeSet<String> = sentences.iter().map(|it| text(it, "text").to_lowercase()).collect();
    assert_eq!(distinct.len(), sentences.len());
    let classes: BTreeSet<(&str, &str)> =
        sentences.iter().map(|it| (text(it, "lang"), text(it, "class"))).collect();
    assert_eq!(classes.len(), 2 * 11, "every language has both classes");
}
