//! A chat server that follows a script: real TCP, real HTTP, real streaming, both APIs.
//!
//! The script says what each request is answered with, in order. The API is told by the path
//! (`…/chat/completions` or `…/messages`), so one script serves both. A request that a real provider would refuse
//! (an unanswered tool call, roles that do not alternate) is refused with status 400.
//!
//! ```
//! use prowess_testkit::chat::{ChatServer, Turn};
//! use serde_json::json;
//!
//! let server = ChatServer::start(vec![
//!     Turn::think("a shell will know").and(Turn::call("exec", json!({"command": "date"}))),
//!     Turn::answer(|request| Turn::say(&format!("It says {}.", request.tool_results()[0].1))),
//!     Turn::status(429).header("retry-after", "1").body(r#"{"error":{"message":"slow down"}}"#),
//!     Turn::say("Here I am ag").dropped_after(2),
//! ]);
//! // Point a model at `server.url()`, let it talk, and look at what it asked:
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! assert!(server.requests().is_empty());
//! ```

mod anthropic;
mod contract;
mod http;
mod open_ai;
mod received;
mod turn;

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader};
use std::net::TcpStream;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

pub use self::received::{Api, Received};
use self::turn::{Delivery, Kind, Spoken};
pub use self::turn::{Stop, Turn};
use crate::listener::Listener;

/// A chat server on a port of its own; it ends when dropped.
///
/// A script that panics, perhaps because it asserts something about a request, answers with status 400 and fails the
/// test when the server is dropped.
pub struct ChatServer {
    listener: Listener,
    shared: Arc<Shared>,
}

struct Shared {
    script: Mutex<Script>,
    seen: Mutex<Seen>,
    changed: Condvar,
}

enum Script {
    List(VecDeque<Turn>),
    Every(Box<dyn FnMut(&Received) -> Turn + Send>),
}

#[derive(Default)]
struct Seen {
    requests: Vec<Received>,
    hang_ups: usize,
    script_panicked: bool,
}

/// What becomes of a connection after an answer.
#[derive(PartialEq)]
enum After {
    Keep,
    Close,
    HungUp,
}

impl ChatServer {
    /// Answers the first request with the first turn, and so on. A request too many gets a status 400.
    pub fn start(script: Vec<Turn>) -> Self {
        Self::run(Script::List(script.into()))
    }

    /// Answers every request by a function: for conversations that run side by side.
    pub fn answering(answer: impl FnMut(&Received) -> Turn + Send + 'static) -> Self {
        Self::run(Script::Every(Box::new(answer)))
    }

    fn run(script: Script) -> Self {
        let script = Mutex::new(script);
        let shared = Arc::new(Shared { script, seen: Mutex::default(), changed: Condvar::new() });
        let listener = Listener::start({
            let shared = Arc::clone(&shared);
            // A client that went away is no fault of the server; what matters was counted.
            move |stream, _| drop(shared.serve(stream))
        });
        Self { listener, shared }
    }

    /// The address to give to a model, without a path: `http://127.0.0.1:49152`.
    pub fn url(&self) -> String {
        format!("http://{}", self.listener.address())
    }

    /// The members of a config, in JSON5 and without braces, that make this server the model of every agent.
    pub fn settings(&self) -> String {
        format!(
            "agents: {{defaults: {{model: 'test/scripted'}}}}, models: {{providers: {{test: {{api: \
             'openai-completions', baseUrl: '{}', apiKey: 'k'}}}}}}",
            self.url()
        )
    }

    /// Every request so far, oldest first.
    pub fn requests(&self) -> Vec<Received> {
        self.shared.seen().requests.clone()
    }

    /// How many turns of the script nobody has asked for.
    pub fn turns_left(&self) -> usize {
        match &*self.shared.script() {
            Script::List(turns) => turns.len(),
            Script::Every(_) => 0,
        }
    }

    /// Waits until so many requests came; whether they did.
    pub fn wait_for_requests(&self, count: usize, at_most: Duration) -> bool {
        self.wait(at_most, |seen| seen.requests.len() >= count)
    }

    /// Waits until a client closed its connection in the middle of an answer; whether one did.
    pub fn wait_for_hang_up(&self, at_most: Duration) -> bool {
        self.wait(at_most, |seen| seen.hang_ups > 0)
    }

