//! A turn as OpenAI's chat completions write it.

use serde_json::{Value, json};

use super::Received;
use super::turn::{Events, Part, Spoken, Stop, Tokens, pieces};

pub(super) fn events(spoken: &Spoken, request: &Received) -> Events {
    let chunk = |delta: Value, finish: Value| {
        event(&json!({
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "model": request.body["model"],
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }))
    };
    let mut events = Events::default();
    events.opening.push(chunk(json!({"role": "assistant", "content": ""}), Value::Null));
    let mut calls = 0;
    for part in &spoken.parts {
        match part {
            Part::Text(text) => {
                events.pieces.extend(pieces(text).map(|text| chunk(json!({"content": text}), Value::Null)));
            }
            Part::Thinking(text) => events
                .pieces
                .extend(pieces(text).map(|text| chunk(json!({"reasoning_content": text}), Value::Null))),
            Part::Call { tool, arguments } => {
                let call = |call: Value| chunk(json!({"tool_calls": [call]}), Value::Null);
                events.pieces.push(call(json!({
                    "index": calls,
                    "id": request.call_id(calls),
                    "type": "function",
                    "function": {"name": tool, "arguments": ""},
                })));
                events.pieces.extend(
                    pieces(arguments)
                        .map(|piece| call(json!({"index": calls, "function": {"arguments": piece}}))),
                );
                calls += 1;
            }
        }
    }
    events.closing.push(chunk(json!({}), finish(spoken)));
    if request.body["stream_options"]["include_usage"] == true {
        events.closing.push(event(&json!({"choices": [], "usage": usage(spoken.usage)})));
    }
    events.closing.push("data: [DONE]\n\n".to_owned());
    events
}

pub(super) fn whole(spoken: &Spoken, request: &Received) -> Value {
    let calls = spoken.parts.iter().filter_map(|part| match part {
        Part::Call { tool, arguments } => Some(json!({"name": tool, "arguments": arguments})),
        _ => None,
    });
    let calls: Vec<Value> = calls
        .enumerate()
        .map(|(place, function)| json!({"id": request.call_id(place), "type": "function", "function": function}))
        .collect();
    let text = spoken.joined(|part| if let Part::Text(text) = part { Some(text) } else { None });
    let thinking = spoken.joined(|part| if let Part::Thinking(text) = part { Some(text) } else { None });
    let message =
        json!({"role": "assistant", "content": text, "reasoning_content": thinking, "tool_calls": calls});
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": request.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish(spoken)}],
        "usage": usage(spoken.usage),
    })
}

fn finish(spoken: &Spoken) -> Value {
    Value::from(match spoken.stop {
        Some(Stop::Length) => "length",
        Some(Stop::Refusal) => "content_filter",
        None if spoken.has_calls() => "tool_calls",
        None => "stop",
    })
}

fn usage(tokens: Tokens) -> Value {
    json!({
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
    })
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}
