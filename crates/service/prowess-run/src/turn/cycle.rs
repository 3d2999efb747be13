//! Ask, carry out, ask again.

use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use prowess_model::{Message, ModelError, Reply, Request, StopReason, ToolCall, ToolSpec};
use prowess_types::{Outcome, OutcomeSource, TraceEvent, Usage};
use serde_json::{Map, Value};

use super::activation::READ;
use super::call::{Performed, STOPPED, content, perform, record_call, shown_name};
use super::ids::CallIds;
use super::stream::Listener;
use super::{
    Turn, TurnEnd, TurnError, TurnEvent, TurnReport, check, clean, fit, history, skill_search, spawn,
};
use crate::{RunContext, ToolOutput};

/// How many calls of one reply are carried out.
pub const MAX_CALLS: usize = 64;
/// How many replies without a single well-formed call end a run.
const MAX_MALFORMED: u32 = 3;
/// The maximum number of calls at the same time.
const AT_ONCE: usize = 8;
/// Tools that change nothing another call of the same reply could see, and sub-agents, which are meant to work side
/// by side. All others go one after the other, in the order of the reply.
const SIDE_BY_SIDE: [&str; 3] = [READ, skill_search::NAME, spawn::NAME];

/// Answers a message: asks the model, carries out what it calls, and goes on until the model is done, the run is
/// stopped or something ends it.
///
/// One [`RunContext`] is for one turn. The events go to `context.record`, all but the beginning and the end of the
/// run; what a watcher may want to show goes to `on`.
pub async fn run_turn(turn: Turn<'_>, on: &mut (dyn FnMut(TurnEvent) + Send)) -> TurnReport {
    let context = turn.context;
    let redact = |text: &str| context.redactor.redact(text).into_owned();
    let mut messages: Vec<Message> = turn.history.iter().map(|message| redacted(context, message)).collect();
    let past = messages.len();
    let ids = CallIds::after(&messages);
    messages.push(Message::User(history::some_text(&redact(&turn.message))));
    let system = redact(turn.system);
    let specs = turn.tools.specs().into_iter().map(|spec| redacted_spec(context, spec)).collect();
    let mut cycle = Cycle {
        turn,
        system,
        specs,
        messages,
        past,
        ids,
        usage: Usage::default(),
        answer: String::new(),
        on,
    };
    let end = cycle.run().await;
    let mut outcome = context.state.reported_outcome().unwrap_or_default();
    if let TurnEnd::Failed(error) = &end {
        let text = clean::trace_text(&context.redactor, &error.to_string());
        (context.record)(TraceEvent::Notice { kind: "failed".to_owned(), text: text.clone() });
        if outcome.by == OutcomeSource::Nobody {
            outcome = Outcome {
                result: error.result(),
                by: OutcomeSource::Classifier,
                detail: Some(text),
                key: None,
            };
        }
    }
    history::close(&mut cycle.messages);
    cycle.usage += context.state.usage_of_children();
    TurnReport { answer: cycle.answer, end, outcome, usage: cycle.usage, conversation: cycle.messages }
}

struct Cycle<'a> {
    turn: Turn<'a>,
    system: String,
    specs: Vec<ToolSpec>,
    messages: Vec<Message>,
    /// How many of the messages are from before this turn.
    past: usize,
    ids: CallIds,
    usage: Usage,
    answer: String,
    on: &'a mut (dyn FnMut(TurnEvent) + Send),
}