    fn wait(&self, at_most: Duration, reached: impl Fn(&Seen) -> bool) -> bool {
        let seen = self.shared.seen();
        let waited = self.shared.changed.wait_timeout_while(seen, at_most, |seen| !reached(seen));
        reached(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }
}

impl Drop for ChatServer {
    fn drop(&mut self) {
        let panicked = self.shared.seen().script_panicked;
        assert!(!panicked || thread::panicking(), "the chat server's script panicked");
    }
}

impl Shared {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One connection: request after request until an answer ends it.
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream.try_clone()?);
        while let Some(request) = http::read_request(&mut reader)? {
            let turn = panic::catch_unwind(AssertUnwindSafe(|| self.next_turn(&request)));
            let turn = turn.unwrap_or_else(|_| {
                self.seen().script_panicked = true;
                Turn::refusal(400, "the script panicked")
            });
            self.seen().requests.push(request.clone());
            self.changed.notify_all();
            let after = answer(stream, &mut reader, &request, turn).unwrap_or(After::HungUp);
            if after == After::HungUp {
                self.seen().hang_ups += 1;
                self.changed.notify_all();
            }
            if after != After::Keep {
                break;
            }
        }
        Ok(())
    }

    fn next_turn(&self, request: &Received) -> Turn {
        let mut turn = match &mut *self.script() {
            Script::List(turns) => {
                turns.pop_front().unwrap_or_else(|| Turn::refusal(400, "the script has no turn for this"))
            }
            Script::Every(answer) => answer(request),
        };
        while let Kind::Computed(answer) = turn.0 {
            turn = answer(request);
        }
        turn
    }
}

fn answer(
    mut stream: &TcpStream,
    reader: &mut BufReader<TcpStream>,
    request: &Received,
    turn: Turn,
) -> io::Result<After> {
    let spoken = match turn.0 {
        Kind::Raw(raw) => {
            http::write_whole(&mut stream, raw.status, &raw.headers, &raw.body)?;
            return Ok(After::Keep);
        }
        Kind::Silent => return wait_for_end(reader),
        Kind::HangUp => return Ok(After::Close),
        Kind::Spoken(spoken) => spoken,
        Kind::Endless => Spoken::endless(),
        Kind::Computed(_) => unreachable!("computed turns were resolved"),
    };
    if let Some(complaint) = contract::complaint(request) {
        let body = Turn::error_body("invalid_request_error", &complaint);
        http::write_whole(&mut stream, 400, &[], &body)?;
        return Ok(After::Keep);
    }
    let whole = spoken.delivery == Delivery::Whole || request.body["stream"] != true;
    if whole && spoken.delivery != Delivery::Endless {
        let body = match request.api {
            Api::Anthropic => anthropic::whole(&spoken, request),
            _ => open_ai::whole(&spoken, request),
        };
        http::write_whole(&mut stream, 200, &[], &body.to_string())?;
        return Ok(After::Keep);
    }
    let events = match request.api {
        Api::Anthropic => anthropic::events(&spoken, request),
        _ => open_ai::events(&spoken, request),
    };
    stream_events(&mut stream, reader, &events, &spoken)
}

fn stream_events(
    stream: &mut &TcpStream,
    reader: &mut BufReader<TcpStream>,
    events: &turn::Events,
    spoken: &Spoken,
) -> io::Result<After> {
    http::begin_stream(stream)?;
    for event in &events.opening {
        http::write_event(stream, event)?;
    }
    let sent = match spoken.delivery {
        Delivery::Dropped(pieces) | Delivery::Stalled(pieces) => pieces.min(events.pieces.len()),
        _ => events.pieces.len(),
    };
    for event in &events.pieces[..sent] {
        http::write_event(stream, event)?;
    }
    match spoken.delivery {
        Delivery::Dropped(_) => Ok(After::Close),
        Delivery::Stalled(_) => wait_for_end(reader),
        Delivery::Endless => loop {
            for event in &events.pieces {
                http::write_event(stream, event)?;
            }
        },
        _ => {
            for event in &events.closing {
                http::write_event(stream, event)?;
            }
            http::end_stream(stream)?;
            Ok(After::Keep)
        }
    }
}

/// Says nothing until the client is gone.
fn wait_for_end(reader: &mut BufReader<TcpStream>) -> io::Result<After> {
    while let count @ 1.. = reader.fill_buf()?.len() {
        reader.consume(count);
    }
    Ok(After::HungUp)
}
