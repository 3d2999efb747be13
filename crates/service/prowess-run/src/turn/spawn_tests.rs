use std::path::Path;

use prowess_types::{OutcomeResult, Usage};

use super::*;
use crate::turn::ReportOutcome;
use crate::turn::test_support::{FakeTool, Run, SECRET, Scripted, Step, call, calls, says, toolbox};
use crate::{Approval, RunLimits};

/// A run whose agent can start sub-agents that have the same model.
fn with_spawn(run: &Run, model: &Arc<Scripted>, tools: &Tools) -> Tools {
    let mut all = tools.clone();
    all.add(Arc::new(Spawn::new(model.clone(), tools.clone(), run.record_for())));
    all
}

fn run() -> Run {
    Run::new(Path::new("/w"))
}

fn spawn_call(input: Value) -> Step {
    calls([call("s", NAME, input)])
}

/// The events of a run.
fn events_of(run: &Run, id: &str) -> Vec<TraceEvent> {
    run.lines.lock().unwrap().iter().filter(|line| line.run == id).map(|line| line.event.clone()).collect()
}

#[tokio::test]
async fn a_sub_agent_has_its_own_run_and_only_the_named_skills() {
    let listing = FakeTool::new("read", |input| {
        let names: Vec<&str> = input.context.skills.iter().map(|skill| skill.name.as_str()).collect();
        let text = format!("{} may read {names:?}", input.context.run);
        async { ToolOutput::done(text) }.boxed()
    });
    let model = Scripted::new([
        spawn_call(json!({"task": format!("fill the form {SECRET}"), "skills": ["pdf"]})),
        calls([call("1", "read", json!({"path": "x"}))]),
        says("the form is filled"),
        says("all done"),
    ]);
    let mut run = run();
    let tools = with_spawn(&run, &model, &toolbox([listing]));
    let report = run.turn(&model, &tools).await;

    assert_eq!(report.answer, "all done");
    assert_eq!(report.usage, Usage { input_tokens: 40, output_tokens: 4, cached_tokens: 0, requests: 4 });
    let result = run.results().into_iter().find(|(id, ..)| id == "s").unwrap();
    assert_eq!((result.1, result.2.as_str()), (true, "the form is filled"));

    let child = events_of(&run, "r.1");
    let TraceEvent::RunStarted { message, parent, .. } = &child[0] else { panic!("{child:?}") };
    assert_eq!(parent.as_deref(), Some("r"));
    assert!(message.starts_with("fill the form [redacted]") && message.contains("pdf/SKILL.md"), "{message}");
    assert!(
        matches!(&child[2], TraceEvent::ToolResult { output, .. } if output == r#"r.1 may read ["pdf"]"#)
    );
    let TraceEvent::RunEnded { usage, stopped: false, .. } = child.last().unwrap() else {
        panic!("{child:?}")
    };
    assert_eq!(usage.requests, 2);

    let asked = &model.asked()[1];
    assert_eq!(asked.messages.len(), 1, "it sees nothing of the conversation");
    assert!(asked.system.contains("started by another agent") && !asked.system.contains("skill"));
}

#[tokio::test]
async fn delegation_only_narrows() {
    let model = Scripted::new([
        spawn_call(json!({"task": "a", "skills": ["forbidden"]})),
        spawn_call(json!({"task": "b", "skills": "pdf"})),
        spawn_call(json!({"task": " "})),
        spawn_call(json!({})),
        spawn_call(json!({"task": "a", "tasks": [{"task": "b"}]})),
        spawn_call(json!({"tasks": vec![json!({"task": "x"}); MAX_TASKS + 1]})),
    ]);
    let mut run = run();
    let tools = with_spawn(&run, &model, &Tools::default());
    run.turn(&model, &tools).await;
    let texts: Vec<String> = run.results().into_iter().map(|(_, _, text)| text).collect();
    assert_eq!(
        texts,
        [
            "\"forbidden\" is not among the skills of this run",
            "the input of `spawn` does not fit: `skills` must be of type \"array\"",
            "`task` must say what is to be done",
            "give either `task` or `tasks`",
            "give either `task` or `tasks`",
            "9 tasks are too many: 8 at most",
        ]
    );
    assert!(events_of(&run, "r.1").is_empty());
}

#[tokio::test]
async fn several_sub_agents_work_at_the_same_time() {
    // Each waits for the other inside its tool.
    let barrier = Arc::new(tokio::sync::Barrier::new(2));
    let meet = FakeTool::new("exec", move |_| {
        let barrier = Arc::clone(&barrier);
        async move {
            barrier.wait().await;
            ToolOutput::done("met")
        }
        .boxed()
    });
    let meeting = || calls([call("1", "exec", json!({}))]);
    let model = Scripted::new([
        spawn_call(json!({"tasks": [{"task": "one"}, {"task": "two"}]})),
        meeting(),
        meeting(),
        says("met the other"),
        says("met the other"),
        says("both met"),
    ]);
    let mut run = run();
    let tools = with_spawn(&run, &model, &toolbox([meet]));
    let report = run.turn(&model, &tools).await;
    assert_eq!(report.answer, "both met");
    let result = run.results().into_iter().find(|(id, ..)| id == "s").unwrap();
    assert_eq!(result.2, "## Task 1\nmet the other\n\n## Task 2\nmet the other");
    assert_eq!((events_of(&run, "r.1").len(), events_of(&run, "r.2").len()), (5, 5));
}

#[tokio::test]
async fn depth_is_limited() {
    let model = Scripted::new([
        spawn_call(json!({"task": "down"})),
        spawn_call(json!({"task": "further down"})),
        spawn_call(json!({"task": "too far"})),
        says("bottom"),
        says("middle"),
        says("top"),
    ]);
    let mut run = run();
    let tools = with_spawn(&run, &model, &Tools::default());
    let report = run.turn(&model, &tools).await;
    assert_eq!(report.answer, "top");
    let offered: Vec<usize> = model.asked().iter().map(|asked| asked.tools.len()).collect();
    assert_eq!(offered[..3], [1, 1, 0], "the deepest has no `spawn`");
    let deepest = events_of(&run, "r.1.1");
    assert!(
        matches!(&deepest[2], TraceEvent::ToolResult { ok: false, output, .. } if output.contains("no tool"))
    );
    assert_eq!(report.usage.requests, 6);
}

#[tokio::test]
async fn requests_and_consents_are_those_of_the_whole_run() {
    let exec = || calls([call("1", "exec", json!({"command": "ls"}))]);
    let model = Scripted::new([exec(), spawn_call(json!({"task": "a"})), exec(), exec(), exec()]);
    let mut run = Run::answering(Path::new("/w"), Approval::Run);
    run.context.limits = RunLimits { max_requests: 4, ..RunLimits::default() };
    let tools = with_spawn(&run, &model, &toolbox([FakeTool::echo("exec").asking()]));
    let report = run.turn(&model, &tools).await;
    assert_eq!(run.questions().len(), 1);
    assert_eq!(model.asked().len(), 4);
    assert!(matches!(report.end, TurnEnd::Failed(_)));
    let child = events_of(&run, "r.1");
    assert!(matches!(child.last(), Some(TraceEvent::RunEnded { outcome, .. })
        if outcome.result == OutcomeResult::RuntimeError));
}

#[tokio::test]
async fn stopping_stops_sub_agents_and_ends_their_traces() {
    let model = Scripted::new([spawn_call(json!({"task": "a"})), Step::Hang("half ")]);
    let mut run = run();
    let tools = with_spawn(&run, &model, &Tools::default());
    let cancel = run.context.cancel.clone();
    let stop = async {
        tokio::task::yield_now().await;
        cancel.cancel();
    };
    let (report, ()) = tokio::join!(run.turn(&model, &tools), stop);
    assert!(report.is_stopped());
    assert!(matches!(events_of(&run, "r.1").last(), Some(TraceEvent::RunEnded { stopped: true, .. })));
    assert_eq!(run.results()[0].2, "the sub-agent was stopped; its last words:\nhalf ");
}

#[tokio::test]
async fn a_sub_agents_report_is_its_own() {
    let model = Scripted::new([
        spawn_call(json!({"task": "a"})),
        calls([call("1", "report_outcome", json!({"result": "api_error"}))]),
        says("failed"),
        says("sorry"),
    ]);
    let mut run = run();
    let mut own = Tools::default();
    own.add(Arc::new(ReportOutcome::default()));
    let tools = with_spawn(&run, &model, &own);
    let report = run.turn(&model, &tools).await;
    assert_eq!(report.outcome.result, OutcomeResult::Unknown);
    assert!(matches!(events_of(&run, "r.1").last(), Some(TraceEvent::RunEnded { outcome, .. })
        if outcome.result == OutcomeResult::ApiError));
}
