//! Drafts for tests: a session log of another program that becomes one.

use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran};

pub(crate) const TASK: &str = "Convert the spreadsheet into a report and sort the invoices by amount";

/// A log of Codex in which these commands were run and worked.
pub(crate) fn codex_log(id: &str, commands: &[&str]) -> String {
    let at = "2026-07-03T18:15:00.000Z";
    let entry = |kind: &str, payload: Value| json!({ "timestamp": at, "type": kind, "payload": payload });
    let mut lines = vec![
        entry("session_meta", json!({ "id": id, "timestamp": at, "cwd": "/repo" })),
        entry(
            "response_item",
            json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": TASK }] }),
        ),
        entry("event_msg", json!({ "type": "user_message", "message": TASK, "images": [] })),
    ];
    for (number, command) in commands.iter().enumerate() {
        let call = format!("call_{number}");
        let arguments = json!({ "cmd": command }).to_string();
        lines.push(entry(
            "response_item",
            json!({ "type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": call }),
        ));
        let output = "Process exited with code 0\nOutput:\nfine\n";
        lines.push(entry(
            "response_item",
            json!({ "type": "function_call_output", "call_id": call, "output": output }),
        ));
    }
    lines.push(entry("event_msg", json!({ "type": "agent_message", "message": "Done." })));
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

/// Runs a command line with the usual programs on `PATH`.
pub(crate) fn run(home: &Home, args: &[&str]) -> Ran {
    let mut command = home.command();
    let path = format!("{}:/usr/bin:/bin", home.tree.path("bin").display());
    command.env("PATH", path).args(args);
    home.finish(&mut command)
}

/// Runs a command line that must work and answers in JSON.
pub(crate) fn good(home: &Home, args: &[&str]) -> Value {
    let args = [args, &["--json"]].concat();
    let ran = run(home, &args);
    assert_eq!(ran.code, 0, "{args:?}: {} {}", ran.stdout, ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

/// Imports a log, says that it went well, and makes a draft of it.
pub(crate) fn imported_draft(home: &Home, id: &str, commands: &[&str]) -> String {
    home.tree.write(&format!("ws/{id}.jsonl"), codex_log(id, commands));
    let imported = good(home, &["sessions", "import", "--from", "codex", &format!("{id}.jsonl")]);
    let session = imported["imported"][0]["session"]["id"].as_str().expect("a session").to_owned();
    good(home, &["sessions", "rate", &session, "good"]);
    good(home, &["forge", "draft", &session])["name"].as_str().expect("a name").to_owned()
}
