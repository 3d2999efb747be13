//! A run told as events: `run` for our own clients, `agent` and `chat` for those of OpenClaw.
//!
//! Words come a few letters at a time; they are sent together, at most every [`PAUSE_MS`]. A `chat` or `agent` event
//! has the whole text so far, a `run` event only what is new.

use std::sync::Arc;

use prowess_agent::{RunProgress, RunReport, TurnEvent};
use prowess_types::Outcome;
use serde::Serialize;
use serde_json::{Value, json};

use crate::events::Event;
use crate::runs::RunStatus;
use crate::state::Gateway;

/// The time that text is buffered before it is sent.
const PAUSE_MS: u64 = 50;
/// Maximum length of a tool's answer in an event, in characters; the trace has more.
const MAX_OUTPUT: usize = 4_000;

/// What happened in a run, as the event `run` tells it.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum RunEvent<'a> {
    /// It waits for its session or its agent.
    Queued { message: &'a str },
    /// It begins; `run` is its name in the trace.
    Started { run: &'a str },
    /// More words of the answer.
    Text { delta: &'a str },
    /// More of what the model thinks aloud.
    Thinking { delta: &'a str },
    /// A tool starts, or asks whether it may.
    ToolStarted { id: &'a str, tool: &'a str, input: &'a Value },
    /// A tool answered.
    ToolEnded { id: &'a str, tool: &'a str, ok: bool, output: &'a str },
    /// A skill came into use.
    Skill { skill: &'a str },
    /// The model is asked again; the words of this answer do not count.
    Retry { reason: &'a str, after_ms: u64 },
    /// Something the user should know.
    Notice { text: &'a str },
    /// A tool waits for consent.
    Approval { id: &'a str, tool: &'a str, what: &'a str, expires_at_ms: u64 },
    /// It is over.
    Finished {
        status: RunStatus,
        outcome: Option<&'a Outcome>,
        error: Option<&'a str>,
        report: Option<&'a RunReport>,
    },
}

/// What every event of a run says.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ids {
    pub(crate) run_id: String,
    pub(crate) session: String,
    pub(crate) session_key: String,
    pub(crate) agent_id: String,
}

impl Ids {
    /// Sends it to all clients with the scope.
    pub(crate) fn publish(&self, gateway: &Gateway, event: &RunEvent<'_>) {
        let mut payload = json!(self);
        payload["ts"] = gateway.options.clock.now_ms().into();
        if let (Value::Object(payload), Value::Object(event)) = (&mut payload, json!(event)) {
            payload.extend(event);
        }
        gateway.events.publish(Event::new("run", payload));
    }
}

/// Tells one run.
pub(super) struct Narrator {
    gateway: Arc<Gateway>,
    ids: Ids,
    /// Counts the `agent` and `chat` events.
    seq: u64,
    /// All words so far.
    text: String,
    /// The offset at which the latest answer of the model begins.
    answer_at: usize,
    /// Text that was not sent yet.
    untold: String,
    told_ms: u64,
}

impl Narrator {
    pub(super) fn new(gateway: Arc<Gateway>, ids: Ids) -> Self {
        let (text, untold) = (String::new(), String::new());
        Self { gateway, ids, seq: 0, text, answer_at: 0, untold, told_ms: 0 }
    }

    /// Tells what happens.
    pub(super) fn tell(&mut self, progress: &RunProgress) {
        if let RunProgress::Turn(TurnEvent::Text(words)) = progress {
            self.text.push_str(words);
            self.untold.push_str(words);
            if self.gateway.options.clock.now_ms().saturating_sub(self.told_ms) >= PAUSE_MS {
                self.flush();
            }
            return;
        }
        self.flush();
        match progress {
            RunProgress::Started { run, .. } => {
                self.run(&RunEvent::Started { run: run.as_str() });
                let now = self.gateway.options.clock.now_ms();
                self.agent("lifecycle", json!({ "phase": "start", "startedAt": now }));
            }
            RunProgress::Notice(text) => self.run(&RunEvent::Notice { text }),
            RunProgress::Turn(event) => self.turn(event),
        }
    }

    fn turn(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Thinking(delta) => {
                self.run(&RunEvent::Thinking { delta });
                self.agent("thinking", json!({ "delta": delta }));
            }
            TurnEvent::ToolStarted { id, tool, input } => {
                self.run(&RunEvent::ToolStarted { id, tool, input });
                self.agent(
                    "tool",
                    json!({ "phase": "start", "name": tool, "toolCallId": id, "args": input }),
                );
            }
            TurnEvent::ToolEnded { id, tool, output } => {
                self.answer_at = self.text.len();
                let text: String = output.text.chars().take(MAX_OUTPUT).collect();
                self.run(&RunEvent::ToolEnded { id, tool, ok: output.ok, output: &text });
                let result = json!({
                    "phase": "result", "name": tool, "toolCallId": id, "isError": !output.ok, "result": text,
                });
                self.agent("tool", result);
            }
            TurnEvent::Activated { skill } => self.run(&RunEvent::Skill { skill }),
            TurnEvent::Retry { reason, after } => {
                self.text.truncate(self.answer_at);
                let after_ms = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
                self.run(&RunEvent::Retry { reason, after_ms });
            }
            TurnEvent::Trimmed => {
                self.run(&RunEvent::Notice { text: "the oldest part of the conversation was left out" });
            }
            TurnEvent::Text(_) | TurnEvent::Calling { .. } => {}
        }
    }

    /// Tells how it ended.
    pub(super) fn finish(&mut self, status: RunStatus, report: Option<&RunReport>, error: Option<&str>) {
        self.flush();
        let outcome = report.map(|report| &report.outcome);
        self.run(&RunEvent::Finished { status, outcome, error, report });
        let now = self.gateway.options.clock.now_ms();
        let text = report.map_or(self.text.as_str(), |report| &report.answer).to_owned();
        match status {
            RunStatus::Failed => {
                self.agent("lifecycle", json!({ "phase": "error", "endedAt": now, "error": error }));
                self.chat("error", None, error);
            }
            RunStatus::Aborted => {
                self.agent("lifecycle", json!({ "phase": "end", "endedAt": now, "aborted": true }));
                self.chat("aborted", Some(&text).filter(|text| !text.is_empty()), None);
            }
            _ => {
                self.agent("lifecycle", json!({ "phase": "end", "endedAt": now }));
                self.chat("final", Some(&text), None);
            }
        }
    }

    /// Tells the words that wait.
    fn flush(&mut self) {
        if self.untold.is_empty() {
            return;
        }
        let delta = std::mem::take(&mut self.untold);
        self.told_ms = self.gateway.options.clock.now_ms();
        self.run(&RunEvent::Text { delta: &delta });
        let text = self.text.clone();
        self.agent("assistant", json!({ "text": text, "delta": delta }));
        self.chat("delta", Some(&text), None);
    }

    fn run(&self, event: &RunEvent<'_>) {
        self.ids.publish(&self.gateway, event);
    }

    fn agent(&mut self, stream: &str, data: Value) {
        self.seq += 1;
        let payload = json!({
            "runId": self.ids.run_id, "sessionKey": self.ids.session_key, "agentId": self.ids.agent_id,
            "seq": self.seq, "stream": stream, "ts": self.gateway.options.clock.now_ms(), "data": data,
        });
        self.gateway.events.publish(Event::new("agent", payload));
    }

    fn chat(&mut self, state: &str, text: Option<&String>, error: Option<&str>) {
        self.seq += 1;
        let now = self.gateway.options.clock.now_ms();
        let mut payload = json!({
            "runId": self.ids.run_id, "sessionKey": self.ids.session_key, "seq": self.seq, "state": state,
        });
        if let Some(text) = text {
            let content = json!([{ "type": "text", "text": text }]);
            payload["message"] = json!({ "role": "assistant", "content": content, "timestamp": now });
        }
        if let Some(error) = error {
            payload["errorMessage"] = error.into();
        }
        self.gateway.events.publish(Event::new("chat", payload));
    }
}