impl Cycle<'_> {
    async fn run(&mut self) -> TurnEnd {
        let mut malformed = 0;
        loop {
            let reply = match self.ask_within_room().await {
                Ok(reply) => reply,
                Err(end) => return end,
            };
            let calls = self.keep(&reply);
            if calls.is_empty() {
                return match reply.stop {
                    StopReason::Refusal => TurnEnd::Refused,
                    StopReason::Length => TurnEnd::CutOff,
                    StopReason::End | StopReason::Tools => TurnEnd::Finished,
                };
            }
            self.carry_out(&calls).await;
            if self.turn.context.cancel.is_cancelled() {
                return TurnEnd::Stopped;
            }
            let is_malformed = calls.iter().all(|call| check::check(self.turn.tools, call).is_err());
            malformed = if is_malformed { malformed + 1 } else { 0 };
            if malformed == MAX_MALFORMED {
                return TurnEnd::Failed(TurnError::Malformed(malformed));
            }
        }
    }

    /// Asks; if the conversation is too long for the model, leaves old parts out and asks once more.
    async fn ask_within_room(&mut self) -> Result<Reply, TurnEnd> {
        match self.ask().await {
            Err(TurnEnd::Failed(TurnError::Model(error))) if fit::is_overflow(&error) => {
                let Some(past) = fit::make_room(&mut self.messages, self.past) else {
                    return Err(TurnEnd::Failed(error.into()));
                };
                self.past = past;
                let text = "the conversation was too long for the model: its oldest part was left out";
                clean::notice(self.turn.context, "trimmed", text);
                (self.on)(TurnEvent::Trimmed);
                self.ask().await
            }
            other => other,
        }
    }

    async fn ask(&mut self) -> Result<Reply, TurnEnd> {
        let context = self.turn.context;
        if context.cancel.is_cancelled() {
            return Err(TurnEnd::Stopped);
        }
        let max = context.limits.max_requests;
        if !context.state.take_request(max) {
            return Err(TurnEnd::Failed(TurnError::Requests(max)));
        }
        let request = Request { system: &self.system, messages: &self.messages, tools: &self.specs };
        let mut listener = Listener::new(context, self.on);
        let asked = {
            let mut hear = |delta| listener.hear(delta);
            tokio::select! {
                biased;
                () = context.cancel.cancelled() => None,
                reply = self.turn.model.reply(request, &mut hear) => Some(reply),
            }
        };
        let heard = listener.finish();
        self.count(asked.as_ref());
        match asked {
            Some(Ok(reply)) => Ok(reply),
            Some(Err(error)) => {
                self.say(&heard, Vec::new());
                Err(TurnEnd::Failed(error.into()))
            }
            None => {
                self.say(&heard, Vec::new());
                Err(TurnEnd::Stopped)
            }
        }
    }

    /// A request counts even if nothing came of it.
    fn count(&mut self, asked: Option<&Result<Reply, ModelError>>) {
        let mut usage = match asked {
            Some(Ok(reply)) => reply.usage,
            _ => Usage::default(),
        };
        usage.requests = usage.requests.max(1);
        self.usage += usage;
    }

    /// Takes a reply into the conversation and the trace, and gives its calls.
    fn keep(&mut self, reply: &Reply) -> Vec<ToolCall> {
        let context = self.turn.context;
        if !reply.thinking.trim().is_empty() {
            let text = clean::trace_text(&context.redactor, &reply.thinking);
            (context.record)(TraceEvent::Thought { text });
        }
        // What a model that declines has begun to call is not meant to happen.
        let calls = if reply.stop == StopReason::Refusal { &[] } else { reply.calls.as_slice() };
        let calls: Vec<ToolCall> =
            calls.iter().map(|call| ToolCall { id: self.ids.claim(&call.id), ..call.clone() }).collect();
        self.say(&reply.text, calls.iter().map(|call| sendable(context, call)).collect());
        for call in &calls {
            record_call(context, call);
        }
        calls
    }

    fn say(&mut self, text: &str, calls: Vec<ToolCall>) {
        let context = self.turn.context;
        let is_blank = text.trim().is_empty();
        let text = if is_blank { String::new() } else { context.redactor.redact(text).into_owned() };
        if !is_blank {
            (context.record)(TraceEvent::Answer { text: clean::trace_text(&context.redactor, &text) });
            self.answer.clone_from(&text);
        }
        if !is_blank || !calls.is_empty() {
            self.messages.push(Message::Assistant { text, calls });
        }
    }

    /// Carries out the calls of a reply: those that may go side by side in groups, the others in their order.
    async fn carry_out(&mut self, calls: &[ToolCall]) {
        let is_alone = |call: &ToolCall| !SIDE_BY_SIDE.contains(&call.name.as_str());
        let groups = calls.chunk_by(|one, next| !is_alone(one) && !is_alone(next));
        let mut before = 0;
        for group in groups {
            let allowed = MAX_CALLS.saturating_sub(before).min(group.len());
            let mut results = self.carry_out_group(&group[..allowed]).await;
            results.extend(group[allowed..].iter().map(|call| self.refuse_surplus(call)));
            before += group.len();
            self.messages.extend(group.iter().zip(results).map(|(call, output)| Message::Tool {
                call_id: call.id.clone(),
                content: content(&output.text, output.ok, output.exit_code),
                is_error: !output.ok,
            }));
        }
    }

    async fn carry_out_group(&mut self, calls: &[ToolCall]) -> Vec<ToolOutput> {
        let (tools, context) = (self.turn.tools, self.turn.context);
        for call in calls {
            (self.on)(TurnEvent::ToolStarted {
                id: call.id.clone(),
                tool: shown_name(context, call),
                input: call
                    .input
                    .as_ref()
                    .map_or(Value::Null, |input| clean::trace_input(&context.redactor, input)),
            });
        }
        let mut outputs = vec![ToolOutput::failed(STOPPED); calls.len()];
        let mut performing: Vec<BoxFuture<'_, (usize, Performed)>> = Vec::with_capacity(calls.len());
        for (index, call) in calls.iter().enumerate() {
            performing.push(async move { (index, perform(tools, context, call).await) }.boxed());
        }
        let mut performed = stream::iter(performing).buffer_unordered(AT_ONCE);
        while let Some((index, Performed { output, activated })) = performed.next().await {
            let call = &calls[index];
            (self.on)(TurnEvent::ToolEnded {
                id: call.id.clone(),
                tool: shown_name(context, call),
                output: output.clone(),
            });
            if let Some(skill) = activated {
                (self.on)(TurnEvent::Activated { skill });
            }
            outputs[index] = output;
        }
        outputs
    }

    fn refuse_surplus(&self, call: &ToolCall) -> ToolOutput {
        let text = format!("not done: more than {MAX_CALLS} calls in one reply");
        (self.turn.context.record)(TraceEvent::ToolResult {
            id: call.id.clone(),
            ok: false,
            output: text.clone(),
            omitted_bytes: 0,
            exit_code: None,
            ms: None,
        });
        ToolOutput::failed(text)
    }
}

