//! `prowess new NAME`

use serde_json::json;

use crate::support::{Home, Program as _};

#[test]
fn the_skeleton_is_valid_as_it_stands() {
    let home = Home::new();
    assert_eq!(home.good(&["new", "release-notes"]), "[ROOT]/ws/skills/release-notes/SKILL.md\n");
    insta::assert_snapshot!(home.good(&["validate", "--strict", "skills/release-notes"]), @"✓ skills/release-notes/SKILL.md portable");
    assert_eq!(home.json(&["info", "release-notes", "--json"])["eligible"], json!(true));
    let text = std::fs::read_to_string(home.tree.path("ws/skills/release-notes/SKILL.md")).unwrap();
    insta::assert_snapshot!(text, @r#"
    ---
    name: release-notes
    description: "Say what this skill does. Use when the user asks for …, in the words a user would say."
    ---

    # Release Notes

    ## When to use

    - The user asks for …

    Not for: …

    ## Before you start

    Check that what the steps need is there.

    ## Steps

    1. …

    ## Pitfalls

    - …

    ## Done when

    - …
    "#);
}

#[test]
fn nothing_is_ever_replaced() {
    let home = Home::new();
    home.good(&["new", "mine"]);
    home.tree.write("ws/skills/mine/SKILL.md", "precious");
    let ran = home.run(&["new", "mine"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error[already-there]: `[ROOT]/ws/skills/mine` already exists
    help: choose another name; nothing was changed
    ");
    assert_eq!(std::fs::read_to_string(home.tree.path("ws/skills/mine/SKILL.md")).unwrap(), "precious");
    std::fs::create_dir_all(home.tree.path("ws/skills/empty-folder")).unwrap();
    assert_eq!(home.run(&["new", "empty-folder"]).code, 1);
}

#[test]
fn nothing_is_written_through_a_link_that_leads_nowhere() {
    let home = Home::new();
    home.tree.lay("ws/skills/folder", &json!({"symlink": "$ROOT/nowhere"}));
    home.tree.lay("ws/skills/file.md", &json!({"symlink": "$ROOT/nowhere.md"}));
    assert_ne!(home.run(&["new", "folder"]).code, 0);
    assert_ne!(home.run(&["new", "file", "--template", "openpocket"]).code, 0);
    assert!(!home.tree.path("nowhere").exists() && !home.tree.path("nowhere.md").exists());
}

#[test]
fn a_bad_name_is_a_usage_error() {
    let home = Home::new();
    let long = "x".repeat(65);
    for name in ["Bad", "two words", "-x", "x-", "a--b", "../out", "", "ünïcode", "a/b", &long] {
        let ran = home.run(&["new", "--", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{name}");
        assert!(
            ran.stderr.starts_with(&format!("error[invalid-value]: `{name}` is not a skill name")),
            "{}",
            ran.stderr
        );
    }
    assert!(!home.tree.path("ws/skills").exists());
}

#[test]
fn the_template_of_openpocket() {
    let home = Home::new();
    let said = home.good(&["new", "open-app", "--template", "openpocket"]);
    assert_eq!(said, "[ROOT]/ws/skills/open-app.md\n");
    insta::assert_snapshot!(std::fs::read_to_string(home.tree.path("ws/skills/open-app.md")).unwrap(), @"
    # Open App

    Say in one line what this skill does.

    ## Trigger
    Use when the user asks for …

    ## Steps
    - …
    ");
    assert_eq!(home.run(&["new", "open-app", "--template", "openpocket"]).code, 1);
    let entry = home.json(&["info", "open-app", "--json", "--profile", "openpocket", "--workspace", "."]);
    assert_eq!(entry["description"], json!("Say in one line what this skill does."));
}

#[test]
fn elsewhere_and_in_json() {
    let home = Home::new();
    let said = home.json(&["new", "x", "--path", "other", "--json"]);
    assert_eq!(said, json!({"ok": true, "path": "other/x/SKILL.md"}));
    assert!(home.tree.path("ws/other/x/SKILL.md").exists());
}
