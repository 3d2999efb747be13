//! OpenClaw's transcripts: the format of pi sessions.
//!
//! As OpenClaw 2026.9 describes and types them: a header `{type: "session", id, cwd, timestamp}`, then entries with
//! `id` and `parentId`, most of them `message`. Branches that the user left are kept in the order of the file.

use prowess_types::Usage;
use serde_json::{Value, json};

use super::Importer;
use super::builder::{Builder, CallResult};
use super::content::{blocks_of, code_at, count_at, kind_of, text_at, text_of};

pub(super) struct Openclaw;

impl Importer for Openclaw {
    fn entry(&mut self, entry: &Value, builder: &mut Builder) {
        builder.time(entry.get("timestamp"));
        let kind = kind_of(entry);
        match kind {
            "session" => builder.session(text_at(entry, "id"), text_at(entry, "cwd")),
            "message" => message(entry, builder),
            "model_change" => builder.model(text_at(entry, "modelId").unwrap_or_default()),
            "compaction" => builder.notice("compacted", text_at(entry, "summary").unwrap_or_default()),
            "branch_summary" => builder.notice("branch", text_at(entry, "summary").unwrap_or_default()),
            "reset" => builder.notice("reset", text_at(entry, "reason").unwrap_or_default()),
            "thinking_level_change" | "label" | "session_info" | "leaf" => builder.skip(kind),
            "custom" | "custom_message" => {
                let name = text_at(entry, "customType").unwrap_or("untyped");
                builder.foreign(&format!("{kind}/{name}"), entry);
            }
            _ => builder.foreign(kind, entry),
        }
    }
}

/// A message of any role.
pub(super) fn message(entry: &Value, builder: &mut Builder) {
    let message = entry.get("message").unwrap_or(&Value::Null);
    let content = message.get("content").unwrap_or(&Value::Null);
    match text_at(message, "role").unwrap_or("untyped") {
        "user" => builder.begin(&text_of(content)),
        "assistant" => assistant(message, content, builder),
        "toolResult" => {
            let details = message.get("details").unwrap_or(&Value::Null);
            let exit_code = code_at(details, "exitCode");
            let is_error = message.get("isError").and_then(Value::as_bool) == Some(true);
            let result = CallResult {
                ok: !is_error && exit_code.unwrap_or_default() == 0,
                output: text_of(content),
                exit_code,
                ms: details.get("durationMs").and_then(Value::as_u64),
            };
            builder.result(text_at(message, "toolCallId").unwrap_or_default(), result);
        }
        "bashExecution" => by_user(entry, message, builder),
        "branchSummary" => builder.notice("branch", text_at(message, "summary").unwrap_or_default()),
        "compactionSummary" => builder.notice("compacted", text_at(message, "summary").unwrap_or_default()),
        role => builder.foreign(&format!("message/{role}"), entry),
    }
}

fn assistant(message: &Value, content: &Value, builder: &mut Builder) {
    if let Some(model) = text_at(message, "model") {
        builder.model(model);
    }
    for block in blocks_of(content) {
        match kind_of(&block) {
            "text" => builder.answer(text_at(&block, "text").unwrap_or_default()),
            "thinking" => builder.thought(text_at(&block, "thinking").unwrap_or_default()),
            "toolCall" => {
                let (id, name) = (text_at(&block, "id"), text_at(&block, "name"));
                let input = block.get("arguments").unwrap_or(&Value::Null);
                builder.call(id.unwrap_or_default(), name.unwrap_or_default(), input, None);
            }
            kind => builder.foreign(&format!("assistant/{kind}"), &block),
        }
    }
    match text_at(message, "stopReason") {
        Some("aborted") => builder.stopped(),
        Some("error") => builder.notice("model_error", text_at(message, "errorMessage").unwrap_or_default()),
        _ => {}
    }
    if let Some(usage) = message.get("usage").filter(|usage| usage.is_object()) {
        let cached_tokens = count_at(usage, "cacheRead");
        let written = count_at(usage, "cacheWrite");
        let usage = Usage {
            input_tokens: count_at(usage, "input").saturating_add(cached_tokens).saturating_add(written),
            output_tokens: count_at(usage, "output"),
            cached_tokens,
            requests: 1,
        };
        builder.usage(None, usage);
    }
}

/// A command that the user ran beside the conversation.
fn by_user(entry: &Value, message: &Value, builder: &mut Builder) {
    let id = text_at(entry, "id").unwrap_or_default();
    builder.call(id, "bash", &json!({ "command": message.get("command") }), None);
    let exit_code = code_at(message, "exitCode");
    let output = text_at(message, "output").unwrap_or_default().to_owned();
    let is_cancelled = message.get("cancelled").and_then(Value::as_bool) == Some(true);
    let ok = !is_cancelled && exit_code.unwrap_or_default() == 0;
    builder.result(id, CallResult { ok, output, exit_code, ms: None });
}

#[cfg(test)]
#[path = "openclaw_tests.rs"]
mod tests;
