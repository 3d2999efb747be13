use std::slice;

use prowess_types::Usage;

use super::*;
use crate::fault::Again;
use crate::reader::tests::{fault, read, reply};
use crate::{ChatDelta, Reply};
use prowess_types::ModelApi;

fn stream(events: &[Value]) -> String {
    let mut stream = String::new();
    for event in events {
        let name = event["type"].as_str().unwrap();
        stream.push_str(&format!("event: {name}\r\ndata: {event}\r\n\r\n"));
    }
    stream
}

fn begin(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn end(reason: &str) -> [Value; 2] {
    let stop =
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 8}});
    [stop, json!({"type": "message_stop"})]
}

#[test]
fn a_request_is_written() {
    let exec = |id: &str, input| ToolCall { id: id.to_owned(), name: "exec".to_owned(), input };
    let result =
        |id: &str, is_error| Message::Tool { call_id: id.to_owned(), content: "said".to_owned(), is_error };
    let messages = [
        Message::User("What day is it?".to_owned()),
        Message::Assistant {
            text: "Let me see.".to_owned(),
            calls: vec![
                exec("functions.exec:0", Ok(json!({"command": "date"}))),
                exec("b", Err("{oops".to_owned())),
            ],
        },
        result("functions.exec:0", false),
        result("b", true),
        Message::User("Go on.".to_owned()),
        Message::Assistant { text: " ".to_owned(), calls: Vec::new() },
        Message::User("Well?".to_owned()),
    ];
    let tools = [ToolSpec {
        name: "exec".to_owned(),
        description: "Runs a command".to_owned(),
        input: json!({"type": "object"}),
    }];
    let mut options = ModelOptions::new("http://h", "small");
    options.temperature = Some(0.7);
    let body = body(&options, &Request { system: "Be brief.", messages: &messages, tools: &tools });
    insta::assert_snapshot!(serde_json::to_string_pretty(&body).unwrap());
}

#[test]
fn words_thoughts_calls_and_counts_are_gathered() {
    let counts = json!({"input_tokens": 10, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 30, "output_tokens": 1});
    let mut events = vec![
        json!({"type": "message_start", "message": {"usage": counts}}),
        json!({"type": "ping"}),
        begin(0, json!({"type": "thinking", "thinking": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(0, json!({"type": "signature_delta", "signature": "xyz"})),
        json!({"type": "content_block_stop", "index": 0}),
        begin(1, json!({"type": "text", "text": ""})),
        delta(1, json!({"type": "text_delta", "text": "Grü"})),
        delta(1, json!({"type": "text_delta", "text": "ße"})),
        begin(2, json!({"type": "tool_use", "id": "a", "name": "exec", "input": {}})),
        delta(2, json!({"type": "input_json_delta", "partial_json": "{\"x\""})),
        delta(2, json!({"type": "input_json_delta", "partial_json": ":1}"})),
        begin(3, json!({"type": "tool_use", "id": "b", "name": "list", "input": {}})),
        json!({"type": "content_block_stop", "index": 3}),
        json!({"type": "something_new"}),
    ];
    events.extend(end("tool_use"));
    let (reply, heard) = read(ModelApi::Anthropic, stream(&events).as_bytes(), 4);
    let call =
        |id: &str, name: &str, input| ToolCall { id: id.to_owned(), name: name.to_owned(), input: Ok(input) };
    let expected = Reply {
        text: "Grüße".to_owned(),
        thinking: "hm".to_owned(),
        calls: vec![call("a", "exec", json!({"x": 1})), call("b", "list", json!({}))],
        stop: StopReason::Tools,
        usage: Usage { input_tokens: 60, output_tokens: 8, cached_tokens: 30, requests: 1 },
    };
    assert_eq!(reply.unwrap(), expected);
    let begun = |name: &str| ChatDelta::Call { name: name.to_owned() };
    assert_eq!(heard[3..], [begun("exec"), begun("list")]);
}

#[test]
fn a_call_that_ended_is_whole_even_without_arguments() {
    let call = begin(0, json!({"type": "tool_use", "id": "a", "name": "list", "input": {}}));
    assert_eq!(fault(ModelApi::Anthropic, &stream(slice::from_ref(&call))).1, Again::Once);
    let ended = json!({"type": "content_block_stop", "index": 0});
    assert_eq!(fault(ModelApi::Anthropic, &stream(&[call, ended])).1, Again::Never);
}

#[test]
fn reasons_to_stop_are_told_apart() {
    for (reason, stop) in [
        ("end_turn", StopReason::End),
        ("stop_sequence", StopReason::End),
        ("max_tokens", StopReason::Length),
        ("model_context_window_exceeded", StopReason::Length),
        ("refusal", StopReason::Refusal),
    ] {
        let events = end(reason);
        assert_eq!(reply(ModelApi::Anthropic, &stream(&events)).stop, stop, "{reason}");
        // The last event may be missing.
        assert_eq!(reply(ModelApi::Anthropic, &stream(&events[..1])).stop, stop, "{reason}");
    }
}

#[test]
fn an_error_in_the_stream_is_told_by_its_type() {
    let overloaded = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let (error, again) = fault(ModelApi::Anthropic, &stream(slice::from_ref(&overloaded)));
    assert_eq!(error, "the rate limit of the model's endpoint is reached (HTTP 529): Overloaded");
    assert_eq!(again, Again::Later(None));
    let words = begin(0, json!({"type": "text", "text": "a"}));
    let (error, again) = fault(ModelApi::Anthropic, &stream(&[words, overloaded.clone()]));
    assert_eq!((error.as_str(), again), ("the model's answer broke off: Overloaded", Again::Never));
    assert_eq!(fault(ModelApi::Anthropic, &overloaded.to_string()).1, Again::Later(None));
}

#[test]
fn a_whole_document_is_an_answer_too() {
    let document = json!({
        "content": [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "Hi"},
            {"type": "tool_use", "id": "a", "name": "exec", "input": {"x": 1}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 3, "output_tokens": 1},
    });
    let reply = reply(ModelApi::Anthropic, &document.to_string());
    assert_eq!((reply.text.as_str(), reply.thinking.as_str(), reply.usage.input_tokens), ("Hi", "hm", 3));
    assert_eq!(reply.calls[0].input, Ok(json!({"x": 1})));
}

#[test]
fn arguments_need_a_call() {
    let stray = delta(4, json!({"type": "input_json_delta", "partial_json": "{}"}));
    assert!(fault(ModelApi::Anthropic, &stream(&[stray])).0.contains("did not begin"));
}
