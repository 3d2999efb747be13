//! A model's words as they come: redacted for whoever watches, kept in case they break off.

use prowess_model::Delta;
use prowess_types::TraceEvent;

use super::{TurnEvent, clean};
use crate::{Redactor, RunContext};

/// Bytes of one word that are held back before they are shown anyway.
const LONGEST_WORD: usize = 4096;

/// Listens to one reply.
pub(super) struct Listener<'a> {
    context: &'a RunContext,
    on: &'a mut (dyn FnMut(TurnEvent) + Send),
    text: Words<'a>,
    thinking: Words<'a>,
    heard: String,
}

impl<'a> Listener<'a> {
    pub(super) fn new(context: &'a RunContext, on: &'a mut (dyn FnMut(TurnEvent) + Send)) -> Self {
        let words = || Words { redactor: &context.redactor, held: String::new() };
        Self { context, on, text: words(), thinking: words(), heard: String::new() }
    }

    pub(super) fn hear(&mut self, delta: Delta) {
        match delta {
            Delta::Text(more) => {
                self.heard.push_str(&more);
                if let Some(words) = self.text.push(&more) {
                    (self.on)(TurnEvent::Text(words));
                }
            }
            Delta::Thinking(more) => {
                if let Some(words) = self.thinking.push(&more) {
                    (self.on)(TurnEvent::Thinking(words));
                }
            }
            Delta::Call { name } => {
                self.flush();
                (self.on)(TurnEvent::Calling { tool: self.context.redactor.redact(&name).into_owned() });
            }
            Delta::Retry { reason, after } => {
                self.text.held.clear();
                self.thinking.held.clear();
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
        if let Some(words) = self.thinking.rest() {
            (self.on)(TurnEvent::Thinking(words));
        }
        if let Some(words) = self.text.rest() {
            (self.on)(TurnEvent::Text(words));
        }
    }
}

/// Pieces of text made whole words again, since a secret may come in two pieces.
struct Words<'a> {
    redactor: &'a Redactor,
    held: String,
}

impl Words<'_> {
    /// The words that are complete now. Scripts without blanks break after every character.
    fn push(&mut self, more: &str) -> Option<String> {
        self.held.push_str(more);
        let breaks = |character: char| character.is_whitespace() || !character.is_ascii();
        let complete = match self.held.char_indices().rfind(|(_, character)| breaks(*character)) {
            Some((at, character)) => at + character.len_utf8(),
            None if self.held.len() > LONGEST_WORD => self.held.len(),
            None => return None,
        };
        let rest = self.held.split_off(complete);
        self.release(rest)
    }

    fn rest(&mut self) -> Option<String> {
        self.release(String::new())
    }

    fn release(&mut self, keep: String) -> Option<String> {
        let words = std::mem::replace(&mut self.held, keep);
        (!words.is_empty()).then(|| self.redactor.redact(&words).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use prowess_types::Secret;

    use super::*;

    fn shown(pieces: &[&str]) -> Vec<String> {
        let redactor = Redactor::new([&Secret::new("hunter2-hunter2")]);
        let mut words = Words { redactor: &redactor, held: String::new() };
        let mut shown: Vec<String> = pieces.iter().filter_map(|piece| words.push(piece)).collect();
        shown.extend(words.rest());
        shown
    }

    #[test]
    fn a_secret_in_two_pieces_is_not_shown() {
        assert_eq!(
            shown(&["the key is hun", "ter2-hun", "ter2, keep it"]),
            ["the key is ", "[redacted], keep ", "it"]
        );
    }

    #[test]
    fn scripts_without_blanks_still_flow() {
        assert_eq!(shown(&["天気", "は晴れ"]), ["天気", "は晴れ"]);
    }

    #[test]
    fn an_endless_word_is_not_held_for_ever() {
        assert_eq!(shown(&["x".repeat(LONGEST_WORD + 1).as_str(), "y"]).len(), 2);
    }
}
