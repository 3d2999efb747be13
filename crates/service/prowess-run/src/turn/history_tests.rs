use std::collections::BTreeSet;

use proptest::prelude::*;
use prowess_types::{Backend, Outcome, Usage};
use serde_json::json;

use super::*;
use crate::turn::test_support::call;

fn started(message: &str, parent: Option<&str>) -> TraceEvent {
    TraceEvent::RunStarted {
        message: message.to_owned(),
        snapshot: None,
        catalogue: None,
        backend: Backend::default(),
        parent: parent.map(str::to_owned),
    }
}

fn ended() -> TraceEvent {
    TraceEvent::RunEnded { outcome: Outcome::default(), usage: Usage::default(), ms: None, stopped: false }
}

fn calls(id: &str) -> TraceEvent {
    let (id, input) = (id.to_owned(), json!({"path": "x"}));
    TraceEvent::ToolCall { id, tool: "read".to_owned(), input, step: None }
}

fn result(id: &str, output: &str) -> TraceEvent {
    let (id, output) = (id.to_owned(), output.to_owned());
    TraceEvent::ToolResult { id, ok: true, output, omitted_bytes: 0, exit_code: None, ms: None }
}

fn answer(text: &str) -> TraceEvent {
    TraceEvent::Answer { text: text.to_owned() }
}

fn trace<const N: usize>(lines: [(&str, TraceEvent); N]) -> Vec<TraceLine> {
    lines.into_iter().map(|(run, event)| TraceLine { at: 0, run: run.to_owned(), event }).collect()
}

fn tool(id: &str, content: &str, is_error: bool) -> Message {
    Message::Tool { call_id: id.to_owned(), content: content.to_owned(), is_error }
}

fn said(text: &str, ids: &[&str]) -> Message {
    let calls = ids.iter().map(|id| call(id, "read", json!({"path": "x"}))).collect();
    Message::Assistant { text: text.to_owned(), calls }
}

/// What APIs ask of a conversation.
fn check_form(messages: &[Message]) -> Result<(), String> {
    let mut ids = BTreeSet::new();
    let mut open: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &messages[index]);
        let ends_exchange =
            |message: &Message| matches!(message, Message::Assistant { calls, .. } if calls.is_empty());
        match message {
            Message::User(text) => {
                let follows_an_answer = before.is_none_or(ends_exchange);
                if !follows_an_answer || !open.is_empty() || text.is_empty() {
                    return Err(format!("user at {index}"));
                }
            }
            Message::Assistant { text, calls } => {
                let follows_an_answer =
                    before.is_none_or(|before| matches!(before, Message::Assistant { .. }));
                if follows_an_answer || !open.is_empty() || (text.is_empty() && calls.is_empty()) {
                    return Err(format!("assistant at {index}"));
                }
                open = calls.iter().map(|call| call.id.as_str()).collect();
                if !calls.iter().all(|call| ids.insert(call.id.clone())) {
                    return Err(format!("ids at {index}"));
                }
            }
            Message::Tool { call_id, .. } => {
                if open.is_empty() || open.remove(0) != call_id.as_str() {
                    return Err(format!("result at {index}"));
                }
            }
        }
    }
    match messages.last() {
        None => Ok(()),
        Some(Message::Assistant { calls, .. }) if calls.is_empty() => Ok(()),
        Some(last) => Err(format!("ends with {last:?}")),
    }
}

#[test]
fn a_session_becomes_its_conversation() {
    let lines = trace([
        ("a", started("first", None)),
        ("a", TraceEvent::Thought { text: "hm".to_owned() }),
        ("a", answer("let me look")),
        ("a", calls("x")),
        ("a", calls("y")),
        ("a", result("y", "two")),
        ("a", result("x", "")),
        ("a", answer("done")),
        ("a", ended()),
        ("b", started("second", None)),
        ("b", calls("x")),
        ("b", result("x", "again")),
        ("b", calls("z")),
        ("b", result("z", "then this")),
        ("b", answer("yes")),
    ]);
    assert_eq!(
        history(&lines),
        [
            Message::User("first".to_owned()),
            said("let me look", &["x", "y"]),
            tool("x", "(no output)", false),
            tool("y", "two", false),
            said("done", &[]),
            Message::User("second".to_owned()),
            said("", &["call_1"]),
            tool("call_1", "again", false),
            said("", &["z"]),
            tool("z", "then this", false),
            said("yes", &[]),
        ]
    );
}

#[test]
fn an_interrupted_call_says_so_and_sub_agents_are_left_out() {
    let lines = trace([
        ("a", started("go", None)),
        ("a", calls("x")),
        ("a.1", started("part", Some("a"))),
        ("a.1", answer("part done")),
        ("b", started("still there?", None)),
        ("b", answer("yes")),
    ]);
    assert_eq!(
        history(&lines),
        [
            Message::User("go".to_owned()),
            said("", &["x"]),
            tool("x", INTERRUPTED, true),
            said(NO_ANSWER, &[]),
            Message::User("still there?".to_owned()),
            said("yes", &[]),
        ]
    );
}

#[test]
fn a_malformed_call_goes_back_in_a_form_that_is_accepted() {
    let (id, tool, input) = ("x".to_owned(), "functions.read".to_owned(), json!("{\"path\""));
    let lines =
        trace([("a", started(" ", None)), ("a", TraceEvent::ToolCall { id, tool, input, step: None })]);
    let rebuilt = history(&lines);
    assert_eq!(rebuilt[0], Message::User("(no text)".to_owned()));
    let calls = vec![call("x", "functions_read", json!({}))];
    assert_eq!(rebuilt[1], Message::Assistant { text: String::new(), calls });
}

fn any_event() -> impl Strategy<Value = TraceEvent> {
    let id = "[xyz]";
    prop_oneof![
        2 => "[a-c ]{0,3}".prop_map(|text| started(&text, None)),
        1 => Just(started("part", Some("a"))),
        4 => id.prop_map(|id| calls(&id)),
        4 => id.prop_map(|id| result(&id, "out")),
        3 => "[a-c ]{0,3}".prop_map(|text| answer(&text)),
        1 => Just(ended()),
        1 => Just(TraceEvent::Thought { text: "hm".to_owned() }),
    ]
}

proptest! {
    #[test]
    fn any_trace_gives_a_conversation_that_apis_take(
        lines in prop::collection::vec(("[abc]|", any_event()), 0..40),
        room in 0_usize..200,
    ) {
        let lines: Vec<TraceLine> =
            lines.into_iter().map(|(run, event)| TraceLine { at: 0, run, event }).collect();
        let rebuilt = history(&lines);
        prop_assert_eq!(check_form(&rebuilt), Ok(()), "{:?}", rebuilt);
        let trimmed = crate::turn::trim(rebuilt.clone(), room);
        prop_assert_eq!(check_form(&trimmed), Ok(()), "{:?}", trimmed);
        prop_assert!(rebuilt.ends_with(&trimmed));
    }
}
