//! One connection, from the challenge to the last word.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::frame::{self, NotARequest, Request};
use super::socket::Socket;
use super::{HANDSHAKE, MAX_FIRST_MESSAGE};
use crate::access::Caller;
use crate::connect_params::Admission;
use crate::events::{Event, Published};
use crate::handshake::hello::{health, hello};
use crate::handshake::judge;
use crate::handshake::visit::Visit;
use crate::limits::{MAX_BUFFERED, MAX_MESSAGE};
use crate::message::Written;
use crate::pending::Slot;
use crate::refusal::Refusal;
use crate::state::Call;
use crate::state::Gateway;
use crate::wire::{Close, Counts, Incoming};

/// Maximum number of in-flight requests per client. Further requests stay unread in the socket.
const MAX_CALLS: usize = 64;
/// Maximum bytes of in-flight requests per client.
const MAX_HELD: usize = MAX_MESSAGE;
/// The next message is only put on its way when less than this waits.
const LOW_WATER: usize = 64 << 10;
/// More pings and pongs within a [`ROUND`] are a flood.
const MAX_CONTROLS: u32 = 1000;
/// The interval at which a connection is checked.
const ROUND: Duration = Duration::from_secs(10);
/// Timeout of a client that does not read.
const MAX_STALL: Duration = Duration::from_secs(30);
/// Idle time before the server sends a ping.
const QUIET: Duration = Duration::from_secs(30);
/// Idle time before the connection is dropped.
const MAX_QUIET: Duration = Duration::from_secs(90);

/// Serves one connection until it ends.
pub(super) async fn serve<S>(gateway: Arc<Gateway>, io: S, visit: Visit, slot: Slot)
where
    S: AsyncRead + AsyncWrite,
{
    let mut socket = Socket::new(io, MAX_FIRST_MESSAGE);
    let greeted = tokio::select! {
        greeted = tokio::time::timeout(HANDSHAKE, greet(&gateway, &mut socket, &visit)) => {
            greeted.unwrap_or_else(|_| Err(Some(Close::evict("handshake", "handshake timeout"))))
        }
        () = slot.expelled.cancelled() => Err(Some(Close::evict("handshake", "too many unfinished handshakes"))),
        () = gateway.clients.stopping.cancelled() => Err(Some(Close::new(Close::RESTART, "service restart"))),
    };
    drop(slot);
    let (caller, admission, first) = match greeted {
        Ok(greeted) => greeted,
        Err(close) => return end(&gateway, socket, close).await,
    };
    let _counted = gateway.metrics.client();
    let caller = Arc::new(caller);
    let events = gateway.events.subscribe();
    let hang_up = gateway.clients.presence.enter(&caller, &admission, gateway.options.clock.now_ms());
    tracing::info!(connection = caller.connection, client = %shown(&caller.client), "a client connected");
    socket.wire.allow(MAX_MESSAGE);
    socket.wire.send(first);
    let mut connection = Connection {
        gateway: Arc::clone(&gateway),
        caller: Arc::clone(&caller),
        events,
        hang_up,
        calls: JoinSet::new(),
        held: 0,
        waiting: VecDeque::new(),
        waiting_bytes: 0,
        seq: 0,
    };
    connection.tell_health();
    let close = connection.run(&mut socket).await;
    gateway.clients.presence.leave(&caller.connection);
    gateway.clients.nodes.left(&caller.connection, gateway.options.clock.now_ms());
    let why = close.as_ref().map_or("the client left", |close| close.reason.as_str());
    tracing::info!(connection = caller.connection, why, "a client is gone");
    end(&gateway, socket, close).await;
}

/// Ends a connection and counts how.
async fn end<S: AsyncRead + AsyncWrite>(gateway: &Gateway, mut socket: Socket<S>, close: Option<Close>) {
    gateway.count(&mut socket);
    if let Some(eviction) = close.as_ref().and_then(|close| close.eviction) {
        gateway.metrics.evicted(eviction);
    }
    socket.close(close.as_ref()).await;
}

impl Gateway {
    /// Counts the messages of a connection since this was done the last time.
    fn count<S>(&self, socket: &mut Socket<S>) {
        let Counts { received, sent } = socket.wire.take_counts();
        self.metrics.frames(received, sent);
    }
}

/// What a client says of itself goes into the log only in a form that cannot disturb it.
fn shown(text: &str) -> String {
    text.chars().take(64).flat_map(char::escape_debug).collect()
}

