//! What happens, told to every client that may know.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::broadcast;

use crate::access::{Caller, Role, Scope};

/// Maximum number of events that wait for a connection; one that is further behind has lost some.
const BACKLOG: usize = 4096;

/// Every event there is: its name, what it tells, and who gets it.
pub(crate) const EVENTS: [(&str, &str, &str); 21] = [
    ("connect.challenge", "the first frame of a connection: what the client has to sign", "all clients"),
    ("agent", "progress of a run in OpenClaw's format", "operator.read"),
    ("chat", "progress of a run in OpenClaw's format, with the whole text so far", "operator.read"),
    ("config.changed", "the config file changed", "operator.read"),
    ("confirmation.requested", "a change of protected settings waits for a person", "operator.approvals"),
    ("confirmation.resolved", "a pending change was confirmed or dropped", "operator.approvals"),
    ("cortex.changed", "the learned state changed", "operator.read"),
    ("cron", "an automation was added, removed, changed, started or finished", "operator.read"),
    ("device.pair.requested", "a device waits for approval", "operator.pairing"),
    ("device.pair.resolved", "a pending device was approved or rejected", "operator.pairing"),
    ("exec.approval.requested", "a tool call waits for approval", "operator.approvals"),
    ("exec.approval.resolved", "a tool call was approved, denied or timed out", "operator.approvals"),
    ("forge.changed", "the drafts changed", "operator.read"),
    ("health", "health of the gateway, after the handshake and every minute", "operator.read"),
    ("presence", "the list of connected clients", "operator.read"),
    ("run", "progress of a run, step by step", "operator.read"),
    ("sessions.changed", "a session changed", "operator.read"),
    ("shutdown", "the gateway shuts down", "all clients"),
    ("skills.changed", "the skills of an agent changed", "operator.read"),
    ("skills.install.progress", "progress of an install", "operator.admin"),
    ("tick", "heartbeat of the gateway", "all clients"),
];

/// Events that all clients get, without any scope: they say nothing but that the gateway lives, or not for long.
const FOR_EVERYBODY: [&str; 2] = ["shutdown", "tick"];

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// Its name, such as `skills.changed`.
    pub(crate) name: &'static str,
    pub(crate) payload: Value,
    /// Who may know: operators with this scope.
    pub(crate) audience: Scope,
}

impl Event {
    /// An event for all clients with the scope to read.
    pub(crate) fn new(name: &'static str, payload: Value) -> Self {
        Self { name, payload, audience: Scope::Read }
    }

    /// The same for fewer.
    pub(crate) fn only_for(self, audience: Scope) -> Self {
        Self { audience, ..self }
    }
}

/// Which state of the gateway an event tells of: numbers that only rise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StateVersion {
    pub(crate) presence: u64,
    pub(crate) health: u64,
}

/// An event, written down once for all who get it.
#[derive(Debug)]
pub(crate) struct Published {
    pub(crate) name: &'static str,
    /// As JSON.
    pub(crate) payload: String,
    pub(crate) state: Option<StateVersion>,
    audience: Scope,
}

impl Published {
    pub(crate) fn new(event: Event, state: Option<StateVersion>) -> Self {
        let Event { name, payload, audience } = event;
        Self { name, payload: payload.to_string(), state, audience }
    }

    /// Returns true if a client may get the event.
    pub(crate) fn is_for(&self, caller: &Caller) -> bool {
        FOR_EVERYBODY.contains(&self.name) || (caller.role == Role::Operator && caller.has(self.audience))
    }
}

/// The channel from the sources of events to the connections.
#[derive(Debug)]
pub(crate) struct Events(broadcast::Sender<Arc<Published>>);

impl Events {
    pub(crate) fn new() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }

    /// Sends an event to all connections; there may be none.
    pub(crate) fn publish(&self, event: Event) {
        self.publish_state(event, None);
    }

    /// The same, for an event that tells of a state.
    pub(crate) fn publish_state(&self, event: Event, state: Option<StateVersion>) {
        let _ = self.0.send(Arc::new(Published::new(event, state)));
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Published>> {
        self.0.subscribe()
    }
}
