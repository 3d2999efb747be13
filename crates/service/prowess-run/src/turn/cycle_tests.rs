use std::future;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use prowess_model::ChatDelta;
use prowess_types::{Backend, OutcomeResult, TraceLine};
use serde_json::json;
use tokio::sync::Barrier;

use super::*;
use crate::turn::history as rebuild;
use crate::turn::test_support::{FakeTool, Run, SECRET, Scripted, Step, call, calls, says, toolbox, tools};
use crate::{RunLimits, Tools};

fn run() -> Run {
    Run::new(Path::new("/w"))
}

fn status(status: u16, message: &str) -> ModelError {
    ModelError::Status { status, message: message.to_owned() }
}

#[tokio::test]
async fn a_turn_goes_on_until_the_model_is_done() {
    let model = Scripted::new([
        Step::Reply(Reply {
            text: "let me look".to_owned(),
            thinking: "a file".to_owned(),
            calls: vec![call("1", "read", json!({"path": "a"}))],
            ..Reply::default()
        }),
        says("it says a"),
    ]);
    let mut run = run();
    let report = run.turn(&model, &tools(["read"])).await;

    assert!(matches!(report.end, TurnEnd::Finished));
    assert_eq!(report.answer, "it says a");
    assert_eq!((report.usage.requests, report.usage.input_tokens), (2, 10));
    assert_eq!(report.outcome.result, OutcomeResult::Unknown);
    let asked = model.asked();
    assert_eq!((asked[0].system.as_str(), asked[0].tools[0].name.as_str()), ("system", "read"));
    assert_eq!(asked[0].tools[0].description, "about [redacted]");
    assert_eq!(asked[0].messages, [Message::User("do it".to_owned())]);
    assert_eq!(asked[1].messages.len(), 3);
    let kinds: Vec<&str> = run.events().iter().map(kind).collect();
    assert_eq!(kinds, ["thought", "answer", "call", "result", "answer"]);
    let words: String = run.seen.iter().filter_map(text).collect();
    assert_eq!(words, "let me lookit says a");
    let position = |wanted: fn(&TurnEvent) -> bool| run.seen.iter().position(wanted).unwrap();
    assert!(
        position(|event| matches!(event, TurnEvent::ToolStarted { .. }))
            < position(|event| matches!(event, TurnEvent::ToolEnded { .. }))
    );
}

fn kind(event: &TraceEvent) -> &'static str {
    match event {
        TraceEvent::Thought { .. } => "thought",
        TraceEvent::Answer { .. } => "answer",
        TraceEvent::ToolCall { .. } => "call",
        TraceEvent::ToolResult { .. } => "result",
        _ => "other",
    }
}

fn text(event: &TurnEvent) -> Option<&str> {
    match event {
        TurnEvent::Text(text) => Some(text),
        _ => None,
    }
}

#[tokio::test]
async fn the_trace_gives_the_same_conversation_again() {
    let malformed = ToolCall { input: Err("{\"path".to_owned()), ..call("", "re.ad", json!({})) };
    let model = Scripted::new([
        calls([call("1", "exec", json!({"n": 1})), call("1", "exec", json!({"n": 2})), malformed]),
        says("done"),
    ]);
    let fails = FakeTool::new("exec", |input| {
        let code = input.value["n"].as_i64().and_then(|n| i32::try_from(n).ok());
        future::ready(ToolOutput { exit_code: code, ..ToolOutput::failed("") }).boxed()
    });
    let mut run = run();
    let report = run.turn(&model, &toolbox([fails])).await;
    let started = TraceEvent::RunStarted {
        message: "do it".to_owned(),
        snapshot: None,
        catalogue: None,
        backend: Backend::default(),
        parent: None,
    };
    let mut lines = run.lines.lock().unwrap().clone();
    lines.insert(0, TraceLine { at: 0, run: "r".to_owned(), event: started });
    assert_eq!(rebuild(&lines), report.conversation);
    assert!(matches!(&report.conversation[3], Message::Tool { content, is_error: true, .. }
        if content == "(no output)\n[exit code 2]"));
}

