//! OpenPocket's session files: pi sessions with a phone agent's steps.
//!
//! `sessions/session-<id>.jsonl`, as its `SessionPiTreeJsonlBackend` writes them: the task is a user message, each step
//! an `openpocket_step` (number, thought, action, result) followed by an `openpocket_action_trace` (app, status, time),
//! and the outcome an assistant message of the model `session-task-outcome`, in older files `session-finalizer`. Log
//! entries are custom messages in some versions and custom entries in others; both are read.

use prowess_types::{Outcome, OutcomeResult, OutcomeSource, PhoneStep, TraceEvent};
use serde_json::{Map, Value, json};

use super::Importer;
use super::builder::{Builder, CallResult};
use super::content::{between, text_at, text_of};
use super::openclaw::{self, Openclaw};

/// Fields of the UI context that name nothing outside of one screen.
const FLEETING: [&str; 2] = ["elementId", "label"];
const EMPTY: &str = "(empty)";
const FAILED: &str = "Action execution error";

#[derive(Default)]
pub(super) struct Openpocket {
    /// The number of the last step, and whether its entry told how it went.
    step: Option<(u64, bool)>,
    steps: usize,
}

impl Importer for Openpocket {
    fn entry(&mut self, entry: &Value, builder: &mut Builder) {
        builder.time(entry.get("timestamp"));
        let message = entry.get("message").unwrap_or(&Value::Null);
        let data = entry.get("data").unwrap_or(&Value::Null);
        if let Some(kind) = text_at(message, "customType") {
            let text = text_of(message.get("content").unwrap_or(&Value::Null));
            self.log(kind, &text, message.get("details").unwrap_or(&Value::Null), entry, builder);
        } else if let Some(kind) = text_at(entry, "customType") {
            let text =
                ["content", "text"].iter().find_map(|name| data.get(name)).map(text_of).unwrap_or_default();
            self.log(kind, &text, data.get("details").unwrap_or(data), entry, builder);
        } else {
            self.message(message, entry, builder);
        }
    }
}

impl Openpocket {
    fn message(&mut self, message: &Value, entry: &Value, builder: &mut Builder) {
        let text = || text_of(message.get("content").unwrap_or(&Value::Null));
        match (text_at(message, "role"), text_at(message, "model")) {
            (Some("user"), _) => {
                self.step = None;
                openclaw::message(entry, builder);
            }
            (Some("assistant"), Some("session-bootstrap")) => builder.skip("session-bootstrap"),
            (Some("assistant"), Some("session-task-outcome")) => {
                let is_success = text_at(message, "stopReason") == Some("stop");
                finish(is_success, &text(), builder);
            }
            (Some("assistant"), Some("session-finalizer")) => {
                let text = text();
                let (head, said) = text.split_once("\n\n").unwrap_or((&text, ""));
                finish(
                    between(head, "status:", "\n").is_some_and(|status| status.trim() == "SUCCESS"),
                    said,
                    builder,
                );
            }
            _ => Openclaw.entry(entry, builder),
        }
    }

    fn log(&mut self, kind: &str, text: &str, details: &Value, entry: &Value, builder: &mut Builder) {
        match kind {
            "openpocket_session_meta" => {
                if let Some(model) = text_at(details, "modelName") {
                    builder.model(model);
                }
                builder.session(text_at(details, "sessionId"), None);
                builder.skip(kind);
            }
            "openpocket_step" => self.step(text, details, builder),
            "openpocket_action_trace" => self.trace(details, builder),
            "openpocket_event" => builder.notice(text_at(details, "eventType").unwrap_or("event"), text),
            _ => builder.foreign(&format!("custom/{kind}"), entry),
        }
    }

    /// A step with everything about it, or all but how it went.
    fn step(&mut self, text: &str, details: &Value, builder: &mut Builder) {
        let thought = between(text, "thought:\n", "\naction_json:\n").unwrap_or_default();
        let action = between(text, "action_json:\n", "\nexecution_result:\n").unwrap_or_default();
        let result = between(text, "execution_result:\n", "\u{0}").unwrap_or_default();
        let action = serde_json::from_str(action).unwrap_or_else(|_| json!({ "text": action }));
        let trace = details.get("trace").unwrap_or(&Value::Null);
        let number = details.get("stepNo").and_then(Value::as_u64);
        self.step = number.map(|number| (number, text_at(trace, "status").is_some()));
        self.record(number, thought, action, result, trace, builder);
    }

    /// Adds the result of a step; the whole step, if no entry told of it before.
    fn trace(&mut self, details: &Value, builder: &mut Builder) {
        let number = details.get("stepNo").and_then(Value::as_u64);
        match self.step {
            Some((last, was_told)) if Some(last) == number => {
                if !was_told {
                    complete(details, builder);
                }
                builder.skip("openpocket_action_trace");
            }
            _ => {
                let action = json!({ "type": text_at(details, "actionType") });
                let (thought, result) = (text_at(details, "reasoning"), text_at(details, "result"));
                self.record(
                    number,
                    thought.unwrap_or_default(),
                    action,
                    result.unwrap_or_default(),
                    details,
                    builder,
                );
            }
        }
    }

