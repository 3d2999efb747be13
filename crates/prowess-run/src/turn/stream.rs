//! A model's words as they come: redacted for whoever watches, kept in case they break off.

use prowess_model::Delta;
use prowess_types::TraceEvent;

use super::check::sendable_name;
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
        let words = || Words::new(&context.redactor);
        Self { context, on, text: words(), thinking: words(), heard: String::new() }
    }

    pub(super) fn hear(&mut self, delta: Delta) {
        match delta {
            Delta::Text(more) => {
                self.heard.push_str(&more);
                let words = self.text.push(&more);
                self.show(TurnEvent::Text, words);
            }
            Delta::Thinking(more) => {
                let words = self.thinking.push(&more);
                self.show(TurnEvent::Thinking, words);
            }
            Delta::Call { name } => {
                self.flush();
                let tool = sendable_name(&self.context.redactor.redact(&name));
                (self.on)(TurnEvent::Calling { tool });
            }
            Delta::Retry { reason, after } => {
                self.text = Words::new(&self.context.redactor);
                self.thinking = Words::new(&self.context.redactor);
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

/// Pieces of text made whole words again, since a secret may come in two pieces.
struct Words<'a> {
    redactor: &'a Redactor,
    held: String,
}

impl<'a> Words<'a> {
    fn new(redactor: &'a Redactor) -> Self {
        Self { redactor, held: String::new() }
    }

    /// Takes the next piece and gives the words that are complete. Scripts without blanks break after every
    /// character.
    fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let breaks = |character: char| character.is_whitespace() || !character.is_ascii();
        let complete = match self.held.char_indices().rfind(|(_, character)| breaks(*character)) {
            Some((at, character)) => at + character.len_utf8(),
            None if self.held.len() > LONGEST_WORD => self.held.len(),
            None => 0,
        };
        let rest = self.held.split_off(complete);
        let words = std::mem::replace(&mut self.held, rest);
        self.redactor.redact(&words).into_owned()
    }

    /// Gives what still waits.
    fn finish(&mut self) -> String {
        self.redactor.redact(&std::mem::take(&mut self.held)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use prowess_types::Secret;

    use super::*;

    fn shown(pieces: &[&str]) -> Vec<String> {
        let redactor = Redactor::new([&Secret::new("hunter2-hunter2")]);
        let mut words = Words::new(&redactor);
        let mut shown: Vec<String> = pieces.iter().map(|piece| words.push(piece)).collect();
        shown.push(words.finish());
        shown.retain(|words| !words.is_empty());
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
