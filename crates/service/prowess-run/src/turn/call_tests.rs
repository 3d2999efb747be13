use std::future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use prowess_types::{ActivatedBy, OutcomeResult, OutcomeSource};
use serde_json::json;

use super::*;
use crate::Approval;
use crate::turn::test_support::{FakeTool, Run, SECRET, call, toolbox};
use crate::turn::{DispatchCall, ReportOutcome, SkillSearchTool, dispatch};

fn here() -> &'static std::path::Path {
    std::path::Path::new("/w")
}

#[tokio::test]
async fn the_user_sees_exactly_what_will_happen() {
    let run = Run::new(here());
    let tools = toolbox([FakeTool::echo("exec").asking()]);
    let hidden = format!("echo \u{202e}ok\u{200b}\r\u{1b}[2K {SECRET}");
    perform(&tools, &run.context, &call("1", "exec", json!({ "command": hidden }))).await;
    let question = run.questions().remove(0);
    assert_eq!(question.tool, "exec");
    assert_eq!(question.what, "run: echo \\u{202e}ok\\u{200b}\\r\\u{1b}[2K [redacted]");
}

#[tokio::test]
async fn a_yes_for_the_run_answers_those_that_wait() {
    let run = Run::answering(here(), Approval::Run);
    let tools = toolbox([FakeTool::echo("exec").asking(), FakeTool::echo("write").asking()]);
    let (child_state, _) = run.context.state.child();
    let child = RunContext { state: child_state, ..run.context.clone() };
    let one = call("1", "exec", json!({"command": "a"}));
    let other = call("2", "write", json!({"command": "b"}));
    let performed = join_all([
        perform(&tools, &run.context, &one),
        perform(&tools, &child, &one),
        perform(&tools, &run.context, &other),
        perform(&tools, &run.context, &one),
    ])
    .await;
    assert!(performed.iter().all(|performed| performed.output.ok));
    let mut asked: Vec<String> = run.questions().into_iter().map(|question| question.tool).collect();
    asked.sort();
    assert_eq!(asked, ["exec", "write"], "each tool is asked for once");
}

#[tokio::test]
async fn a_yes_for_once_is_for_once() {
    let run = Run::new(here());
    let tools = toolbox([FakeTool::echo("exec").asking()]);
    let one = call("1", "exec", json!({}));
    join_all([perform(&tools, &run.context, &one), perform(&tools, &run.context, &one)]).await;
    assert_eq!(run.questions().len(), 2);
}

#[tokio::test]
async fn a_no_is_a_result_and_is_noted() {
    let run = Run::answering(here(), Approval::Denied);
    let done = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&done);
    let tools = toolbox([FakeTool::new("exec", move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        future::ready(ToolOutput::done("")).boxed()
    })
    .asking()]);
    let performed = perform(&tools, &run.context, &call("1", "exec", json!({}))).await;
    assert!(!performed.output.ok && performed.output.text.contains("did not allow"));
    assert_eq!(done.load(Ordering::Relaxed), 0);
    assert_eq!(run.notices(), ["denied"]);
}

#[tokio::test]
async fn a_stopped_run_asks_nothing_more() {
    let run = Run::new(here());
    let tools = toolbox([FakeTool::echo("exec").asking()]);
    // Somebody else's question is open, so this one waits.
    let state = run.context.state.clone();
    let open = state.consents().lock().await;
    let one = call("1", "exec", json!({}));
    let waiting = perform(&tools, &run.context, &one);
    let stop = async {
        tokio::task::yield_now().await;
        run.context.cancel.cancel();
    };
    let (performed, ()) = tokio::join!(waiting, stop);
    drop(open);
    assert_eq!(performed.output.text, STOPPED);
    assert!(run.questions().is_empty());
}

