//! `prowess watch`

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Home, Program as _};

/// The running command; killed if a test fails before it ends.
struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn watch(home: &Home, args: &[&str]) -> (Watching, impl Iterator<Item = String>) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("prowess"))
        .env_clear()
        .env("HOME", home.tree.root())
        .env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("bundled"))
        .current_dir(home.tree.path("ws"))
        .arg("watch")
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    (Watching(child), lines)
}

#[test]
fn changes_come_as_json_lines() {
    let home = Home::new();
    home.config("{ skills: { load: { debounceMs: 20 } } }");
    let (mut child, lines) = watch(&home, &["--json", "--count", "3"]);
    let mut lines = lines.map(|line| serde_json::from_str::<Value>(&line).unwrap());
    let started = lines.next().unwrap();
    assert_eq!(
        (&started["type"], &started["status"]["health"]["mode"]),
        (&json!("started"), &json!("watching"))
    );

    home.skill("ws/skills/one", "one", "");
    let event = lines.next().unwrap();
    assert_eq!((&event["type"], &event["event"]["reason"]), (&json!("published"), &json!("watch")));
    assert_eq!(event["event"]["diff"], json!({"added": ["one"], "removed": [], "changed": []}));
    let snapshot = home.json(&["snapshot", "--json"]);
    assert_eq!(event["event"]["id"], snapshot["id"], "the same question gets the same answer");

    let file = home.tree.write("ws/skills/one/SKILL.md", "---\nname: one\n---\n");
    let event = lines.next().unwrap();
    assert_eq!(event["type"], json!("stale-edits"));
    assert_eq!(event["event"]["staleEdits"][0]["file"], json!(file));
    assert_eq!(event["event"]["id"], snapshot["id"]);

    std::fs::remove_dir_all(home.tree.path("ws/skills/one")).unwrap();
    assert_eq!(lines.next().unwrap()["event"]["diff"]["removed"], json!(["one"]));
    assert_eq!(lines.next(), None, "it ends after three changes");
    assert!(child.0.wait().unwrap().success());
}

#[test]
fn a_switched_off_watch_ends_with_the_reason_and_the_remedy() {
    let home = Home::new();
    home.config("{ skills: { load: { watch: false } } }");
    let ran = home.run(&["watch"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error[not-ready]: nothing is watched, because `skills.load.watch` is `false`
    help: `prowess config set skills.load.watch true`
    ");
    let ran = home.run(&["watch", "--json"]);
    assert_eq!(ran.code, 1);
    let last: Value = serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&last["type"], &last["status"]["health"]["mode"]), (&json!("started"), &json!("off")));
    assert!(ran.stdout.contains("skills.load.watch"), "{}", ran.stdout);
    home.good(&["config", "set", "skills.load.watch", "true"]);
    let (_child, mut lines) = watch(&home, &["--count", "0"]);
    assert!(lines.next().unwrap().starts_with("0 skills, "), "the remedy works");
}

#[test]
fn people_are_told_in_words() {
    let home = Home::new();
    home.config("{ skills: { load: { debounceMs: 20 } } }");
    let (_child, mut lines) = watch(&home, &["--count", "1"]);
    assert!(lines.next().unwrap().starts_with("0 skills, "));
    home.skill("ws/skills/one", "one", "");
    assert_eq!(lines.next().unwrap(), "+ one");
    let last = lines.next().unwrap();
    let path = home.tree.path("ws/skills/one/SKILL.md");
    assert!(last.starts_with("version ") && last.ends_with(&format!("(watch {})", path.display())), "{last}");
}
