//! What a policy lets a tool do.

use prowess_run::Tools;
use prowess_run::process::Sandbox;
use prowess_run::tools::{ToolPermission, ToolPolicy};
use serde_json::json;

use super::{Run, allow_all};

#[tokio::test]
async fn without_a_policy_whatever_changes_something_is_asked_about() {
    let run = Run::new();
    assert_eq!(run.consent("read", json!({ "path": "a" })), None);
    assert_eq!(run.consent("job", json!({ "action": "poll", "job": 1 })), None);
    let asked = run.consent("exec", json!({ "command": "rm -r build" })).unwrap();
    assert_eq!(asked, format!("run `rm -r build` in `{}`", run.path("workspace").display()));
    let asked = run.consent("write", json!({ "path": "a/b.txt", "content": "text" })).unwrap();
    let path = run.path("workspace").canonicalize().unwrap().join("a/b.txt");
    assert_eq!(asked, format!("create `{}` (4 bytes):\ntext", path.display()));
    let asked = run.consent("job", json!({ "action": "write", "job": 1, "text": "y\n" })).unwrap();
    assert!(asked.starts_with("write `y\n` to job 1"), "{asked}");
}

#[tokio::test]
async fn even_calls_that_do_not_fit_are_asked_about_when_they_could_do_something() {
    let run = Run::new();
    assert!(run.consent("exec", json!({ "command": 1 })).is_some());
    assert!(run.consent("write", json!({ "path": "/etc/passwd", "content": "" })).is_some());
}

#[tokio::test]
async fn allowed_tools_ask_nothing() {
    let mut run = Run::new();
    run.tools = Tools::built_in(&allow_all(), Sandbox::default());
    assert_eq!(run.consent("exec", json!({ "command": "id" })), None);
    assert_eq!(run.call("exec", json!({ "command": "echo hi" })).await.text, "hi\n");
}

#[tokio::test]
async fn denied_tools_say_so_and_do_nothing() {
    let mut run = Run::new();
    let policy = ToolPolicy {
        by_name: [
            ("exec".to_owned(), ToolPermission::Deny),
            ("write".to_owned(), ToolPermission::Deny),
            ("read".to_owned(), ToolPermission::Allow),
        ]
        .into(),
        ..ToolPolicy::default()
    };
    run.tools = Tools::built_in(&policy, Sandbox::default());
    for (tool, input) in [
        ("exec", json!({ "command": "touch made" })),
        ("write", json!({ "path": "made", "content": "" })),
        ("job", json!({ "action": "list" })),
    ] {
        assert_eq!(run.consent(tool, input.clone()), None, "nobody is asked for what is forbidden");
        let output = run.call(tool, input).await;
        assert!(!output.ok && output.text.contains("policy forbids"), "{output:?}");
    }
    assert!(!run.path("workspace/made").exists());
    assert!(run.call("read", json!({ "path": "." })).await.ok);
}