/// Asks a client who it is, and greets it if it is let in. The greeting is not yet sent.
async fn greet<S>(
    gateway: &Arc<Gateway>,
    socket: &mut Socket<S>,
    visit: &Visit,
) -> Result<(Caller, Admission, String), Option<Close>>
where
    S: AsyncRead + AsyncWrite,
{
    let ts = gateway.options.clock.now_ms();
    let challenge = json!({ "type": "event", "event": "connect.challenge",
                            "payload": { "nonce": visit.nonce, "ts": ts } });
    socket.wire.send(challenge.to_string());
    let text = socket.next_text().await.map_err(Some)?.ok_or(None)?;
    let first = "invalid handshake: first request must be connect";
    let refuse = |socket: &mut Socket<S>, id: &str, message: &str| {
        socket.wire.send(frame::response(id, &Err(Refusal::invalid(message))));
        Some(Close::policy(message))
    };
    let request = match frame::read_request(&text) {
        Ok(request) if request.method == "connect" => request,
        Ok(request) => return Err(refuse(socket, &request.id, first)),
        Err(NotARequest::Answerable { id, .. }) => return Err(refuse(socket, &id, first)),
        Err(NotARequest::Nonsense) => return Err(Some(Close::policy("invalid request frame"))),
    };
    let connection = ulid::Ulid::generate().to_string();
    let Request { id, params, .. } = request;
    match decide(gateway, visit, &connection, params).await {
        Ok((admission, greeting)) => {
            let caller = Caller {
                connection,
                role: admission.role,
                scopes: admission.scopes.clone(),
                client: admission.client.id.clone(),
                device: admission.device.clone(),
                is_person: admission.is_person,
            };
            Ok((caller, admission, frame::response(&id, &Ok(Written::from(greeting.to_string())))))
        }
        Err((refusal, close)) => {
            tracing::warn!(code = ?refusal.code, why = shown(&refusal.message), "a client was refused");
            socket.wire.send(frame::response(&id, &Err(refusal)));
            Err(Some(close))
        }
    }
}

/// The decision reads and writes files, so it is made where that disturbs nobody.
async fn decide(
    gateway: &Arc<Gateway>,
    visit: &Visit,
    connection: &str,
    params: Value,
) -> Result<(Admission, Value), (Refusal, Close)> {
    let (gateway, visit, connection) = (Arc::clone(gateway), visit.clone(), connection.to_owned());
    let decided = tokio::task::spawn_blocking(move || {
        let admission =
            judge(&gateway, &visit, params).map_err(|rejection| (rejection.refusal, rejection.close))?;
        let greeting = hello(&gateway, &connection, &admission).map_err(|refusal| {
            let close = Close::new(Close::INTERNAL, refusal.message.clone());
            (refusal, close)
        })?;
        Ok((admission, greeting))
    });
    decided.await.unwrap_or_else(|_| {
        let refusal = Refusal::unavailable("the handshake failed inside the gateway");
        let close = Close::new(Close::INTERNAL, refusal.message.clone());
        Err((refusal, close))
    })
}

/// A client that was let in.
struct Connection {
    gateway: Arc<Gateway>,
    caller: Arc<Caller>,
    events: broadcast::Receiver<Arc<Published>>,
    hang_up: CancellationToken,
    /// Calls that are worked on: their answers, and how many bytes they came in.
    calls: JoinSet<(String, usize)>,
    /// The bytes of the calls that are worked on.
    held: usize,
    /// Events that wait to be sent.
    waiting: VecDeque<String>,
    waiting_bytes: usize,
    /// The number of the last event.
    seq: u64,
}

