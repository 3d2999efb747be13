//! Codex's rollouts.
//!
//! `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, as `codex-rs/protocol` (`RolloutItem`, `ResponseItem`, `EventMsg`)
//! writes them: `{timestamp, type, payload}`. The oldest files hold the payloads alone. What the model saw and said is
//! in `response_item`; `event_msg` tells most of it once more for the screen.

use prowess_types::{ActivatedBy, Usage};
use serde_json::{Value, json};

use super::Importer;
use super::builder::{Builder, CallResult};
use super::content::{between, code_at, count_at, kind_of, labelled_code, text_at, text_of};
use super::skills::Used;

/// How texts begin that the program puts in the place of the user's.
const INJECTED: [&str; 8] = [
    "<environment_context>",
    "<user_instructions>",
    "<permissions",
    "<collaboration_mode>",
    "<turn_aborted>",
    "<subagent_notification>",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
];
/// How an output begins that tells of a failure without a code.
const FAILED: [&str; 5] =
    ["failed to parse function arguments", "exec_command failed", "unsupported call", "aborted", "err:"];

#[derive(Default)]
pub(super) struct Codex {
    /// What the whole session had used when last told.
    total: Usage,
    calls: usize,
}

impl Importer for Codex {
    fn entry(&mut self, entry: &Value, builder: &mut Builder) {
        builder.time(entry.get("timestamp"));
        let Some(payload) = entry.get("payload") else {
            return self.bare(entry, builder);
        };
        let kind = kind_of(entry);
        match kind {
            "session_meta" => meta(payload, builder),
            "turn_context" => {
                builder.session(None, text_at(payload, "cwd"));
                if let Some(model) = text_at(payload, "model") {
                    builder.model(model);
                }
                builder.skip("turn_context");
            }
            "response_item" => self.item(payload, entry, builder),
            "event_msg" => self.event(payload, entry, builder),
            "compacted" => builder.notice("compacted", text_at(payload, "message").unwrap_or_default()),
            _ => builder.foreign(kind, entry),
        }
    }
}

impl Codex {
    /// An entry of the oldest files.
    fn bare(&mut self, entry: &Value, builder: &mut Builder) {
        match kind_of(entry) {
            "untyped" if entry.get("id").is_some() => meta(entry, builder),
            "untyped" if entry.get("record_type").is_some() => builder.skip("state"),
            _ => self.item(entry, entry, builder),
        }
    }

    fn item(&mut self, item: &Value, entry: &Value, builder: &mut Builder) {
        let kind = kind_of(item);
        let id = text_at(item, "call_id").or_else(|| text_at(item, "id")).unwrap_or_default();
        match kind {
            "message" => message(item, builder),
            "reasoning" => {
                let texts = ["summary", "content"].iter().filter_map(|part| item.get(part)).map(text_of);
                let text = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
                if text.is_empty() { builder.skip("reasoning (encrypted)") } else { builder.thought(&text) }
            }
            "function_call" => {
                let arguments = item.get("arguments").unwrap_or(&Value::Null);
                let parsed = arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
                let input = parsed.unwrap_or_else(|| arguments.clone());
                builder.call(id, text_at(item, "name").unwrap_or_default(), &input, None);
            }
            "custom_tool_call" => {
                let input = item.get("input").unwrap_or(&Value::Null);
                builder.call(id, text_at(item, "name").unwrap_or_default(), input, None);
            }
            "local_shell_call" => {
                builder.call(id, "local_shell", item.get("action").unwrap_or(&Value::Null), None);
            }
            "web_search_call" => {
                self.calls += 1;
                let id = if id.is_empty() { format!("web_search_{}", self.calls) } else { id.to_owned() };
                builder.call(&id, "web_search", item.get("action").unwrap_or(&Value::Null), None);
            }
            "function_call_output" | "custom_tool_call_output" => {
                builder.result(id, output(item.get("output").unwrap_or(&Value::Null)));
            }
            "ghost_snapshot" | "compaction" | "compaction_summary" => builder.skip(kind),
            _ => builder.foreign(&format!("response_item/{kind}"), entry),
        }
    }

