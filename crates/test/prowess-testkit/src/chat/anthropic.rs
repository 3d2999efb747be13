//! A turn as Anthropic's messages API writes it.

use serde_json::{Value, json};

use super::Received;
use super::turn::{Events, Part, Spoken, Stop, pieces};

pub(super) fn events(spoken: &Spoken, request: &Received) -> Events {
    let mut events = Events::default();
    let mut message = message(spoken, request);
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    message["usage"]["output_tokens"] = Value::from(1);
    events.opening.push(event(&json!({"type": "message_start", "message": message})));
    events.opening.push(event(&json!({"type": "ping"})));
    let mut calls = 0;
    for (index, part) in spoken.parts.iter().enumerate() {
        let (block, whole, kind, field) = match part {
            Part::Text(text) => (json!({"type": "text", "text": ""}), text, "text_delta", "text"),
            Part::Thinking(text) => {
                (json!({"type": "thinking", "thinking": ""}), text, "thinking_delta", "thinking")
            }
            Part::Call { tool, arguments } => {
                calls += 1;
                let id = request.call_id(calls - 1);
                let block = json!({"type": "tool_use", "id": id, "name": tool, "input": {}});
                (block, arguments, "input_json_delta", "partial_json")
            }
        };
        events
            .pieces
            .push(event(&json!({"type": "content_block_start", "index": index, "content_block": block})));
        events.pieces.extend(pieces(whole).map(|piece| {
            let delta = json!({"type": kind, field: piece});
            event(&json!({"type": "content_block_delta", "index": index, "delta": delta}))
        }));
        events.pieces.push(event(&json!({"type": "content_block_stop", "index": index})));
    }
    events.closing.push(event(&json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop(spoken), "stop_sequence": null},
        "usage": {"output_tokens": spoken.usage.output},
    })));
    events.closing.push(event(&json!({"type": "message_stop"})));
    events
}

pub(super) fn whole(spoken: &Spoken, request: &Received) -> Value {
    let mut calls = 0;
    let block = |part: &Part| match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Thinking(text) => json!({"type": "thinking", "thinking": text}),
        Part::Call { tool, arguments } => {
            calls += 1;
            let input: Value = serde_json::from_str(arguments).expect("a whole answer has whole arguments");
            json!({"type": "tool_use", "id": request.call_id(calls - 1), "name": tool, "input": input})
        }
    };
    let content: Vec<Value> = spoken.parts.iter().map(block).collect();
    let mut message = message(spoken, request);
    message["content"] = Value::from(content);
    message
}

/// Everything but the content.
fn message(spoken: &Spoken, request: &Received) -> Value {
    json!({
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "content": [],
        "stop_reason": stop(spoken),
        "usage": {
            "input_tokens": spoken.usage.input - spoken.usage.cached,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": spoken.usage.cached,
            "output_tokens": spoken.usage.output,
        },
    })
}

fn stop(spoken: &Spoken) -> &'static str {
    match spoken.stop {
        Some(Stop::Length) => "max_tokens",
        Some(Stop::Refusal) => "refusal",
        None if spoken.has_calls() => "tool_use",
        None => "end_turn",
    }
}

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().expect("a type"))
}
