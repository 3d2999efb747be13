//! A model's words as they come: redacted for whoever watches, kept in case they break off.

use prowess_model::ChatDelta;
use prowess_types::TraceEvent;

use super::check::sendable_name;
use super::{TurnEvent, clean};
use crate::RunContext;
use prowess_secret::StreamRedactor;

/// Listens to one reply.
pub(super) struct Listener<'a> {
    context: &'a RunContext,
    on: &'a mut (dyn FnMut(TurnEvent) + Send),
    text: StreamRedactor,
    thinking: StreamRedactor,
    heard: String,
}

impl<'a> Listener<'a> {
    pub(super) fn new(context: &'a RunContext, on: &'a mut (dyn FnMut(TurnEvent) + Send)) -> Self {
        let words = || StreamRedactor::new(context.redactor.clone());
        Self { context, on, text: words(), thinking: words(), heard: String::new() }
    }

    pub(super) fn hear(&mut self, delta: ChatDelta) {
        match delta {
            ChatDelta::Text(more) => {
                self.heard.push_str(&more);
                let words = self.text.push(&more);
                self.show(TurnEvent::Text, words);
            }
            ChatDelta::Thinking(more) => {
                let words = self.thinking.push(&more);
                self.show(TurnEvent::Thinking, words);
            }
            ChatDelta::Call { name } => {
                self.flush();
                let tool = sendable_name(&self.context.redactor.redact(&name));
                (self.on)(TurnEvent::Calling { tool });
            }
            ChatDelta::Retry { reason, after } => {
                self.text = StreamRedactor::new(self.context.redactor.clone());
                self.thinking = StreamRedactor::new(self.context.redactor.clone());
                self.heard.clear();
                let reason = clean::trace_text(&self.context.redactor, &reason);
                let text = format!("asked again after {} ms: {reason}", after.as_millis());
                (self.context.record)(TraceEvent::Notice { kind: "retry".to_owned(), text });
                (self.on)(TurnEvent::Retry { reason, after });
            }
        }
    }

    /// Shows what was held back, and gives everything that was heard.
    pub(super) fn finish(mut self) -> String {
        self.flush();
        self.heard
    }

    fn flush(&mut self) {
        let (thinking, text) = (self.thinking.finish(), self.text.finish());
        self.show(TurnEvent::Thinking, thinking);
        self.show(TurnEvent::Text, text);
    }

    fn show(&mut self, event: impl FnOnce(String) -> TurnEvent, words: String) {
        if !words.is_empty() {
            (self.on)(event(words));
        }
    }
}
