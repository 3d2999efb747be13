//! An answer while it comes.

use prowess_types::Usage;
use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::{ChatDelta, Reply, StopReason, ToolCall};

/// The size that a call counts beside its arguments, so that a flood of empty ones ends soon.
const CALL_WEIGHT: usize = 1024;

/// Gathers the pieces of an answer and passes them on.
pub(crate) struct Draft<'a> {
    on: &'a mut (dyn FnMut(ChatDelta) + Send),
    /// The length of the conversation: makes ids for calls that have none.
    turn: usize,
    text: String,
    thinking: String,
    pub(crate) calls: Vec<PartialCall>,
    stop: Option<StopReason>,
    complete: bool,
    weight: usize,
    pub(crate) tokens: Tokens,
}

/// A call whose arguments may still be coming.
#[derive(Default)]
pub(crate) struct PartialCall {
    /// The id of the API within this answer.
    pub(crate) index: Option<u64>,
    pub(crate) id: String,
    name: String,
    arguments: String,
    /// The endpoint said that it is whole.
    pub(crate) closed: bool,
}

/// The token usage that an endpoint counted.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tokens {
    /// Read, neither from the cache nor into it.
    pub(crate) fresh: u64,
    pub(crate) into_cache: u64,
    pub(crate) from_cache: u64,
    pub(crate) written: u64,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(on: &'a mut (dyn FnMut(ChatDelta) + Send), turn: usize) -> Self {
        Self {
            on,
            turn,
            text: String::new(),
            thinking: String::new(),
            calls: Vec::new(),
            stop: None,
            complete: false,
            weight: 0,
            tokens: Tokens::default(),
        }
    }

    pub(crate) fn add_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.weight += text.len();
            self.text.push_str(text);
            (self.on)(ChatDelta::Text(text.to_owned()));
        }
    }

    pub(crate) fn add_thinking(&mut self, text: &str) {
        if !text.is_empty() {
            self.weight += text.len();
            self.thinking.push_str(text);
            (self.on)(ChatDelta::Thinking(text.to_owned()));
        }
    }

    /// Begins a call; its place among the calls.
    pub(crate) fn begin_call(&mut self, index: Option<u64>) -> usize {
        self.weight += CALL_WEIGHT;
        self.calls.push(PartialCall { index, ..PartialCall::default() });
        self.calls.len() - 1
    }

    /// Says which tool a call is for. Only the first name counts: some servers repeat it with every piece.
    pub(crate) fn name_call(&mut self, place: usize, name: &str) {
        if let Some(call) = self.calls.get_mut(place)
            && call.name.is_empty()
            && !name.is_empty()
        {
            name.clone_into(&mut call.name);
            (self.on)(ChatDelta::Call { name: name.to_owned() });
        }
    }

    /// More of a call's arguments.
    pub(crate) fn add_arguments(&mut self, place: usize, arguments: &str) {
        if let Some(call) = self.calls.get_mut(place) {
            self.weight += arguments.len();
            call.arguments.push_str(arguments);
        }
    }

    /// The endpoint said why it stops.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        self.stop = Some(reason);
    }

    /// The endpoint said that nothing more comes.
    pub(crate) fn complete(&mut self) {
        self.complete = true;
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns true if it may end here: there was a reason to stop.
    pub(crate) fn may_end(&self) -> bool {
        self.complete || self.stop.is_some()
    }

    /// Returns true if anything of the answer came.
    pub(crate) fn has_begun(&self) -> bool {
        self.weight > 0
    }

    pub(crate) fn has_whole_call(&self) -> bool {
        self.calls.iter().any(PartialCall::is_whole)
    }

    /// Bytes of the answer so far, roughly.
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }

    pub(crate) fn into_reply(self) -> Result<Reply, Fault> {
        let mut calls: Vec<ToolCall> = Vec::with_capacity(self.calls.len());
        for (place, call) in self.calls.into_iter().enumerate() {
            if call.name.is_empty() {
                return Err(Fault::malformed("it calls a tool without a name"));
            }
            let is_taken = calls.iter().any(|earlier| earlier.id == call.id);
            let id =
                if call.id.is_empty() || is_taken { format!("call_{}_{place}", self.turn) } else { call.id };
            calls.push(ToolCall { id, name: call.name, input: input(call.arguments) });
        }
        let stop = match self.stop.unwrap_or_default() {
            // Not every server tells these two apart.
            StopReason::End | StopReason::Tools if calls.is_empty() => StopReason::End,
            StopReason::End => StopReason::Tools,
            stop => stop,
        };
        let Tokens { fresh, into_cache, from_cache, written } = self.tokens;
        let usage = Usage {
            input_tokens: fresh.saturating_add(into_cache).saturating_add(from_cache),
            output_tokens: written,
            cached_tokens: from_cache,
            requests: 1,
        };
        Ok(Reply { text: self.text, thinking: self.thinking, calls, stop, usage })
    }
}

impl PartialCall {
    pub(crate) fn is_whole(&self) -> bool {
        self.closed || parse_object(&self.arguments).is_some()
    }
}

fn parse_object(text: &str) -> Option<Value> {
    // Most pieces of arguments do not end an object, and parsing all of them each time would be quadratic.
    if !text.trim_end().ends_with('}') {
        return None;
    }
    serde_json::from_str(text).ok().filter(Value::is_object)
}

/// Arguments as a tool takes them. A call without any has an empty object.
fn input(arguments: String) -> Result<Value, String> {
    if arguments.trim().is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    parse_object(&arguments).ok_or(arguments)
}

/// A call's input as it is sent back to a model. Endpoints accept nothing but objects, so one that came malformed is
/// shown inside of one.
pub(crate) fn sent_input(call: &ToolCall) -> Value {
    let malformed = match &call.input {
        Ok(input) if input.is_object() => return input.clone(),
        Ok(other) => other.to_string(),
        Err(text) => text.clone(),
    };
    serde_json::json!({"malformed_arguments": malformed})
}
