//! OpenAI's chat completions, as OpenAI and all its imitators speak them.

use serde_json::{Value, json};

use crate::draft::{Draft, sent_input};
use crate::fault::Fault;
use crate::options::ModelOptions;
use crate::sse::Event;
use crate::{Message, Request, StopReason, ToolCall, ToolSpec, quote};

/// The one host that wants its own name for the limit of tokens.
const OPEN_AI: &str = "https://api.openai.com";

pub(crate) fn body(options: &ModelOptions, request: &Request<'_>) -> Value {
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    if !request.system.trim().is_empty() {
        messages.push(json!({"role": "system", "content": request.system}));
    }
    messages.extend(request.messages.iter().map(message));
    let mut body = json!({
        "model": options.model,
        "messages": messages,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(limit) = options.max_tokens {
        let is_open_ai = options.base_url.trim().starts_with(OPEN_AI);
        body[if is_open_ai { "max_completion_tokens" } else { "max_tokens" }] = Value::from(limit);
    }
    if let Some(temperature) = options.sent_temperature() {
        body["temperature"] = Value::from(temperature);
    }
    body
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({"role": "user", "content": text}),
        Message::Assistant { text, calls } if calls.is_empty() => {
            json!({"role": "assistant", "content": text})
        }
        Message::Assistant { text, calls } => {
            let content = if text.is_empty() { Value::Null } else { Value::from(text.as_str()) };
            let calls: Vec<Value> = calls.iter().map(call).collect();
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        }
        Message::Tool { call_id, content, is_error } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": result(content, *is_error)})
        }
    }
}

/// A tool's answer. This API has no field for failure, so the words must tell.
fn result(content: &str, is_error: bool) -> String {
    let tells = content.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("error"));
    if is_error && !tells { format!("Error: {content}") } else { content.to_owned() }
}

fn call(call: &ToolCall) -> Value {
    let arguments = sent_input(call).to_string();
    json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
}

fn tool(tool: &ToolSpec) -> Value {
    let ToolSpec { name, description, input } = tool;
    json!({"type": "function", "function": {"name": name, "description": description, "parameters": input}})
}

pub(crate) fn event(event: &Event, draft: &mut Draft<'_>) -> Result<(), Fault> {
    let data = event.data.trim();
    match data {
        "" => return Ok(()),
        "[DONE]" => {
            draft.complete();
            return Ok(());
        }
        _ => {}
    }
    let chunk: Value =
        serde_json::from_str(data).map_err(|error| Fault::malformed(format!("{error} in `{data}`")))?;
    if event.name == "error" && chunk.get("error").is_none() {
        return Err(reported(&json!({"error": chunk})));
    }
    absorb(&chunk, draft)
}

/// A whole answer, or a piece of one: they differ in one name only.
pub(crate) fn absorb(chunk: &Value, draft: &mut Draft<'_>) -> Result<(), Fault> {
    if chunk.get("error").is_some_and(|error| !error.is_null()) {
        return Err(reported(chunk));
    }
    if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
        let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or(0);
        let read = usage["prompt_tokens"].as_u64().unwrap_or(0);
        draft.tokens.fresh = read.saturating_sub(cached);
        draft.tokens.from_cache = cached.min(read);
        draft.tokens.written = usage["completion_tokens"].as_u64().unwrap_or(0);
    }
    let Some(choice) = chunk["choices"].get(0) else { return Ok(()) };
    let delta = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&Value::Null);
    let thinking = [&delta["reasoning_content"], &delta["reasoning"]].into_iter().find_map(Value::as_str);
    draft.add_thinking(thinking.unwrap_or_default());
    absorb_content(&delta["content"], draft);
    if let Some(refusal) = delta["refusal"].as_str().filter(|refusal| !refusal.is_empty()) {
        draft.add_text(refusal);
        draft.stop(StopReason::Refusal);
    }
    for fragment in delta["tool_calls"].as_array().into_iter().flatten() {
        absorb_call(fragment, draft);
    }
    match choice["finish_reason"].as_str() {
        None | Some("") => {}
        Some("tool_calls" | "function_call") => draft.stop(StopReason::Tools),
        Some("length") => draft.stop(StopReason::Length),
        Some("content_filter") => draft.stop(StopReason::Refusal),
        // After a refusal comes a plain `stop`.
        Some(_) if draft.may_end() => {}
        Some(_) => draft.stop(StopReason::End),
    }
    Ok(())
}

/// Words, plainly or in parts.
fn absorb_content(content: &Value, draft: &mut Draft<'_>) {
    match content {
        Value::String(text) => draft.add_text(text),
        Value::Array(parts) => {
            for part in parts {
                draft.add_text(part["text"].as_str().unwrap_or_default());
            }
        }
        _ => {}
    }
}

/// A piece of a call.
fn absorb_call(fragment: &Value, draft: &mut Draft<'_>) {
    let function = &fragment["function"];
    let name = function["name"].as_str().unwrap_or_default();
    let id = fragment["id"].as_str().unwrap_or_default();
    let arguments = match &function["arguments"] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        // Not as the protocol has it, but clear.
        other => other.to_string(),
    };
    let index = fragment["index"].as_u64();
    let place = continued(draft, index, id, name, &arguments).unwrap_or_else(|| draft.begin_call(index));
    draft.name_call(place, name);
    let call = &mut draft.calls[place];
    if call.id.is_empty() {
        id.clone_into(&mut call.id);
    }
    draft.add_arguments(place, &arguments);
}

/// The call that a piece continues, if it begins none. By the protocol the index tells, but there are servers that
/// leave it out and servers that number every call 0.
fn continued(draft: &Draft<'_>, index: Option<u64>, id: &str, name: &str, arguments: &str) -> Option<usize> {
    let place = match index {
        Some(_) => draft.calls.iter().rposition(|call| call.index == index)?,
        None => draft.calls.len().checked_sub(1)?,
    };
    let call = &draft.calls[place];
    let other_id = !id.is_empty() && !call.id.is_empty() && id != call.id;
    let begins = if index.is_none() {
        !name.is_empty() && (id.is_empty() || id != call.id)
    } else {
        !name.is_empty() && !arguments.is_empty() && call.is_whole()
    };
    (!other_id && !begins).then_some(place)
}

fn reported(body: &Value) -> Fault {
    let error = &body["error"];
    let message = quote::message_in(body).map_or_else(|| error.to_string(), str::to_owned);
    let words = [&error["code"], &error["type"]].into_iter();
    let code = words.filter(|code| !code.is_null()).map(|code| match code {
        Value::String(code) => code.clone(),
        other => other.to_string(),
    });
    Fault::reported(&code.into_iter().next().unwrap_or_default(), message)
}

#[cfg(test)]
#[path = "open_ai_tests.rs"]
mod tests;