/// A call as it may stand in a conversation: redacted, and in a form that APIs take back. What was wrong with a
/// malformed one is in its result.
fn sendable(context: &RunContext, call: &ToolCall) -> ToolCall {
    let input = match &call.input {
        Ok(input) if input.is_object() => clean::redact_value(&context.redactor, input),
        _ => Value::Object(Map::new()),
    };
    ToolCall { id: call.id.clone(), name: shown_name(context, call), input: Ok(input) }
}

/// What a server says about its tools is a text like any other.
fn redacted_spec(context: &RunContext, spec: ToolSpec) -> ToolSpec {
    ToolSpec {
        description: context.redactor.redact(&spec.description).into_owned(),
        input: clean::redact_value(&context.redactor, &spec.input),
        name: spec.name,
    }
}

fn redacted(context: &RunContext, message: &Message) -> Message {
    let redact = |text: &str| context.redactor.redact(text).into_owned();
    match message {
        Message::User(text) => Message::User(redact(text)),
        Message::Assistant { text, calls } => Message::Assistant {
            text: redact(text),
            calls: calls.iter().map(|call| sendable(context, call)).collect(),
        },
        Message::Tool { call_id, content, is_error } => {
            Message::Tool { call_id: call_id.clone(), content: redact(content), is_error: *is_error }
        }
    }
}

#[cfg(test)]
#[path = "cycle_tests.rs"]
mod tests;
