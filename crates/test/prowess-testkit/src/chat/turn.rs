//! What a request is answered with.

use serde_json::{Value, json};

use super::Received;

/// The answer to one request.
pub struct Turn(pub(super) Kind);

pub(super) enum Kind {
    Spoken(Spoken),
    Raw(Raw),
    Silent,
    HangUp,
    Endless,
    Computed(Box<dyn FnOnce(&Received) -> Turn + Send>),
}

/// Words, thoughts and calls, and how they come.
pub(super) struct Spoken {
    pub(super) parts: Vec<Part>,
    pub(super) stop: Option<Stop>,
    pub(super) usage: Tokens,
    pub(super) delivery: Delivery,
}

pub(super) enum Part {
    Text(String),
    Thinking(String),
    Call { tool: String, arguments: String },
}

pub(super) struct Raw {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

/// Tokens as a provider counts them.
#[derive(Clone, Copy)]
pub(super) struct Tokens {
    /// All of the input, cached or not.
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cached: u64,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Delivery {
    Streamed,
    Whole,
    Dropped(usize),
    Stalled(usize),
    Endless,
}

/// An answer as events of its API: `pieces` are what the words are broken into.
#[derive(Default)]
pub(super) struct Events {
    pub(super) opening: Vec<String>,
    pub(super) pieces: Vec<String>,
    pub(super) closing: Vec<String>,
}

/// Why an answer ends, if not because it is finished or waits for tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It got too long.
    Length,
    /// The model or its provider declined.
    Refusal,
}

impl Turn {
    /// Words, streamed a few characters at a time.
    pub fn say(text: &str) -> Self {
        Self::of(Part::Text(text.to_owned()))
    }

    /// Thinking aloud.
    pub fn think(text: &str) -> Self {
        Self::of(Part::Thinking(text.to_owned()))
    }

    /// A tool call, its input streamed a few characters at a time.
    pub fn call(tool: &str, input: Value) -> Self {
        Self::of(Part::Call { tool: tool.to_owned(), arguments: input.to_string() })
    }

    /// A tool call whose arguments are this text, JSON or not.
    pub fn malformed(tool: &str, arguments: &str) -> Self {
        Self::of(Part::Call { tool: tool.to_owned(), arguments: arguments.to_owned() })
    }

    fn of(part: Part) -> Self {
        Self(Kind::Spoken(Spoken {
            parts: vec![part],
            stop: None,
            usage: Tokens { input: 100, output: 20, cached: 40 },
            delivery: Delivery::Streamed,
        }))
    }

    /// Says, thinks or calls this too, in the same answer.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let Kind::Spoken(other) = other.0 else { panic!("only words, thoughts and calls can be joined") };
        self.with(|spoken| spoken.parts.extend(other.parts))
    }

    /// Ends for this reason.
    #[must_use]
    pub fn stop(self, stop: Stop) -> Self {
        self.with(|spoken| spoken.stop = Some(stop))
    }

    /// Claims to have used so many tokens; without it, 100 of which 40 were cached, and 20 written.
    #[must_use]
    pub fn usage(self, input: u64, output: u64, cached: u64) -> Self {
        self.with(|spoken| spoken.usage = Tokens { input, output, cached })
    }

    /// Answers with one JSON document although a stream was asked for.
    #[must_use]
    pub fn whole(self) -> Self {
        self.with(|spoken| spoken.delivery = Delivery::Whole)
    }

    /// Closes the connection after so many pieces.
    #[must_use]
    pub fn dropped_after(self, pieces: usize) -> Self {
        self.with(|spoken| spoken.delivery = Delivery::Dropped(pieces))
    }

    /// Falls silent after so many pieces and leaves the connection open.
    #[must_use]
    pub fn stalled_after(self, pieces: usize) -> Self {
        self.with(|spoken| spoken.delivery = Delivery::Stalled(pieces))
    }

    fn with(mut self, change: impl FnOnce(&mut Spoken)) -> Self {
        let Kind::Spoken(spoken) = &mut self.0 else { panic!("only words, thoughts and calls have this") };
        change(spoken);
        self
    }

    /// This status and no body; see [`Turn::header`] and [`Turn::body`].
    pub fn status(status: u16) -> Self {
        Self(Kind::Raw(Raw { status, headers: Vec::new(), body: String::new() }))
    }

    /// A status with an error as both APIs write it.
    pub fn refusal(status: u16, message: &str) -> Self {
        Self::status(status).body(&Self::error_body("scripted_error", message))
    }

    /// These bytes as an event stream, for the quirks of real servers.
    pub fn verbatim(stream: &str) -> Self {
        Self::status(200).header("content-type", "text/event-stream").body(stream)
    }

    /// Sends this header too; only after [`Turn::status`].
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        self.with_raw(|raw| raw.headers.push((name.to_owned(), value.to_owned())))
    }

    /// Sends this body; only after [`Turn::status`].
    #[must_use]
    pub fn body(self, body: &str) -> Self {
        self.with_raw(|raw| body.clone_into(&mut raw.body))
    }

    fn with_raw(mut self, change: impl FnOnce(&mut Raw)) -> Self {
        let Kind::Raw(raw) = &mut self.0 else {
            panic!("only answers with a status have headers and a body")
        };
        change(raw);
        self
    }

    /// Words without end.
    pub fn endless() -> Self {
        Self(Kind::Endless)
    }

    /// Takes the request and says nothing at all, not even a status.
    pub fn silent() -> Self {
        Self(Kind::Silent)
    }

    /// Takes the request and closes the connection without an answer.
    pub fn hang_up() -> Self {
        Self(Kind::HangUp)
    }

    /// Looks at the request first.
    pub fn answer(answer: impl FnOnce(&Received) -> Self + Send + 'static) -> Self {
        Self(Kind::Computed(Box::new(answer)))
    }

    pub(super) fn error_body(kind: &str, message: &str) -> String {
        json!({"type": "error", "error": {"type": kind, "message": message}}).to_string()
    }
}

impl Spoken {
    pub(super) fn endless() -> Self {
        let Kind::Spoken(spoken) = Turn::say("na na na ").0 else { unreachable!("words are spoken") };
        Self { delivery: Delivery::Endless, ..spoken }
    }

    pub(super) fn has_calls(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Call { .. }))
    }

    /// All words, or all thoughts.
    pub(super) fn joined(&self, wanted: impl Fn(&Part) -> Option<&str>) -> String {
        self.parts.iter().filter_map(wanted).collect()
    }
}

/// A text a few characters at a time.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(3).map(|piece| piece.iter().collect()).collect::<Vec<String>>().into_iter()
}
