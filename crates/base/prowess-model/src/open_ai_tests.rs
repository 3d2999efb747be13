use std::slice;

use prowess_types::Usage;

use super::*;
use crate::fault::Again;
use crate::reader::tests::{fault as fault_of, read, reply as reply_of};
use crate::{ChatDelta, Reply};
use prowess_types::ModelApi;

/// A stream of these chunks.
fn stream(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).chain(["data: [DONE]\n\n".to_owned()]).collect()
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

fn calls(calls: Value) -> Value {
    delta(json!({"tool_calls": calls}))
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn reply(chunks: &[Value]) -> Reply {
    reply_of(ModelApi::OpenAi, &stream(chunks))
}

/// `id name input` of each call.
fn called(chunks: &[Value]) -> Vec<String> {
    let show = |call: ToolCall| {
        let input = call.input.map_or_else(|raw| format!("raw {raw}"), |input| input.to_string());
        format!("{} {} {input}", call.id, call.name)
    };
    reply(chunks).calls.into_iter().map(show).collect()
}

#[test]
fn a_request_is_written() {
    let mut options = ModelOptions::new("http://h", "small");
    options.max_tokens = Some(100);
    options.temperature = Some(0.7);
    let exec = |id: &str, input| ToolCall { id: id.to_owned(), name: "exec".to_owned(), input };
    let messages = [
        Message::User("What day is it?".to_owned()),
        Message::Assistant {
            text: String::new(),
            calls: vec![exec("a", Ok(json!({"command": "date"}))), exec("b", Err("{oops".to_owned()))],
        },
        Message::Tool { call_id: "a".to_owned(), content: "Monday".to_owned(), is_error: false },
        Message::Tool { call_id: "b".to_owned(), content: "no JSON".to_owned(), is_error: true },
        Message::Assistant { text: "Monday.".to_owned(), calls: Vec::new() },
    ];
    let tools = [ToolSpec {
        name: "exec".to_owned(),
        description: "Runs a command".to_owned(),
        input: json!({"type": "object"}),
    }];
    let body = body(&options, &Request { system: "Be brief.", messages: &messages, tools: &tools });
    insta::assert_snapshot!(serde_json::to_string_pretty(&body).unwrap());
}

#[test]
fn what_is_not_set_is_not_sent() {
    let options = ModelOptions::new("https://api.openai.com/v1", "m");
    let request = Request { system: " ", messages: &[Message::User("hi".to_owned())], tools: &[] };
    let plain = body(&options, &request);
    assert_eq!(plain["messages"], json!([{"role": "user", "content": "hi"}]));
    for name in ["tools", "max_tokens", "max_completion_tokens", "temperature"] {
        assert!(plain.get(name).is_none(), "{name}");
    }
    let limited = body(&ModelOptions { max_tokens: Some(9), ..options }, &request);
    assert_eq!(limited["max_completion_tokens"], 9);
}

#[test]
fn words_thoughts_and_counts_are_gathered() {
    let stream = stream(&[
        delta(json!({"role": "assistant", "content": null})),
        delta(json!({"reasoning_content": "hm"})),
        delta(json!({"reasoning": "…"})),
        delta(json!({"content": "Gr"})),
        delta(json!({"content": [{"type": "text", "text": "üß"}]})),
        json!({"choices": [{"delta": {"content": "e"}, "finish_reason": "stop"}], "usage": null}),
        json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 5}}}),
    ]);
    let (reply, heard) = read(ModelApi::OpenAi, stream.as_bytes(), 3);
    let usage = Usage { input_tokens: 9, output_tokens: 4, cached_tokens: 5, requests: 1 };
    let expected =
        Reply { text: "Grüße".to_owned(), thinking: "hm…".to_owned(), usage, ..Reply::default() };
    assert_eq!(reply.unwrap(), expected);
    let (think, say) =
        (|text: &str| ChatDelta::Thinking(text.to_owned()), |text: &str| ChatDelta::Text(text.to_owned()));
    assert_eq!(heard, [think("hm"), think("…"), say("Gr"), say("üß"), say("e")]);
}

