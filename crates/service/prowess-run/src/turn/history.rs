//! A conversation rebuilt from its trace.

use std::collections::{BTreeMap, BTreeSet};

use prowess_model::{Message, ToolCall};
use prowess_types::{TraceEvent, TraceLine};
use serde_json::{Map, Value};

use super::call::content;
use super::check::sendable_name;
use super::ids::CallIds;

/// What stands for the answer of an exchange that has none.
const NO_ANSWER: &str = "(no answer: the run ended here)";
/// What stands for the result of a call that has none.
const INTERRUPTED: &str = "this call was interrupted; whether it had an effect is not known";

/// The conversation of a session: what was said, what was called, what came of it. Sub-agents are left out; of
/// them the conversation has their result.
///
/// Whatever the trace looks like, APIs take the conversation: it is a row of exchanges, each of which begins with the
/// user's words and ends with the model's, every call has one result right after it, ids are unique. An interrupted
/// call gets a result that says so. What stands before the first message of a user is dropped.
pub fn history(lines: &[TraceLine]) -> Vec<Message> {
    history_as_sent(lines, |_| None)
}

/// Like [`history`], with the user's messages as they were sent: `sent` gives that of a run, if it is known.
///
/// A request then begins with the bytes of the request before it, which endpoints keep in their caches.
pub fn history_as_sent(lines: &[TraceLine], sent: impl Fn(&str) -> Option<String>) -> Vec<Message> {
    let sub_agents: BTreeSet<&str> =
        lines.iter().filter(|line| starts_sub_agent(&line.event)).map(run_of).collect();
    let mut order: Vec<&str> = Vec::new();
    let mut runs: BTreeMap<&str, Vec<&TraceEvent>> = BTreeMap::new();
    for line in lines.iter().filter(|line| !sub_agents.contains(run_of(line))) {
        let run = run_of(line);
        runs.entry(run)
            .or_insert_with(|| {
                order.push(run);
                Vec::new()
            })
            .push(&line.event);
    }
    let mut rebuilt = Rebuilt::default();
    for (run, events) in order.iter().filter_map(|run| Some((run, runs.get(run)?))) {
        for event in events {
            match event {
                TraceEvent::RunStarted { message, .. } => {
                    rebuilt.start_exchange(&sent(run).unwrap_or_else(|| message.clone()));
                }
                event => rebuilt.take(event),
            }
        }
    }
    rebuilt.end_exchange();
    rebuilt.messages
}

/// Ends the last exchange if the model did not.
pub(super) fn close(messages: &mut Vec<Message>) {
    let is_open = match messages.last() {
        Some(Message::Assistant { calls, .. }) => !calls.is_empty(),
        Some(_) => true,
        None => false,
    };
    if is_open {
        messages.push(Message::Assistant { text: NO_ANSWER.to_owned(), calls: Vec::new() });
    }
}

/// A message that is not empty: APIs refuse an empty one.
pub(super) fn some_text(text: &str) -> String {
    if text.trim().is_empty() { "(no text)".to_owned() } else { text.to_owned() }
}

fn run_of(line: &TraceLine) -> &str {
    &line.run
}

fn starts_sub_agent(event: &TraceEvent) -> bool {
    matches!(event, TraceEvent::RunStarted { parent: Some(_), .. })
}

#[derive(Default)]
struct Rebuilt {
    messages: Vec<Message>,
    ids: CallIds,
    reply: Said,
}

/// One reply of the model, and the results of its calls by the ids in the trace.
#[derive(Default)]
struct Said {
    text: String,
    calls: Vec<(String, ToolCall)>,
    results: BTreeMap<String, (String, bool)>,
}

impl Said {
    fn calls_for(&self, id: &str) -> bool {
        self.calls.iter().any(|(told, _)| told == id)
    }
}

impl Rebuilt {
    fn start_exchange(&mut self, message: &str) {
        self.end_exchange();
        self.messages.push(Message::User(some_text(message)));
    }

    fn take(&mut self, event: &TraceEvent) {
        match event {
            TraceEvent::Answer { text } if !text.trim().is_empty() => {
                self.end_reply_if_answered();
                if !self.reply.text.is_empty() {
                    self.reply.text.push_str("\n\n");
                }
                self.reply.text.push_str(text);
            }
            TraceEvent::ToolCall { id, tool, input, .. } => {
                self.end_reply_if_answered();
                let input = if input.is_object() { input.clone() } else { Value::Object(Map::new()) };
                let call = ToolCall { id: self.ids.claim(id), name: sendable_name(tool), input: Ok(input) };
                self.reply.calls.push((id.clone(), call));
            }
            TraceEvent::ToolResult { id, ok, output, exit_code, .. } if self.reply.calls_for(id) => {
                let result = (content(output, *ok, *exit_code), *ok);
                self.reply.results.entry(id.clone()).or_insert(result);
            }
            _ => {}
        }
    }

    /// Results come after all calls of a reply, so what follows them is the next reply.
    fn end_reply_if_answered(&mut self) {
        if !self.reply.results.is_empty() {
            self.end_reply();
        }
    }

    fn end_reply(&mut self) {
        let Said { text, calls, mut results } = std::mem::take(&mut self.reply);
        if self.messages.is_empty() || (text.is_empty() && calls.is_empty()) {
            return;
        }
        let (told, calls): (Vec<String>, Vec<ToolCall>) = calls.into_iter().unzip();
        let answers: Vec<Message> = told
            .iter()
            .zip(&calls)
            .map(|(told, call)| {
                let (content, ok) = results.remove(told).unwrap_or_else(|| (INTERRUPTED.to_owned(), false));
                Message::Tool { call_id: call.id.clone(), content, is_error: !ok }
            })
            .collect();
        self.messages.push(Message::Assistant { text, calls });
        self.messages.extend(answers);
    }

    fn end_exchange(&mut self) {
        self.end_reply();
        close(&mut self.messages);
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
