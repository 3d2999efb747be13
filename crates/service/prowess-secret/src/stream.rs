//! Known secrets out of texts that come in pieces.

use crate::redact::{MASK, Redactor, join};

/// Redacts a text that comes in pieces: what may turn out to be the beginning of a secret waits for the next piece.
///
/// ```
/// use prowess_secret::{Redactor, StreamRedactor};
/// use prowess_types::Secret;
///
/// let mut stream = StreamRedactor::new(Redactor::new([&Secret::new("hunter2")]));
/// assert_eq!(stream.push("it is hun"), "it is ");
/// assert_eq!(stream.push("ter2, or hun"), "[redacted], or ");
/// assert_eq!(stream.finish(), "hun");
/// ```
#[derive(Clone, Debug, Default)]
pub struct StreamRedactor {
    redactor: Redactor,
    /// The text that is held back.
    pending: Waiting,
}

/// Text that was not handed out yet. It may be a secret, so it is not shown.
#[derive(Clone, Default)]
struct Waiting {
    text: String,
    /// The number of its bytes that belong to a secret whose mask was handed out already.
    covered: usize,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.text.len())
    }
}

impl StreamRedactor {
    /// One that redacts what `redactor` knows.
    pub fn new(redactor: Redactor) -> Self {
        Self { redactor, pending: Waiting::default() }
    }

    /// Takes the next piece and hands out what is safe to show.
    pub fn push(&mut self, piece: &str) -> String {
        let mut text = std::mem::take(&mut self.pending.text);
        text += piece;
        let held = self.redactor.held_back(&text);
        self.release(text, held)
    }

    /// Hands out what still waits, at the end of the text.
    pub fn finish(&mut self) -> String {
        let text = std::mem::take(&mut self.pending.text);
        let end = text.len();
        self.release(text, end)
    }

    /// Hands out the text up to `held`, and keeps the rest.
    fn release(&mut self, mut text: String, held: usize) -> String {
        let covered = std::mem::take(&mut self.pending.covered);
        let mut spans = self.redactor.spans(&text);
        if covered > 0 {
            spans.insert(0, 0..covered);
            spans = join(spans);
        }
        let mut clean = String::with_capacity(held);
        let mut end = 0;
        for span in &spans {
            if span.start >= held {
                break;
            }
            clean += &text[end..span.start];
            // The mask of what is covered is out already.
            if covered == 0 || span.start > 0 {
                clean += MASK;
            }
            end = span.end;
        }
        // Nothing may have been handed out; what was covered still is.
        let end = end.max(covered);
        clean += text.get(end..held).unwrap_or_default();
        self.pending.covered = end.saturating_sub(held);
        text.drain(..held);
        self.pending.text = text;
        clean
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
