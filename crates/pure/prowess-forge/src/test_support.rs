//! Traces and filters for tests.

use prowess_types::{Backend, PhoneStep, TRACE_FORMAT, TraceEvent, TraceLine};
use serde_json::{Value, json};

use crate::{Episode, episode};

/// A session with one run, `r`, in `/ws`.
pub(crate) fn session(task: &str, calls: &[(&str, Value, bool)]) -> Vec<TraceLine> {
    let mut events = vec![(
        "",
        TraceEvent::Session {
            format: TRACE_FORMAT,
            session: "s1".into(),
            agent: "main".into(),
            workspace: "/ws".into(),
            imported_from: None,
        },
    )];
    events.push((
        "r",
        TraceEvent::RunStarted {
            message: task.into(),
            snapshot: None,
            catalogue: None,
            backend: Backend::default(),
            parent: None,
        },
    ));
    for (at, (tool, input, ok)) in calls.iter().enumerate() {
        let id = format!("c{at}");
        events.push(("r", call(&id, tool, input, None)));
        events.push(("r", result(&id, *ok, "done")));
    }
    lines(events)
}

pub(crate) fn lines(events: Vec<(&str, TraceEvent)>) -> Vec<TraceLine> {
    events.into_iter().map(|(run, event)| TraceLine { at: 1, run: run.into(), event }).collect()
}

pub(crate) fn call(id: &str, tool: &str, input: &Value, step: Option<PhoneStep>) -> TraceEvent {
    TraceEvent::ToolCall { id: id.into(), tool: tool.into(), input: input.clone(), step }
}

pub(crate) fn result(id: &str, ok: bool, output: &str) -> TraceEvent {
    TraceEvent::ToolResult {
        id: id.into(),
        ok,
        output: output.into(),
        omitted_bytes: 0,
        exit_code: None,
        ms: None,
    }
}

/// The run of a session of shell commands.
pub(crate) fn commands(task: &str, commands: &[&str]) -> Episode {
    let calls: Vec<(&str, Value, bool)> =
        commands.iter().map(|command| ("exec", json!({ "command": command }), true)).collect();
    episode(&session(task, &calls), "r").expect("a run")
}

/// A filter that knows a few words.
pub(crate) fn few_words(text: &str) -> Vec<String> {
    const KNOWN: [&str; 12] = [
        "count", "commits", "release", "notes", "write", "report", "send", "share", "photo", "search",
        "weather", "open",
    ];
    let plain = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(plain).filter(|word| KNOWN.contains(&word.as_str())).collect()
}