#[test]
fn calls_come_in_pieces_by_index() {
    let chunks = [
        calls(
            json!([{"index": 0, "id": "a", "type": "function", "function": {"name": "exec", "arguments": ""}}]),
        ),
        calls(json!([{"index": 1, "id": "b", "function": {"name": "read", "arguments": "{\"pa"}}])),
        calls(json!([{"index": 0, "function": {"arguments": "{\"command\": \"l"}}])),
        calls(
            json!([{"index": 1, "function": {"arguments": "th\": \"x\"}"}}, {"index": 0, "function": {"arguments": "s\"}"}}]),
        ),
        finish("tool_calls"),
    ];
    assert_eq!(called(&chunks), [r#"a exec {"command":"ls"}"#, r#"b read {"path":"x"}"#]);
    assert_eq!(reply(&chunks).stop, StopReason::Tools);
}

#[test]
fn servers_that_number_calls_badly_are_understood() {
    let whole = |index: Value, id: Value, path: &str| json!({"index": index, "id": id, "function": {"name": "read", "arguments": format!("{{\"path\":\"{path}\"}}")}});
    // Every call has the number 0.
    let zeros = [calls(json!([whole(json!(0), json!("a"), "x"), whole(json!(0), json!("b"), "y")]))];
    assert_eq!(called(&zeros), [r#"a read {"path":"x"}"#, r#"b read {"path":"y"}"#]);
    // And some have no arguments.
    let bare = |id: &str, name: &str| {
        calls(json!([{"index": 0, "id": id, "function": {"name": name, "arguments": ""}}]))
    };
    assert_eq!(called(&[bare("a", "list"), bare("b", "status")]), ["a list {}", "b status {}"]);
    // And no id either.
    let nameless =
        [calls(json!([whole(json!(0), json!(""), "x")])), calls(json!([whole(json!(0), json!(""), "y")]))];
    assert_eq!(called(&nameless), [r#"call_7_0 read {"path":"x"}"#, r#"call_7_1 read {"path":"y"}"#]);
    // There are no numbers.
    let none = [calls(json!([whole(Value::Null, Value::Null, "x"), whole(Value::Null, Value::Null, "y")]))];
    assert_eq!(called(&none), [r#"call_7_0 read {"path":"x"}"#, r#"call_7_1 read {"path":"y"}"#]);
    // There are no numbers, and the arguments come in pieces.
    let pieces = [
        calls(json!([{"id": "a", "function": {"name": "read", "arguments": "{\"path\":"}}])),
        calls(json!([{"function": {"arguments": "\"x\"}"}}])),
        calls(json!([{"id": "b", "function": {"name": "exec"}}])),
    ];
    assert_eq!(called(&pieces), [r#"a read {"path":"x"}"#, "b exec {}"]);
    // Id and name come with every piece.
    let repeated = [
        calls(json!([{"index": 0, "id": "a", "function": {"name": "read", "arguments": "{\"path\":"}}])),
        calls(json!([{"index": 0, "id": "a", "function": {"name": "read", "arguments": "\"x\"}"}}])),
        calls(json!([{"index": 0, "id": "a", "function": {"name": "read", "arguments": ""}}])),
    ];
    assert_eq!(called(&repeated), [r#"a read {"path":"x"}"#]);
    // Two calls share an id.
    let shared = [calls(json!([whole(json!(0), json!("a"), "x"), whole(json!(1), json!("a"), "y")]))];
    assert_eq!(called(&shared), [r#"a read {"path":"x"}"#, r#"call_7_1 read {"path":"y"}"#]);
}

#[test]
fn arguments_may_be_an_object_or_no_json() {
    let with = |arguments: Value| {
        [calls(json!([{"function": {"name": "exec", "arguments": arguments}}])), finish("stop")]
    };
    assert_eq!(called(&with(json!({"a": 1}))), [r#"call_7_0 exec {"a":1}"#]);
    assert_eq!(called(&with(json!("  "))), ["call_7_0 exec {}"]);
    assert_eq!(called(&with(json!("{oops"))), ["call_7_0 exec raw {oops"]);
    assert_eq!(called(&with(json!("[1]"))), ["call_7_0 exec raw [1]"]);
    assert_eq!(reply(&with(json!("{}"))).stop, StopReason::Tools, "although it says `stop`");
}

#[test]
fn a_call_needs_a_name() {
    let stream = stream(&[calls(json!([{"index": 0, "function": {"arguments": "{}"}}]))]);
    assert!(fault_of(ModelApi::OpenAi, &stream).0.contains("without a name"));
}

#[test]
fn reasons_to_stop_are_told_apart() {
    for (reason, stop) in [
        ("stop", StopReason::End),
        ("eos", StopReason::End),
        ("tool_calls", StopReason::End),
        ("length", StopReason::Length),
        ("content_filter", StopReason::Refusal),
    ] {
        assert_eq!(reply(&[delta(json!({"content": "a"})), finish(reason)]).stop, stop, "{reason}");
    }
    let refused = reply(&[delta(json!({"refusal": "I will not."})), finish("stop")]);
    assert_eq!((refused.text.as_str(), refused.stop), ("I will not.", StopReason::Refusal));
}

#[test]
fn an_error_in_the_stream_is_told_by_its_code() {
    let limited = json!({"error": {"message": "slow down", "code": "rate_limit_exceeded"}});
    let (error, again) = fault_of(ModelApi::OpenAi, &stream(slice::from_ref(&limited)));
    assert_eq!(error, "the rate limit of the model's endpoint is reached (HTTP 429): slow down");
    assert_eq!(again, Again::Later(None));
    // Words had come: too late to ask again.
    let (error, again) = fault_of(ModelApi::OpenAi, &stream(&[delta(json!({"content": "a"})), limited]));
    assert_eq!((error.as_str(), again), ("the model's answer broke off: slow down", Again::Never));
    for (error, told) in [
        (json!({"error": "out of memory"}), "broke off: out of memory"),
        (json!({"error": {"message": "bad", "code": 400, "type": "x"}}), "HTTP 400: bad"),
        (json!({"error": {"message": "bad", "code": null, "type": "server_error"}}), "HTTP 500: bad"),
        (json!({"error": {"odd": 1}}), "broke off: {\"odd\":1}"),
    ] {
        let (shown, _) = fault_of(ModelApi::OpenAi, &stream(&[error]));
        assert!(shown.contains(told), "{shown}");
    }
    let (error, _) = fault_of(ModelApi::OpenAi, "error: {\"code\":500,\"message\":\"slot\"}\n\n");
    assert!(error.ends_with("HTTP 500: slot"), "{error}");
}

#[test]
fn a_whole_document_is_an_answer_too() {
    let document = json!({
        "choices": [{"message": {"content": "Hi", "tool_calls": [
            {"id": "a", "function": {"name": "exec", "arguments": "{}"}},
            {"id": "b", "function": {"name": "exec", "arguments": {"x": 1}}},
        ]}, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1},
    });
    let reply = reply_of(ModelApi::OpenAi, &format!(" \n{document:#}"));
    assert_eq!((reply.text.as_str(), reply.calls.len(), reply.usage.input_tokens), ("Hi", 2, 3));
}
