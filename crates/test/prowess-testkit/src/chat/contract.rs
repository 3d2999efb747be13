//! What real providers refuse: a client that breaks the protocol should fail in a test, not at its user's.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Api, Received};

/// Why a provider would answer this with status 400.
pub(super) fn complaint(request: &Received) -> Option<String> {
    match request.api {
        Api::Other => Some(format!("no chat API at `{}`", request.path)),
        _ if request.method != "POST" => Some(format!("`{}` instead of `POST`", request.method)),
        _ if !request.body["model"].is_string() => Some("model: field required".to_owned()),
        _ if request.messages().next().is_none() => Some("messages: at least one is required".to_owned()),
        Api::OpenAi => open_ai(request),
        Api::Anthropic => anthropic(request),
    }
}

fn open_ai(request: &Received) -> Option<String> {
    let mut waiting = BTreeSet::new();
    for (place, message) in request.messages().enumerate() {
        if message["role"] == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            if !waiting.remove(id) {
                return Some(format!("messages.{place}: `{id}` answers no call of the message before"));
            }
            continue;
        }
        if let Some(id) = waiting.first() {
            return Some(format!("messages.{place}: the tool call `{id}` was not answered before"));
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            if !serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()) {
                return Some(format!("messages.{place}: arguments `{arguments}` are no JSON object"));
            }
            waiting.insert(call["id"].as_str().unwrap_or_default());
        }
    }
    waiting.first().map(|id| format!("the tool call `{id}` was not answered"))
}

fn anthropic(request: &Received) -> Option<String> {
    if !request.body["max_tokens"].is_u64() {
        return Some("max_tokens: field required".to_owned());
    }
    if request.header("anthropic-version").is_none() {
        return Some("anthropic-version: header is required".to_owned());
    }
    let mut waiting = BTreeSet::new();
    for (place, message) in request.messages().enumerate() {
        let expected = if place % 2 == 0 { "user" } else { "assistant" };
        if message["role"] != expected {
            return Some(format!("messages.{place}: roles must alternate, expected `{expected}`"));
        }
        let blocks = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        if blocks.is_empty() && !message["content"].is_string() {
            return Some(format!("messages.{place}: content must not be empty"));
        }
        for block in blocks.iter().filter(|block| block["type"] == "tool_result") {
            let id = block["tool_use_id"].as_str().unwrap_or_default();
            if !waiting.remove(id) {
                return Some(format!("messages.{place}: `{id}` answers no call of the message before"));
            }
        }
        if let Some(id) = waiting.first() {
            return Some(format!("messages.{place}: the tool call `{id}` was not answered"));
        }
        for block in blocks {
            if block["type"] == "text" && block["text"].as_str().is_none_or(|text| text.trim().is_empty()) {
                return Some(format!("messages.{place}: text content blocks must not be empty"));
            }
            if block["type"] == "tool_use" {
                if !block["input"].is_object() {
                    return Some(format!("messages.{place}: the input of a call must be an object"));
                }
                waiting.insert(block["id"].as_str().unwrap_or_default());
            }
        }
    }
    waiting.first().map(|id| format!("the tool call `{id}` was not answered"))
}