#[tokio::test]
async fn a_tool_that_does_not_look_at_the_token_is_left_behind() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let output = settle(future::pending(), &cancel, Duration::from_millis(1)).await;
    assert_eq!(output.text, STOPPED);
    let cleaned_up = settle(future::ready(ToolOutput::done("cleaned up")), &cancel, Duration::ZERO).await;
    assert_eq!(cleaned_up.text, "cleaned up");
}

#[tokio::test]
async fn results_are_redacted_and_cut() {
    let run = Run::new(here());
    let tools = toolbox([FakeTool::new("exec", |_| {
        let text = format!("{SECRET} {}", "x".repeat(100_000));
        future::ready(ToolOutput { exit_code: Some(3), omitted_bytes: 7, ..ToolOutput::failed(text) }).boxed()
    })]);
    let performed = perform(&tools, &run.context, &call("1", "exec", json!({}))).await;
    let TraceEvent::ToolResult { ok, output, omitted_bytes, exit_code, ms, .. } = run.events().remove(0)
    else {
        panic!("a result is recorded first");
    };
    assert_eq!((ok, exit_code, &output), (false, Some(3), &performed.output.text));
    assert!(output.starts_with("[redacted] xx") && output.len() < 33 * 1024);
    assert!(omitted_bytes > 60_000 && ms.is_some());
}

#[tokio::test]
async fn what_a_tool_has_cut_is_not_cut_again() {
    let run = Run::new(here());
    let cut = format!("{}\n[… 9 bytes left out …]", "x".repeat(run.context.limits.max_output_bytes));
    let text = cut.clone();
    let tools = toolbox([FakeTool::new("exec", move |_| {
        future::ready(ToolOutput { omitted_bytes: 9, ..ToolOutput::done(text.clone()) }).boxed()
    })]);
    let output = perform(&tools, &run.context, &call("1", "exec", json!({}))).await.output;
    assert_eq!((output.text, output.omitted_bytes), (cut, 9));
}