#[tokio::test]
async fn a_skill_that_is_read_is_reported_once() {
    let tree = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(tree.path().join("skills/pdf")).unwrap();
    std::fs::write(tree.path().join("skills/pdf/SKILL.md"), "text").unwrap();
    let read = |id| call(id, "read", json!({"path": "skills/pdf/SKILL.md"}));
    let model = Scripted::new([calls([read("1"), read("2")]), calls([read("3")]), says("ok")]);
    let mut run = Run::new(tree.path());
    run.turn(&model, &tools(["read"])).await;
    let activated = run.seen.iter().filter(|event| matches!(event, TurnEvent::Activated { .. })).count();
    let recorded = run.events().iter().filter(|event| matches!(event, TraceEvent::Activation { .. })).count();
    assert_eq!((activated, recorded), (1, 1));

    let mut preloaded = Run::new(tree.path());
    let file = tree.path().join("skills/pdf/SKILL.md");
    assert!(preloaded.context.state.activate(&file));
    preloaded.turn(&Scripted::new([calls([read("1")]), says("ok")]), &tools(["read"])).await;
    assert!(!preloaded.events().iter().any(|event| matches!(event, TraceEvent::Activation { .. })));
}

#[tokio::test]
async fn reads_go_side_by_side_and_the_rest_in_order() {
    // Two readers that wait for each other: one after the other they would wait for ever.
    let barrier = Arc::new(Barrier::new(2));
    let read = FakeTool::new("read", move |_| {
        let barrier = Arc::clone(&barrier);
        async move {
            barrier.wait().await;
            ToolOutput::done("read")
        }
        .boxed()
    });
    let running = Arc::new(AtomicUsize::new(0));
    let exec = FakeTool::new("exec", move |input| {
        let running = Arc::clone(&running);
        async move {
            let others = running.fetch_add(1, Ordering::SeqCst);
            // Lets every call that may run at the same time begin.
            tokio::task::yield_now().await;
            running.fetch_sub(1, Ordering::SeqCst);
            ToolOutput::done(format!("{} beside {others}", input.value["n"]))
        }
        .boxed()
    });
    let path = json!({"path": "a"});
    let model = Scripted::new([calls([
        call("r1", "read", path.clone()),
        call("r2", "read", path.clone()),
        call("e1", "exec", json!({"n": 1})),
        call("e2", "exec", json!({"n": 2})),
        call("r3", "read", path.clone()),
        call("r4", "read", path),
    ])]);
    let mut run = run();
    let report = run.turn(&model, &toolbox([read, exec])).await;
    let results = run.results();
    assert_eq!((results[2].2.as_str(), results[3].2.as_str()), ("1 beside 0", "2 beside 0"));
    let answered: Vec<&str> = report
        .conversation
        .iter()
        .filter_map(|message| match message {
            Message::Tool { call_id, .. } => Some(call_id.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(answered, ["r1", "r2", "e1", "e2", "r3", "r4"]);
}

#[tokio::test]
async fn a_malformed_call_is_answered_and_may_be_corrected() {
    let model = Scripted::new([
        calls([ToolCall { input: Err("path=a".to_owned()), ..call("1", "read", json!({})) }]),
        calls([call("2", "raed", json!({"path": "a"}))]),
        calls([call("3", "read", json!({"path": "a"}))]),
        calls([call("4", "read", json!({}))]),
        says("sorry"),
    ]);
    let mut run = run();
    let report = run.turn(&model, &tools(["read", "exec"])).await;
    assert!(matches!(report.end, TurnEnd::Finished));
    let (oks, texts): (Vec<bool>, Vec<String>) =
        run.results().into_iter().map(|(_, ok, text)| (ok, text)).unzip();
    assert_eq!(oks, [false, false, true, false]);
    assert!(texts[0].contains("not a JSON object") && texts[0].contains("path=a"), "{}", texts[0]);
    assert!(texts[1].contains("there is no tool `raed`; nearest first, there are: read"), "{}", texts[1]);
    assert!(texts[3].contains("`path` is missing"), "{}", texts[3]);
}

#[tokio::test]
async fn three_malformed_replies_in_a_row_end_the_run() {
    let bad = || calls([call("1", "none", json!({})), call("2", "none", json!({}))]);
    let model = Scripted::new([bad(), bad(), bad(), says("never asked for")]);
    let mut run = run();
    let report = run.turn(&model, &tools(["read"])).await;
    assert!(matches!(report.end, TurnEnd::Failed(TurnError::Malformed(3))));
    assert_eq!(report.outcome.result, OutcomeResult::RuntimeError);
    assert_eq!(model.asked().len(), 3);
    assert_eq!(run.notices(), ["failed"]);
}

#[tokio::test]
async fn requests_are_limited() {
    let again = || calls([call("1", "exec", json!({}))]);
    let model = Scripted::new([again(), again(), again()]);
    let mut run = run();
    run.context.limits = RunLimits { max_requests: 2, ..RunLimits::default() };
    let report = run.turn(&model, &tools(["exec"])).await;
    assert!(matches!(report.end, TurnEnd::Failed(TurnError::Requests(2))));
    assert_eq!(model.asked().len(), 2);
    assert_eq!(run.results().len(), 2, "what was called was answered");
}

#[tokio::test]
async fn calls_of_one_reply_are_limited() {
    let many = (0..MAX_CALLS + 2).map(|_| call("", "read", json!({"path": "a"})));
    let model = Scripted::new([calls(many), says("ok")]);
    let mut run = run();
    let report = run.turn(&model, &tools(["read"])).await;
    assert!(matches!(report.end, TurnEnd::Finished));
    let done = run.results().iter().filter(|(_, ok, _)| *ok).count();
    assert_eq!((done, run.results().len()), (MAX_CALLS, MAX_CALLS + 2));
    assert_eq!(model.asked()[1].messages.len(), 2 + MAX_CALLS + 2);
}

#[tokio::test]
async fn stopping_drops_the_stream_and_keeps_what_was_said() {
    let model = Scripted::new([Step::Hang("half an ans")]);
    let mut run = run();
    let cancel = run.context.cancel.clone();
    let tools = tools([]);
    let stop = async {
        tokio::task::yield_now().await;
        cancel.cancel();
    };
    let (report, ()) = tokio::join!(run.turn(&model, &tools), stop);
    assert!(report.is_stopped());
    assert_eq!(report.answer, "half an ans");
    assert_eq!(report.usage.requests, 1);
    assert_eq!(run.events(), [TraceEvent::Answer { text: "half an ans".to_owned() }]);
    let shown = run.seen.iter().map(|event| match event {
        TurnEvent::Text(text) => text.as_str(),
        other => panic!("{other:?}"),
    });
    assert_eq!(shown.collect::<String>(), "half an ans");
}

#[tokio::test]
async fn stopping_in_the_middle_of_a_tool_answers_every_call() {
    let exec = FakeTool::new("exec", |input| {
        let context = input.context;
        async move {
            context.cancel.cancelled().await;
            ToolOutput::failed("killed with its children")
        }
        .boxed()
    });
    let model =
        Scripted::new([calls([call("1", "exec", json!({})), call("2", "exec", json!({}))]), says("no")]);
    let mut run = run();
    let cancel = run.context.cancel.clone();
    let tools = toolbox([exec]);
    let stop = async {
        tokio::task::yield_now().await;
        cancel.cancel();
    };
    let (report, ()) = tokio::join!(run.turn(&model, &tools), stop);
    assert!(report.is_stopped());
    assert_eq!(model.asked().len(), 1);
    assert_eq!(
        run.results(),
        [
            ("1".to_owned(), false, "killed with its children".to_owned()),
            ("2".to_owned(), false, STOPPED.to_owned()),
        ]
    );
    assert!(matches!(report.conversation.last(), Some(Message::Assistant { calls, .. }) if calls.is_empty()));
}

#[tokio::test]
async fn no_secret_reaches_the_model_the_watcher_or_the_trace() {
    let leak = FakeTool::new("exec", |_| future::ready(ToolOutput::done(format!("env: {SECRET}"))).boxed());
    let model = Scripted::new([
        Step::Reply(Reply {
            text: format!("I try {SECRET}"),
            thinking: format!("{SECRET}?"),
            calls: vec![
                call("1", "exec", json!({"deep": [{"command": format!("curl -H {SECRET}")}]})),
                ToolCall { input: Err(format!("raw {SECRET}")), ..call("2", "exec", json!({})) },
                call("3", SECRET, json!({})),
            ],
            ..Reply::default()
        }),
        says(&format!("it is {SECRET}.")),
    ]);
    let mut run = run();
    let history = vec![
        Message::User(SECRET.to_owned()),
        Message::Assistant { text: SECRET.to_owned(), calls: Vec::new() },
    ];
    let report = run.turn_after(&model, &toolbox([leak]), history).await;
    let everything = format!("{:?} {:?} {:?} {report:?}", model.asked(), run.events(), run.seen);
    assert!(!everything.contains(SECRET), "{everything}");
    assert!(everything.contains("curl -H [redacted]") && everything.contains("it is [redacted]."));
}

#[tokio::test]
async fn the_tool_itself_gets_what_the_model_wrote() {
    let model = Scripted::new([calls([call("1", "exec", json!({ "command": SECRET }))]), says("ok")]);
    let matched = FakeTool::new("exec", |input| {
        future::ready(ToolOutput::done((input.value["command"] == SECRET).to_string())).boxed()
    });
    let mut run = run();
    run.turn(&model, &toolbox([matched])).await;
    assert_eq!(run.results()[0].2, "true");
}

#[tokio::test]
async fn an_error_of_the_model_ends_the_run_with_its_kind() {
    let cases = [
        (ModelError::Unauthorized { status: 401, message: "bad key".to_owned() }, OutcomeResult::AuthError),
        (ModelError::Limited { status: 429, message: "slow down".to_owned() }, OutcomeResult::ApiError),
        (ModelError::Interrupted("reset".to_owned()), OutcomeResult::ApiError),
    ];
    for (error, result) in cases {
        let mut run = run();
        let report = run.turn(&Scripted::new([Step::Fail(error)]), &Tools::default()).await;
        assert_eq!(report.outcome.result, result);
        assert_eq!(report.outcome.by, OutcomeSource::Classifier);
        assert!(!report.outcome.detail.unwrap().contains(SECRET));
        assert_eq!(run.notices(), ["failed"]);
        assert_eq!(report.conversation.len(), 2, "the exchange is closed");
    }
}

#[tokio::test]
async fn ends_of_answers_are_told_apart() {
    let ending = |stop| {
        let calls = vec![call("1", "exec", json!({}))];
        let calls = if stop == StopReason::Refusal { calls } else { Vec::new() };
        Step::Reply(Reply { text: "words".to_owned(), calls, stop, ..Reply::default() })
    };
    let mut run = run();
    let report = run.turn(&Scripted::new([ending(StopReason::Length)]), &tools(["exec"])).await;
    assert!(matches!(report.end, TurnEnd::CutOff));
    let report = run.turn(&Scripted::new([ending(StopReason::Refusal)]), &tools(["exec"])).await;
    assert!(matches!(report.end, TurnEnd::Refused));
    assert!(run.results().is_empty(), "a model that declines calls nothing");
}

#[tokio::test]
async fn an_overflow_leaves_old_exchanges_out_and_is_tried_once() {
    let overflow = || Step::Fail(status(400, "This model's maximum context length is 8192 tokens"));
    let history: Vec<Message> = (0..8)
        .flat_map(|number| {
            [
                Message::User(format!("question {number}")),
                Message::Assistant { text: "answer".to_owned(), calls: Vec::new() },
            ]
        })
        .collect();
    let model = Scripted::new([overflow(), says("fits")]);
    let mut fitting = run();
    let report = fitting.turn_after(&model, &Tools::default(), history.clone()).await;
    assert_eq!(report.answer, "fits");
    assert_eq!((model.asked()[0].messages.len(), model.asked()[1].messages.len()), (17, 5));
    assert_eq!(fitting.notices(), ["trimmed"]);
    assert!(fitting.seen.contains(&TurnEvent::Trimmed));

    let model = Scripted::new([overflow(), overflow(), says("never asked for")]);
    let report = run().turn_after(&model, &Tools::default(), history).await;
    assert!(matches!(report.end, TurnEnd::Failed(TurnError::Model(_))));
    assert_eq!(model.asked().len(), 2);

    let model = Scripted::new([overflow(), says("never asked for")]);
    run().turn(&model, &Tools::default()).await;
    assert_eq!(model.asked().len(), 1, "nothing could be left out");
}

#[test]
fn a_retry_takes_back_what_was_said() {
    let run = run();
    let mut seen = Vec::new();
    let mut on = |event| seen.push(event);
    let mut listener = Listener::new(&run.context, &mut on);
    listener.hear(ChatDelta::Text("wrong".to_owned()));
    let (reason, after) = (format!("HTTP 503 {SECRET}"), Duration::from_millis(20));
    listener.hear(ChatDelta::Retry { reason, after });
    listener.hear(ChatDelta::Text("right ".to_owned()));
    listener.hear(ChatDelta::Call { name: "exec".to_owned() });
    assert_eq!(listener.finish(), "right ");
    assert_eq!(
        seen,
        [
            TurnEvent::Text("wrong".to_owned()),
            TurnEvent::Retry { reason: "HTTP 503 [redacted]".to_owned(), after },
            TurnEvent::Text("right ".to_owned()),
            TurnEvent::Calling { tool: "exec".to_owned() },
        ]
    );
    assert_eq!(
        run.events(),
        [TraceEvent::Notice {
            kind: "retry".to_owned(),
            text: "asked again after 20 ms: HTTP 503 [redacted]".to_owned(),
        }]
    );
}
