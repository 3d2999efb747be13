//! State of the clients: known devices, open connections, pending connections, and reports of nodes.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::devices::Devices;
use crate::limits::MAX_CONNECTIONS;
use crate::nodes::Nodes;
use crate::pending::Pending;
use crate::presence::Presence;

/// The state of all clients.
#[derive(Debug)]
pub(crate) struct Clients {
    pub(crate) devices: Devices,
    pub(crate) presence: Presence,
    pub(crate) nodes: Nodes,
    pub(crate) pending: Pending,
    /// One permit per connection.
    pub(crate) connections: Arc<Semaphore>,
    /// Cancelled when the gateway ends.
    pub(crate) stopping: CancellationToken,
}

impl Clients {
    /// Starts without connections; the devices are those of the home.
    pub(crate) fn new(home: &Path) -> Self {
        Self {
            devices: Devices::new(home),
            presence: Presence::default(),
            nodes: Nodes::default(),
            pending: Pending::default(),
            connections: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            stopping: CancellationToken::new(),
        }
    }
}