#[tokio::test]
async fn reading_a_skill_is_its_activation_whichever_way_it_is_written() {
    let tree = tempfile::tempdir().unwrap();
    for name in ["pdf", "weather"] {
        let folder = tree.path().join("skills").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("SKILL.md"), "text").unwrap();
    }
    let run = Run::new(tree.path());
    let tools = toolbox([FakeTool::echo("read")]);
    let read =
        async |path: &str| perform(&tools, &run.context, &call("1", "read", json!({ "path": path }))).await;
    assert_eq!(read("skills/pdf/../pdf/SKILL.md").await.activated.as_deref(), Some("pdf"));
    assert_eq!(read("~/skills/pdf/SKILL.md").await.activated, None, "once per run");
    assert_eq!(read("~/skills/weather/SKILL.md").await.activated.as_deref(), Some("weather"));
    assert_eq!(read("skills/none/SKILL.md").await.activated, None);
    let activations: Vec<TraceEvent> =
        run.events().into_iter().filter(|event| matches!(event, TraceEvent::Activation { .. })).collect();
    assert_eq!(activations.len(), 2);
    assert_eq!(
        activations[0],
        TraceEvent::Activation {
            skill: "pdf".to_owned(),
            path: tree.path().join("skills/pdf/SKILL.md").display().to_string(),
            content_hash: Some("00ff".to_owned()),
            by: ActivatedBy::Read,
        }
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_to_a_skill_is_that_skill() {
    let tree = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(tree.path().join("elsewhere/pdf")).unwrap();
    std::fs::write(tree.path().join("elsewhere/pdf/SKILL.md"), "text").unwrap();
    std::os::unix::fs::symlink(tree.path().join("elsewhere"), tree.path().join("skills")).unwrap();
    let run = Run::new(tree.path());
    let tools = toolbox([FakeTool::echo("read")]);
    let read = call("1", "read", json!({"path": "elsewhere/pdf/SKILL.md"}));
    assert_eq!(perform(&tools, &run.context, &read).await.activated.as_deref(), Some("pdf"));
}

#[tokio::test]
async fn a_failed_read_activates_nothing() {
    let tree = tempfile::tempdir().unwrap();
    let run = Run::new(tree.path());
    std::fs::create_dir_all(tree.path().join("skills/pdf")).unwrap();
    std::fs::write(tree.path().join("skills/pdf/SKILL.md"), "text").unwrap();
    let tools = toolbox([FakeTool::new("read", |_| future::ready(ToolOutput::failed("no")).boxed())]);
    let read = call("1", "read", json!({"path": "skills/pdf/SKILL.md"}));
    assert_eq!(perform(&tools, &run.context, &read).await.activated, None);
}

#[tokio::test]
async fn a_command_goes_straight_to_its_tool() {
    let run = Run::new(here());
    let tools = toolbox([FakeTool::echo("exec").asking()]);
    let to = |tool| DispatchCall { tool, command: SECRET, command_name: "say", skill_name: "speech" };
    let output = dispatch(&tools, &run.context, to("exec")).await;
    assert_eq!(output.text, r#"{"command":"[redacted]","commandName":"say","skillName":"speech"}"#);
    assert_eq!(run.questions().len(), 1);
    let events = run.events();
    assert!(matches!(&events[0], TraceEvent::ToolCall { tool, input, .. }
        if tool == "exec" && input["command"] == "[redacted]"));
    assert!(matches!(&events[1], TraceEvent::ToolResult { ok: true, .. }));

    let output = dispatch(&tools, &run.context, to("exce")).await;
    assert!(!output.ok && output.text.contains("there are: exec"), "{}", output.text);
    run.context.cancel.cancel();
    assert_eq!(dispatch(&tools, &run.context, to("exec")).await.text, STOPPED);
}

#[tokio::test]
async fn skills_are_found_among_those_of_the_run() {
    let run = Run::new(here());
    let mut tools = Tools::default();
    tools.add(Arc::new(SkillSearchTool::default()));
    let search = async |input| perform(&tools, &run.context, &call("1", "skill_search", input)).await.output;
    let found: Value = serde_json::from_str(&search(json!({"need": "a form"})).await.text).unwrap();
    let names: Vec<&str> = found.as_array().unwrap().iter().filter_map(|hit| hit["name"].as_str()).collect();
    assert_eq!(names, ["pdf", "weather"], "`forbidden` is no skill of this run");
    assert_eq!(found[0]["location"], "/skills/pdf/SKILL.md");
    let one: Value = serde_json::from_str(&search(json!({"need": "x", "limit": 1})).await.text).unwrap();
    assert_eq!(one.as_array().unwrap().len(), 1);
    assert_eq!(search(json!({"need": "trouble"})).await, ToolOutput::failed("cannot search: no index"));
    assert!(!search(json!({"need": " "})).await.ok);
    let bare = Run::new(here());
    let bare = RunContext { skills: Vec::new(), ..bare.context };
    let none = perform(&tools, &bare, &call("1", "skill_search", json!({"need": "x"}))).await.output;
    assert_eq!(none, ToolOutput::done("no skill fits"));
}

#[tokio::test]
async fn the_last_report_of_the_agent_counts() {
    let run = Run::new(here());
    let mut tools = Tools::default();
    tools.add(Arc::new(ReportOutcome::default()));
    let report =
        async |input| perform(&tools, &run.context, &call("1", "report_outcome", input)).await.output.ok;
    assert!(!report(json!({"result": "unknown"})).await);
    assert!(!report(json!({"result": "great"})).await);
    assert_eq!(run.context.state.reported_outcome(), None);
    assert!(report(json!({"result": "success"})).await);
    let detail = format!("401 with {SECRET}");
    assert!(report(json!({"result": "auth_error", "detail": detail})).await);
    let outcome = run.context.state.reported_outcome().unwrap();
    assert_eq!((outcome.result, outcome.by), (OutcomeResult::AuthError, OutcomeSource::Agent));
    assert_eq!(outcome.detail.as_deref(), Some("401 with [redacted]"));
}
