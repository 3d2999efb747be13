use proptest::prelude::*;

use super::*;

const COMMAND: &str = "prowess hook run claude-code";

/// A file as people have it: with hooks of others, a comment and keys we know nothing of.
const FOREIGN: &str = r#"{
  "model": "opus", // the big one
  "hooks": {
    "UserPromptSubmit": [
      { "hooks": [ { "type": "command", "command": "date  +%s" } ] }
    ],
    "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ]
  },
  "permissions": { "allow": ["Bash(git *)"] }
}
"#;

fn claude_code() -> HookHarness {
    HookHarness::find("claude-code").expect("a row with hooks")
}

fn codex() -> HookHarness {
    HookHarness::find("codex").expect("a row with hooks")
}

fn added(text: Option<&str>) -> String {
    install(text, claude_code(), COMMAND).expect("a change")
}

#[test]
fn a_file_is_made_if_there_is_none() {
    let text = added(None);
    let value: Value = serde_json::from_str(&text).expect("plain JSON");
    let handler = json!({ "type": "command", "command": COMMAND, "timeout": 10 });
    let expected = json!({ "hooks": {
        "UserPromptSubmit": [{ "hooks": [handler] }],
        "SessionStart": [{ "matcher": "compact", "hooks": [handler] }],
    }});
    assert_eq!(value, expected);
    assert_eq!(added(Some(&text)), text, "twice is once");
    assert_eq!(is_installed(Some(&text), claude_code(), COMMAND), Ok(true));
    assert_eq!(is_installed(Some(&text), claude_code(), "/other/prowess hook run claude-code"), Ok(false));
    assert_eq!(is_installed(None, claude_code(), COMMAND), Ok(false));
}

#[test]
fn others_stay_byte_for_byte() {
    let text = added(Some(FOREIGN));
    for line in FOREIGN.lines().filter(|line| !line.trim_end().ends_with(['}', ']'])) {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(text.contains(r#""command": "date  +%s""#), "{text}");
    assert_eq!(remove(&text, claude_code()).as_deref(), Ok(FOREIGN));
    assert_eq!(remove(FOREIGN, claude_code()).as_deref(), Ok(FOREIGN));
}

#[test]
fn a_file_without_hooks_is_what_it_was() {
    for text in ["{}\n", "{\n  \"a\": 1\n}\n", "{\"a\":1}", "{ a: 1, /* b */ }\n"] {
        assert_eq!(remove(&added(Some(text)), claude_code()).as_deref(), Ok(text));
    }
}

#[test]
fn another_path_to_the_program_is_brought_up_to_date() {
    let old = install(Some(FOREIGN), claude_code(), "'/opt/my tools/prowess' hook run claude-code")
        .expect("a change");
    assert_eq!(added(Some(&old)), added(Some(FOREIGN)));
}

#[test]
fn a_command_of_ours_among_others_in_one_group_goes_alone() {
    let shared = r#"{"hooks":{"UserPromptSubmit":[{"hooks":[{"command":"a"},{"command":"prowess hook run codex"},{"command":"b"}]}]}}"#;
    let text = remove(shared, codex()).expect("a change");
    assert_eq!(text, r#"{"hooks":{"UserPromptSubmit":[{"hooks":[{"command":"a"},{"command":"b"}]}]}}"#);
}

#[test]
fn only_ours_is_ours() {
    for (command, expected) in [
        (COMMAND, true),
        ("/usr/bin/prowess hook run claude-code --agent writer", true),
        ("\"C:\\p q\\prowess.exe\" hook run claude-code", true),
        ("prowess hook run claude", true),
        ("prowess hook run codex", false),
        ("prowess hook run claude-code-next", false),
        ("my-prowess hook run claude-code", false),
        ("echo prowess hook run claude-code", false),
        ("prowess match x", false),
        ("", false),
    ] {
        assert_eq!(is_own(command, claude_code()), expected, "{command}");
    }
}

#[test]
fn a_file_that_is_something_else_is_refused() {
    let refused = |text: &str| install(Some(text), codex(), COMMAND).expect_err(text).to_string();
    insta::assert_snapshot!(refused("{ \"hooks\": "), @"it is not JSON");
    insta::assert_snapshot!(refused("[]"), @"`the file` is not an object");
    insta::assert_snapshot!(refused(r#"{"hooks":[]}"#), @"`hooks` is not an object");
    insta::assert_snapshot!(refused(r#"{"hooks":{"UserPromptSubmit":{}}}"#), @"`hooks.UserPromptSubmit` is not a list");
}

proptest! {
    #[test]
    fn whatever_the_file_says_we_leave_it_as_it_was(text in "[\\[\\]{}\":,a-c0-9 \n]{0,60}") {
        if let Ok(with) = install(Some(&text), codex(), "prowess hook run codex") {
            prop_assert_eq!(installed(Some(&with), codex()).map(|list| list.len()), Ok(2));
            let without = remove(&with, codex()).expect("a change");
            let (before, after) = (prowess_json5::to_value(&text), prowess_json5::to_value(&without));
            let empty = prowess_json5::to_value("{}");
            prop_assert!(before == after || after == empty, "{text} became {without}");
        }
    }
}