    fn event(&mut self, event: &Value, entry: &Value, builder: &mut Builder) {
        let kind = kind_of(event);
        match kind {
            "user_message" => user(text_at(event, "message").unwrap_or_default(), builder),
            "token_count" => self.tokens(event, builder),
            "turn_aborted" => builder.stopped(),
            "error" | "stream_error" | "warning" => {
                builder.notice(kind, text_at(event, "message").unwrap_or_default());
            }
            "agent_message"
            | "agent_reasoning"
            | "agent_reasoning_raw_content"
            | "task_started"
            | "task_complete"
            | "turn_started"
            | "turn_complete"
            | "context_compacted"
            | "exec_command_begin"
            | "exec_command_end"
            | "patch_apply_begin"
            | "patch_apply_end"
            | "web_search_begin"
            | "web_search_end"
            | "mcp_tool_call_begin"
            | "mcp_tool_call_end" => builder.skip(&format!("event_msg/{kind}")),
            _ => builder.foreign(&format!("event_msg/{kind}"), entry),
        }
    }

    /// The sum so far is told after each request, and sometimes twice.
    fn tokens(&mut self, event: &Value, builder: &mut Builder) {
        let total = event.get("info").and_then(|info| info.get("total_token_usage"));
        if let Some(total) = total {
            let now = Usage {
                input_tokens: count_at(total, "input_tokens"),
                output_tokens: count_at(total, "output_tokens"),
                cached_tokens: count_at(total, "cached_input_tokens"),
                requests: 0,
            };
            if now != self.total {
                let used = Usage {
                    input_tokens: now.input_tokens.saturating_sub(self.total.input_tokens),
                    output_tokens: now.output_tokens.saturating_sub(self.total.output_tokens),
                    cached_tokens: now.cached_tokens.saturating_sub(self.total.cached_tokens),
                    requests: 1,
                };
                builder.usage(None, used);
                self.total = now;
            }
        }
        builder.skip("event_msg/token_count");
    }
}

fn meta(payload: &Value, builder: &mut Builder) {
    builder.time(payload.get("timestamp"));
    builder.session(text_at(payload, "id"), text_at(payload, "cwd"));
}

fn message(item: &Value, builder: &mut Builder) {
    let text = text_of(item.get("content").unwrap_or(&Value::Null));
    match text_at(item, "role") {
        Some("assistant") => builder.answer(&text),
        Some("user") if text.trim_start().starts_with("<skill>") => skill(&text, builder),
        Some("user") if INJECTED.iter().any(|start| text.trim_start().starts_with(start)) => {
            builder.skip("message (context)");
        }
        Some("user") => user(&text, builder),
        Some("developer" | "system") => builder.skip("message (instructions)"),
        role => builder.foreign(&format!("message/{}", role.unwrap_or("untyped")), item),
    }
}

/// The user's words, which the log has twice: as the model saw them and as the screen showed them.
fn user(text: &str, builder: &mut Builder) {
    let is_told = |message: &str| {
        !message.is_empty() && (message.contains(text.trim()) || text.contains(message.trim()))
    };
    if builder.just_began().is_some_and(is_told) {
        builder.skip("user message (again)");
    } else {
        builder.begin(text);
    }
}

/// The text of a skill that the user named with `$name`.
fn skill(text: &str, builder: &mut Builder) {
    let skill = between(text, "<name>", "</name>").unwrap_or_default().trim().to_owned();
    let path = between(text, "<path>", "</path>").unwrap_or_default().trim().to_owned();
    if skill.is_empty() {
        return builder.foreign("message (skill without name)", &json!(text));
    }
    builder.activate(Used { skill, path, by: ActivatedBy::Reference });
}

/// An output: a text, a list of texts, or an object with `content` and `success`; a text may hold JSON with the exit
/// code, or begin with lines that tell it.
fn output(output: &Value) -> CallResult {
    let success = output.get("success").and_then(Value::as_bool);
    let content = output.get("content").unwrap_or(output);
    let text = text_of(content);
    let inner = serde_json::from_str::<Value>(&text).ok().filter(|inner| inner.get("metadata").is_some());
    let (text, exit_code) = if let Some(inner) = inner {
        (text_of(&inner["output"]), code_at(&inner["metadata"], "exit_code"))
    } else {
        let labels = ["Exit code:", "Process exited with code"];
        let exit_code = labels.iter().find_map(|label| labelled_code(&text, label));
        (text, exit_code)
    };
    let failed = FAILED.iter().any(|start| text.trim_start().starts_with(start));
    let ok = success.unwrap_or(!failed) && exit_code.unwrap_or_default() == 0;
    CallResult { ok, output: text, exit_code, ms: None }
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
