//! Anthropic's messages API.

use serde_json::{Value, json};

use crate::draft::{Draft, sent_input};
use crate::fault::Fault;
use crate::options::ModelOptions;
use crate::sse::Event;
use crate::{Message, Request, StopReason, ToolCall, ToolSpec, quote};

/// The version of the API that is spoken here.
pub(crate) const VERSION: &str = "2023-06-01";

/// The API requires a limit; every model accepts this one.
const MAX_TOKENS: u32 = 8192;

pub(crate) fn body(options: &ModelOptions, request: &Request<'_>) -> Value {
    let mut body = json!({
        "model": options.model,
        "max_tokens": options.max_tokens.unwrap_or(MAX_TOKENS),
        "messages": messages(request.messages),
        "stream": true,
    });
    if !request.system.trim().is_empty() {
        body["system"] = json!([{"type": "text", "text": request.system, "cache_control": cached()}]);
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(temperature) = options.sent_temperature() {
        body["temperature"] = Value::from(temperature);
    }
    body
}

/// Marks where a prefix ends that the next request repeats, so that it is read from a cache: tools and system
/// prompt in every request of a session, the conversation in every request of a turn.
fn cached() -> Value {
    json!({"type": "ephemeral"})
}

/// The conversation, with neighbours of the same role in one message: roles must alternate, and all results of one
/// answer's calls belong together.
fn messages(conversation: &[Message]) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in conversation {
        let (role, blocks) = match message {
            Message::User(text) => ("user", text_block(text).into_iter().collect()),
            Message::Assistant { text, calls } => {
                ("assistant", text_block(text).into_iter().chain(calls.iter().map(call)).collect())
            }
            Message::Tool { call_id, content, is_error } => {
                ("user", vec![result(call_id, content, *is_error)])
            }
        };
        match messages.last_mut() {
            Some((last, content)) if *last == role => content.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => messages.push((role, blocks)),
        }
    }
    if let Some(block) = messages.last_mut().and_then(|(_, content)| content.last_mut()) {
        block["cache_control"] = cached();
    }
    messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

/// Words; blank ones are refused by the API, so there is no block for them.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}))
}

fn call(call: &ToolCall) -> Value {
    json!({"type": "tool_use", "id": sent_id(&call.id), "name": call.name, "input": sent_input(call)})
}

fn result(call_id: &str, content: &str, is_error: bool) -> Value {
    let mut block = json!({"type": "tool_result", "tool_use_id": sent_id(call_id), "content": content});
    if is_error {
        block["is_error"] = Value::from(true);
    }
    block
}

/// An id as the API accepts it: a conversation may have begun with another model, which made others.
fn sent_id(id: &str) -> String {
    let allowed = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    id.chars().map(|character| if allowed(character) { character } else { '_' }).collect()
}

fn tool(tool: &ToolSpec) -> Value {
    json!({"name": tool.name, "description": tool.description, "input_schema": tool.input})
}

pub(crate) fn event(event: &Event, draft: &mut Draft<'_>) -> Result<(), Fault> {
    let data = event.data.trim();
    if data.is_empty() {
        return Ok(());
    }
    let value: Value =
        serde_json::from_str(data).map_err(|error| Fault::malformed(format!("{error} in `{data}`")))?;
    match value["type"].as_str().unwrap_or(&event.name) {
        "message_start" => count(&value["message"]["usage"], draft),
        "content_block_start" => begin(&value["content_block"], value["index"].as_u64(), draft),
        "content_block_delta" => return extend(&value["delta"], value["index"].as_u64(), draft),
        "content_block_stop" => {
            if let Some(place) = place(value["index"].as_u64(), draft) {
                draft.calls[place].closed = true;
            }
        }
        "message_delta" => {
            count(&value["usage"], draft);
            stop(&value["delta"]["stop_reason"], draft);
        }
        "message_stop" => draft.complete(),
        "error" => return Err(reported(&value)),
        // Pings, and what later versions of the API may add.
        _ => {}
    }
    Ok(())
}

/// A whole answer.
pub(crate) fn absorb(message: &Value, draft: &mut Draft<'_>) -> Result<(), Fault> {
    if message.get("error").is_some_and(|error| !error.is_null()) {
        return Err(reported(message));
    }
    count(&message["usage"], draft);
    for (index, block) in (0..).zip(message["content"].as_array().into_iter().flatten()) {
        begin(block, Some(index), draft);
    }
    stop(&message["stop_reason"], draft);
    Ok(())
}

fn begin(block: &Value, index: Option<u64>, draft: &mut Draft<'_>) {
    match block["type"].as_str() {
        Some("text") => draft.add_text(block["text"].as_str().unwrap_or_default()),
        Some("thinking") => draft.add_thinking(block["thinking"].as_str().unwrap_or_default()),
        Some("tool_use") => {
            let place = draft.begin_call(index);
            draft.name_call(place, block["name"].as_str().unwrap_or_default());
            block["id"].as_str().unwrap_or_default().clone_into(&mut draft.calls[place].id);
            // In a stream it is empty here, and comes in pieces.
            if block["input"].as_object().is_some_and(|input| !input.is_empty()) {
                draft.add_arguments(place, &block["input"].to_string());
            }
        }
        _ => {}
    }
}

fn extend(delta: &Value, index: Option<u64>, draft: &mut Draft<'_>) -> Result<(), Fault> {
    match delta["type"].as_str() {
        Some("text_delta") => draft.add_text(delta["text"].as_str().unwrap_or_default()),
        Some("thinking_delta") => draft.add_thinking(delta["thinking"].as_str().unwrap_or_default()),
        Some("input_json_delta") => {
            let place = place(index, draft)
                .ok_or_else(|| Fault::malformed("it has arguments for a call that did not begin"))?;
            draft.add_arguments(place, delta["partial_json"].as_str().unwrap_or_default());
        }
        _ => {}
    }
    Ok(())
}

fn place(index: Option<u64>, draft: &Draft<'_>) -> Option<usize> {
    draft.calls.iter().rposition(|call| call.index == index)
}

/// Takes over what is counted here: later events repeat some numbers and leave others out.
fn count(usage: &Value, draft: &mut Draft<'_>) {
    let tokens = &mut draft.tokens;
    for (name, counter) in [
        ("input_tokens", &mut tokens.fresh),
        ("cache_creation_input_tokens", &mut tokens.into_cache),
        ("cache_read_input_tokens", &mut tokens.from_cache),
        ("output_tokens", &mut tokens.written),
    ] {
        if let Some(count) = usage[name].as_u64() {
            *counter = count;
        }
    }
}

fn stop(reason: &Value, draft: &mut Draft<'_>) {
    match reason.as_str() {
        None => {}
        Some("tool_use") => draft.stop(StopReason::Tools),
        Some("max_tokens" | "model_context_window_exceeded") => draft.stop(StopReason::Length),
        Some("refusal") => draft.stop(StopReason::Refusal),
        Some(_) => draft.stop(StopReason::End),
    }
}

fn reported(body: &Value) -> Fault {
    let message = quote::message_in(body).unwrap_or("no reason given").to_owned();
    Fault::reported(body["error"]["type"].as_str().unwrap_or_default(), message)
}

#[cfg(test)]
#[path = "anthropic_tests.rs"]
mod tests;
