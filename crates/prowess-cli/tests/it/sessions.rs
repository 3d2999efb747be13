//! `sessions`: import, list, show, export, rate.

use insta::assert_snapshot;
use serde_json::Value;

use crate::support::Home;

const CODEX: &str = "codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5";

/// A home with a made-up log of another agent at `ws/<agent>.jsonl`.
fn home(agent: &str) -> Home {
    let home = Home::empty();
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../prowess-trace/tests/fixtures");
    let log = std::fs::read_to_string(format!("{fixtures}/{agent}.jsonl")).expect("a fixture");
    home.tree.write(&format!("ws/{agent}.jsonl"), log);
    home
}

/// One with that log imported.
fn imported(agent: &str) -> Home {
    let home = home(agent);
    home.good(&["sessions", "import", "--from", agent, &format!("{agent}.jsonl")]);
    home
}

#[test]
fn nothing_is_there_at_first() {
    let home = Home::empty();
    assert_snapshot!(home.good(&["sessions", "list"]), @"");
    assert_eq!(home.json(&["sessions", "list", "--json"])["sessions"], serde_json::json!([]));
    let ran = home.run(&["sessions", "show", "last"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.stderr, @"");
    assert!(!home.tree.path(".prowess/sessions").exists());
}

#[test]
fn an_import_says_what_it_did_with_every_entry() {
    let home = home("claude-code");
    let ran =
        home.run(&["sessions", "import", "--from", "claude-code", "claude-code.jsonl", "nothing.jsonl"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert_snapshot!(ran.stdout, @"");
    let again = home.json(&["sessions", "import", "--json", "--from", "claude-code", "claude-code.jsonl"]);
    let session = &again["imported"][0]["session"];
    assert_eq!((&session["replaced"], &session["runs"]), (&Value::Bool(true), &Value::from(3)));
    assert_eq!(session["report"]["foreign"]["mood"], 1);
}

#[test]
fn a_log_of_another_agent_is_refused() {
    let home = home("codex");
    let ran = home.run(&["sessions", "import", "--from", "openpocket", "codex.jsonl"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.stdout, @"");
    let ran = home.run(&["sessions", "import", "--from", "telepathy", "codex.jsonl"]);
    assert_eq!(ran.code, 2);
}

#[test]
fn sessions_are_listed_and_shown() {
    let home = imported("codex");
    assert_snapshot!(home.good(&["sessions", "list"]), @"");
    assert_snapshot!(home.good(&["sessions", "show", "codex-019"]), @"");
    assert_snapshot!(home.good(&["sessions", "show", "last", "--run", "r1"]), @"");
    let shown = home.json(&["sessions", "show", CODEX, "--json"]);
    assert_eq!(shown["summary"]["runs"][0]["outcome"]["result"], "auth_error");
    assert_eq!(shown["folder"], format!("[ROOT]/.prowess/sessions/{CODEX}"));
    let run = home.json(&["sessions", "show", CODEX, "--run", "r2", "--json"]);
    assert_eq!(run["lines"][0]["type"], "run_started");
    assert_eq!(home.json(&["sessions", "list", "--agent", "codex", "--json"])["sessions"][0]["id"], CODEX);
    assert_eq!(
        home.json(&["sessions", "list", "--agent", "main", "--json"])["sessions"],
        serde_json::json!([])
    );
}

#[test]
fn a_phone_agents_steps_are_shown() {
    let home = imported("openpocket");
    assert_snapshot!(home.good(&["sessions", "show", "openpocket", "--run", "r1"]), @"");
}

#[test]
fn a_wrong_id_or_run_proposes_the_next_step() {
    let home = imported("codex");
    home.tree.write(
        "ws/other.jsonl",
        r#"{"id":"second","timestamp":"2025-05-07T17:24:21Z"}
{"type":"message","role":"user","content":"hi"}"#,
    );
    home.good(&["sessions", "import", "--from", "codex", "other.jsonl"]);
    let failed = |args: &[&str]| {
        let ran = home.run(args);
        format!("{}\n{}", ran.code, ran.stderr)
    };
    assert_snapshot!(failed(&["sessions", "show", "nobody"]), @"");
    assert_snapshot!(failed(&["sessions", "show", "codex"]), @"");
    assert_snapshot!(failed(&["sessions", "show", CODEX, "--run", "r9"]), @"");
    assert_snapshot!(failed(&["sessions", "rate", CODEX, "excellent"]), @"");
}

#[test]
fn a_rating_counts_more_than_the_errors() {
    let home = imported("codex");
    assert_snapshot!(home.good(&["sessions", "rate", "codex", "bad", "--run", "r1"]), @"");
    assert_snapshot!(home.good(&["sessions", "rate", "codex", "good", "--note", "nice"]), @"");
    let rated = home.json(&["sessions", "rate", "codex", "bad:mismatch", "--run", "r1", "--json"]);
    assert_eq!(rated["outcome"], serde_json::json!({ "result": "task_mismatch", "by": "user" }));
    let shown = home.json(&["sessions", "show", "codex", "--json"]);
    let runs = &shown["summary"]["runs"];
    assert_eq!(runs[0]["outcome"]["result"], "task_mismatch");
    assert_eq!((&runs[1]["outcome"]["result"], &runs[1]["note"]), (&"success".into(), &"nice".into()));
    // Importing anew keeps them.
    home.good(&["sessions", "import", "--from", "codex", "codex.jsonl"]);
    assert_eq!(home.json(&["sessions", "show", "codex", "--json"])["summary"]["runs"], *runs);
}

#[test]
fn a_session_is_exported_in_three_ways() {
    let home = imported("codex");
    let file = std::fs::read_to_string(home.tree.path(&format!(".prowess/sessions/{CODEX}/trace.jsonl")));
    assert_eq!(home.good(&["sessions", "export", "codex", "--format", "jsonl"]), file.expect("a file"));
    let markdown = home.good(&["sessions", "export", "codex"]);
    assert!(markdown.starts_with(&format!("# Session `{CODEX}`\n")), "{markdown}");
    let ran = home.run(&["sessions", "export", "codex", "--format", "json", "-o", "out/session.json"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "✓ [ROOT]/ws/out/session.json\n")
    );
    let written = std::fs::read_to_string(home.tree.path("ws/out/session.json")).expect("a file");
    let json: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(json["id"], CODEX);
}

#[test]
fn a_terminal_gets_no_commands_from_a_session() {
    let home = Home::empty();
    let log = r#"{"id":"e","timestamp":"2025-05-07T17:24:21Z"}
{"type":"message","role":"user","content":"\u001b]0;owned\u0007\u001b[31mred \u009b2J"}
{"type":"function_call","name":"\u001b[2Jtool","arguments":"\u001b[31m","call_id":"1"}
{"type":"\u001b[31mmood"}"#;
    home.tree.write("ws/escape.jsonl", log);
    let commands: [&[&str]; 4] = [
        &["sessions", "import", "--from", "codex", "escape.jsonl"],
        &["sessions", "list"],
        &["sessions", "show", "codex-e"],
        &["sessions", "show", "codex-e", "--run", "r1"],
    ];
    for args in commands {
        let shown = home.good(args);
        let is_safe = |char: char| !char.is_control() || char == '\n';
        assert!(shown.chars().all(is_safe), "{args:?} {shown:?}");
    }
}

#[test]
fn an_unreadable_session_stays_in_the_list() {
    let home = imported("codex");
    let newer = r#"{"at":1,"type":"session","format":99,"session":"x","agent":"a","workspace":"w"}"#;
    home.tree.write(".prowess/sessions/from-the-future/trace.jsonl", newer);
    let ran = home.run(&["sessions", "list"]);
    assert_eq!(ran.code, 3);
    assert!(ran.stdout.contains("from-the-future") && ran.stdout.contains("format 99"), "{}", ran.stdout);
    let ran = home.run(&["sessions", "show", "from-the-future"]);
    assert_eq!(ran.code, 3);
    assert_snapshot!(ran.stderr, @"");
}