impl Connection {
    /// Works until the client leaves (none) or has to.
    async fn run<S: AsyncRead + AsyncWrite>(&mut self, socket: &mut Socket<S>) -> Option<Close> {
        let mut rounds = tokio::time::interval(ROUND);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut heard, mut taken, mut controls) = (Instant::now(), Instant::now(), 0);
        let stopping = self.gateway.clients.stopping.clone();
        loop {
            let is_hungry = match self.take_in(socket, &mut controls) {
                Ok(is_hungry) => is_hungry,
                Err(close) => return close,
            };
            self.put_out(socket);
            self.gateway.count(socket);
            let Socket { reader, writer, wire, buffer } = &mut *socket;
            let unsent = wire.outgoing().len();
            tokio::select! {
                read = reader.read(buffer), if is_hungry => match read {
                    Ok(0) | Err(_) => return None,
                    Ok(count) => {
                        heard = Instant::now();
                        wire.receive(buffer.get(..count).unwrap_or_default());
                    }
                },
                written = writer.write(wire.outgoing()), if unsent > 0 => match written {
                    Ok(0) | Err(_) => return None,
                    Ok(count) => {
                        taken = Instant::now();
                        wire.sent(count);
                    }
                },
                Some(answer) = self.calls.join_next(), if unsent < LOW_WATER => match answer {
                    Ok((answer, bytes)) => {
                        self.held -= bytes;
                        wire.send(answer);
                    }
                    // Nobody knows any more whose answer this was.
                    Err(_) => return Some(Close::new(Close::INTERNAL, "a call failed inside the gateway")),
                },
                event = self.events.recv() => match event {
                    Ok(event) => self.queue(&event),
                    Err(RecvError::Lagged(lost)) => self.seq += lost,
                    Err(RecvError::Closed) => return Some(Close::new(Close::RESTART, "service restart")),
                },
                now = rounds.tick() => {
                    controls = 0;
                    if unsent == 0 {
                        taken = now;
                    } else if now.duration_since(taken) >= MAX_STALL {
                        return Some(Close::evict("slow", "slow consumer"));
                    }
                    match now.saturating_duration_since(heard) {
                        quiet if is_hungry && quiet >= MAX_QUIET => {
                            return Some(Close::evict("silent", "no sign of life"));
                        }
                        quiet if quiet >= QUIET && unsent == 0 => wire.ping(),
                        _ => {}
                    }
                },
                () = self.hang_up.cancelled() => return Some(Close::policy("the device is no longer welcome")),
                () = stopping.cancelled() => {
                    self.say_goodbye(socket);
                    return Some(Close::new(Close::RESTART, "service restart"));
                }
            }
            if self.waiting_bytes > MAX_BUFFERED {
                tracing::warn!(connection = self.caller.connection, "a client does not read its events");
                return Some(Close::evict("slow", "slow consumer"));
            }
        }
    }

    /// Takes what came, as far as there is room for it. Tells whether more should be read.
    fn take_in<S>(&mut self, socket: &mut Socket<S>, controls: &mut u32) -> Result<bool, Option<Close>> {
        while self.calls.len() < MAX_CALLS
            && self.held <= MAX_HELD
            && socket.wire.outgoing().len() < LOW_WATER
        {
            match socket.wire.next().map_err(Some)? {
                Some(Incoming::Text(text)) => self.call(socket, text.as_str())?,
                Some(Incoming::Control) => {
                    *controls += 1;
                    if *controls > MAX_CONTROLS {
                        return Err(Some(Close::evict("flood", "too many pings")));
                    }
                }
                Some(Incoming::Closed) => return Err(None),
                None => return Ok(true),
            }
        }
        Ok(false)
    }

    fn call<S>(&mut self, socket: &mut Socket<S>, text: &str) -> Result<(), Option<Close>> {
        let request = match frame::read_request(text) {
            Ok(request) => request,
            Err(NotARequest::Answerable { id, why }) => {
                let refusal = Refusal::invalid(format!("invalid request frame: {why}"));
                socket.wire.send(frame::response(&id, &Err(refusal)));
                return Ok(());
            }
            Err(NotARequest::Nonsense) => return Err(Some(Close::policy("invalid request frame"))),
        };
        if request.method == "connect" {
            let refusal = Refusal::invalid("connect is only valid as the first request");
            socket.wire.send(frame::response(&request.id, &Err(refusal)));
            return Ok(());
        }
        let call = Call::new(Arc::clone(&self.gateway), Arc::clone(&self.caller));
        let bytes = text.len();
        self.held += bytes;
        self.calls.spawn(async move {
            let Request { id, method, params } = request;
            let gateway = Arc::clone(&call.gateway);
            let answer = gateway.methods.call(call, &method, params).await;
            (frame::response(&id, &answer), bytes)
        });
        Ok(())
    }

    /// Puts events on their way, as far as the client takes them.
    fn put_out<S>(&mut self, socket: &mut Socket<S>) {
        while socket.wire.outgoing().len() < LOW_WATER
            && let Some(event) = self.waiting.pop_front()
        {
            self.waiting_bytes -= event.len();
            socket.wire.send(event);
        }
    }

    fn queue(&mut self, event: &Published) {
        if event.is_for(&self.caller) {
            self.seq += 1;
            let text = frame::event(event, Some(self.seq));
            self.waiting_bytes += text.len();
            self.waiting.push_back(text);
        }
    }

    /// How the gateway does, for this client alone, which just came.
    fn tell_health(&mut self) {
        if let Ok(health) = health(&self.gateway) {
            let state = self.gateway.clients.presence.state();
            self.queue(&Published::new(Event::new("health", health), Some(state)));
        }
    }

    /// What was still to be told, above all that the gateway ends.
    fn say_goodbye<S>(&mut self, socket: &mut Socket<S>) {
        while let Ok(event) = self.events.try_recv() {
            self.queue(&event);
        }
        for event in self.waiting.drain(..) {
            socket.wire.send(event);
        }
    }
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
