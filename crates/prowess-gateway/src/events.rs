//! What happens, told to every client that may know.

use serde_json::Value;
use tokio::sync::broadcast;

use crate::access::Scope;

/// So many events may wait for a connection to take them up; one that is further behind has lost some.
const BACKLOG: usize = 4096;

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
    /// An event for everybody who may read.
    pub(crate) fn new(name: &'static str, payload: Value) -> Self {
        Self { name, payload, audience: Scope::Read }
    }
}

/// The way from those who make events to those who send them on.
#[derive(Debug)]
pub(crate) struct Events(broadcast::Sender<Event>);

impl Events {
    pub(crate) fn new() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }

    /// Tells everybody; nobody may be there.
    pub(crate) fn publish(&self, event: Event) {
        let _ = self.0.send(event);
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Event> {
        self.0.subscribe()
    }
}