    fn record(
        &mut self,
        number: Option<u64>,
        thought: &str,
        action: Value,
        result: &str,
        trace: &Value,
        builder: &mut Builder,
    ) {
        self.steps += 1;
        let id = format!("step-{}", self.steps);
        let tool =
            text_at(&action, "type").or_else(|| text_at(trace, "actionType")).unwrap_or("unknown").to_owned();
        let step = PhoneStep {
            number: number.and_then(|number| u32::try_from(number).ok()),
            thought: Some(thought.trim())
                .filter(|thought| !thought.is_empty() && *thought != EMPTY)
                .map(str::to_owned),
            app: text_at(trace, "currentApp").filter(|app| *app != "unknown").map(str::to_owned),
            ui_target: ui_target(trace),
        };
        builder.call(&id, &tool, &action, Some(step));
        let ok = text_at(trace, "status").map_or(!result.starts_with(FAILED), |status| status == "ok");
        let ms = trace.get("durationMs").and_then(Value::as_u64);
        builder.result(&id, CallResult { ok, output: result.to_owned(), exit_code: None, ms });
        if tool == "request_human_auth" {
            let capability = text_at(&action, "capability").unwrap_or("unknown").to_owned();
            let answer = Some(result.trim()).filter(|answer| !answer.is_empty()).map(str::to_owned);
            builder.push(TraceEvent::HumanAuth { capability, answer });
        }
        for probe in probes(result) {
            builder.push(probe);
        }
    }
}

/// Adds to the last step what only its trace tells.
fn complete(details: &Value, builder: &mut Builder) {
    let lines = builder.lines_mut().iter_mut().rev();
    for line in lines {
        match &mut line.event {
            TraceEvent::ToolResult { ok, ms, .. } => {
                *ok = text_at(details, "status") != Some("error");
                *ms = details.get("durationMs").and_then(Value::as_u64);
            }
            TraceEvent::ToolCall { step, .. } => {
                let step = step.get_or_insert_default();
                step.app = text_at(details, "currentApp").filter(|app| *app != "unknown").map(str::to_owned);
                step.ui_target = ui_target(details);
                return;
            }
            TraceEvent::CapabilityProbe { .. } | TraceEvent::HumanAuth { .. } => {}
            _ => return,
        }
    }
}

/// The log says whether the task was done. It does not say what went wrong, nor apart from the message that the user
/// stopped it.
fn finish(is_success: bool, text: &str, builder: &mut Builder) {
    builder.answer(text);
    let lower = text.to_lowercase();
    if !is_success
        && ["stopped by", "cancelled", "canceled", "interrupted"].iter().any(|word| lower.contains(word))
    {
        builder.stopped();
        return builder.finished(Outcome::default());
    }
    let result = if is_success { OutcomeResult::Success } else { OutcomeResult::RuntimeError };
    let detail = (!is_success && !text.is_empty()).then(|| text.chars().take(200).collect());
    builder.finished(Outcome { result, by: OutcomeSource::Agent, detail, key: None });
}

fn ui_target(trace: &Value) -> Map<String, Value> {
    let context = trace.get("uiContext").and_then(Value::as_object);
    let lasting = context.into_iter().flatten().filter(|(name, _)| !FLEETING.contains(&name.as_str()));
    lasting.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The report of the watch over the phone's capabilities: `capability_probe count=1 camera/active pkg=… src=… conf=0.90`,
/// `human_auth_probe capability=camera status=approved`.
fn probes(result: &str) -> Vec<TraceEvent> {
    result.lines().flat_map(statements).filter_map(|words| probe(words.into_iter())).collect()
}

/// The parts of a line that begin with the name of a probe, wherever in the line they begin.
fn statements(line: &str) -> Vec<Vec<&str>> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    for word in line.split_whitespace() {
        let bare = word.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        if ["capability_probe", "human_auth_probe"].contains(&bare) {
            found.push(vec![bare]);
        } else if let Some(last) = found.last_mut() {
            last.push(word);
        }
    }
    found
}

fn probe<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<TraceEvent> {
    let kind = words.next()?;
    let (facts, others): (Vec<_>, Vec<_>) = words.partition(|word| word.contains('='));
    let facts = facts.iter().filter_map(|word| word.split_once('='));
    match kind {
        "capability_probe" => {
            let (capability, phase) = others.iter().find_map(|word| word.split_once('/'))?;
            let details = facts.map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
            Some(TraceEvent::CapabilityProbe { capability: capability.into(), phase: phase.into(), details })
        }
        "human_auth_probe" => {
            let facts: Map<String, Value> =
                facts.map(|(name, value)| (name.to_owned(), value.into())).collect();
            let fact = |name| facts.get(name).and_then(Value::as_str).map(str::to_owned);
            Some(TraceEvent::HumanAuth { capability: fact("capability")?, answer: fact("status") })
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "openpocket_tests.rs"]
mod tests;
