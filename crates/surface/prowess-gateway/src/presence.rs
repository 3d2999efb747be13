//! Who is connected.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use prowess_types::IgnorePoison as _;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::access::{Caller, Role};
use crate::connect_params::{Admission, Client};
use crate::devices::role_name;
use crate::events::StateVersion;

/// Maximum number of listed connections, the newest first; the total is reported too.
const MAX_LISTED: usize = 100;

/// A connection that missed this number of expulsions is expelled.
const MAX_UNHEARD: usize = 64;

/// The connected clients, by connection.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    visitors: Mutex<BTreeMap<String, Visitor>>,
    changes: AtomicU64,
    reports: AtomicU64,
    is_untold: AtomicBool,
    /// Sent to listeners that are not connections.
    expelled: Expulsions,
}

/// Whose connections end.
#[derive(Clone, Debug)]
pub(crate) enum Expelled {
    /// A device, in one role or in all.
    Device(String, Option<Role>),
    /// All connections: their token is no longer valid.
    Everybody,
}

impl Expelled {
    /// Returns true if a connection is meant.
    pub(crate) fn is(&self, device: Option<&str>, role: Role) -> bool {
        match self {
            Self::Device(expelled, in_role) => {
                device == Some(expelled) && in_role.is_none_or(|in_role| in_role == role)
            }
            Self::Everybody => true,
        }
    }
}

#[derive(Debug)]
struct Expulsions(broadcast::Sender<Expelled>);

impl Default for Expulsions {
    fn default() -> Self {
        Self(broadcast::channel(MAX_UNHEARD).0)
    }
}

/// One connection.
#[derive(Debug)]
struct Visitor {
    client: Client,
    role: Role,
    scopes: Vec<&'static str>,
    device: Option<String>,
    since_ms: u64,
    hang_up: CancellationToken,
}

/// How a connection is shown to others.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    conn_id: &'a str,
    #[serde(flatten)]
    client: &'a Client,
    reason: &'static str,
    roles: [&'static str; 1],
    scopes: &'a [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    device_id: Option<&'a str>,
    ts: u64,
}

impl Presence {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Visitor>> {
        self.visitors.lock().ignore_poison()
    }

    /// Adds a connection. The token is cancelled when the connection must end.
    pub(crate) fn enter(&self, caller: &Caller, admission: &Admission, now_ms: u64) -> CancellationToken {
        let hang_up = CancellationToken::new();
        let visitor = Visitor {
            client: admission.client.clone(),
            role: caller.role,
            scopes: caller.scopes.iter().map(|scope| scope.as_str()).collect(),
            device: admission.device.clone(),
            since_ms: now_ms,
            hang_up: hang_up.clone(),
        };
        self.lock().insert(caller.connection.clone(), visitor);
        self.changed();
        hang_up
    }

    /// Removes a connection.
    pub(crate) fn leave(&self, connection: &str) {
        if self.lock().remove(connection).is_some() {
            self.changed();
        }
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
        self.is_untold.store(true, Ordering::Relaxed);
    }

    /// Returns true if connections changed since the last call.
    pub(crate) fn take_change(&self) -> bool {
        self.is_untold.swap(false, Ordering::Relaxed)
    }

    /// Counts a published report of the health.
    pub(crate) fn health_told(&self) {
        self.reports.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn state(&self) -> StateVersion {
        StateVersion {
            presence: self.changes.load(Ordering::Relaxed),
            health: self.reports.load(Ordering::Relaxed),
        }
    }

    /// The device of a connection.
    pub(crate) fn device_of(&self, connection: &str) -> Option<String> {
        self.lock().get(connection)?.device.clone()
    }

    /// What a connected client calls itself, and its platform.
    pub(crate) fn client_of(&self, connection: &str) -> Option<Client> {
        Some(self.lock().get(connection)?.client.clone())
    }

    /// Ends every connection of a device, in one role or in all.
    pub(crate) fn hang_up(&self, device: &str, role: Option<Role>) {
        self.expel(Expelled::Device(device.to_owned(), role));
    }

    /// Ends the connections that are meant.
    pub(crate) fn expel(&self, expelled: Expelled) {
        for visitor in self.lock().values() {
            if expelled.is(visitor.device.as_deref(), visitor.role) {
                visitor.hang_up.cancel();
            }
        }
        // There may be no listeners.
        let _ = self.expelled.0.send(expelled);
    }

    /// Hears who is expelled from now on.
    pub(crate) fn expulsions(&self) -> broadcast::Receiver<Expelled> {
        self.expelled.0.subscribe()
    }

    /// All connections, the gateway first.
    pub(crate) fn list(&self, now_ms: u64) -> Value {
        let visitors = self.lock();
        let mut newest: Vec<(&String, &Visitor)> = visitors.iter().collect();
        newest.sort_by_key(|(_, visitor)| std::cmp::Reverse(visitor.since_ms));
        let version = env!("CARGO_PKG_VERSION");
        let own = json!({ "mode": "gateway", "reason": "self", "version": version, "clients": newest.len(),
                          "ts": now_ms });
        let shown = newest.into_iter().take(MAX_LISTED).map(|(connection, visitor)| {
            serde_json::to_value(Shown {
                conn_id: connection,
                client: &visitor.client,
                reason: "connect",
                roles: [role_name(visitor.role)],
                scopes: &visitor.scopes,
                device_id: visitor.device.as_deref(),
                ts: visitor.since_ms,
            })
            .unwrap_or_default()
        });
        std::iter::once(own).chain(shown).collect()
    }
}
