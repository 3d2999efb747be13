//! The listener, with a limit of connections.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use prowess_net::serve::{Forbearance, Lobby, Patient};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Gateway;
use crate::metrics::Counted;

/// The pause in accepting after the system refused a connection, for want of descriptors for example.
const PAUSE: Duration = Duration::from_millis(200);

/// What a connection has for as long as it lasts: a place among all, and its share of the figures.
type Place = (Option<OwnedSemaphorePermit>, Counted);

/// Lets connections in.
pub(crate) struct Entrance {
    listener: TcpListener,
    places: Arc<Semaphore>,
    lobby: Lobby,
    gateway: Arc<Gateway>,
    /// True if the last try failed. A lasting failure is logged once.
    is_failing: bool,
}

impl Entrance {
    pub(super) fn new(listener: TcpListener, gateway: &Arc<Gateway>) -> Self {
        let limits = &gateway.options.limits;
        Self {
            listener,
            places: Arc::new(Semaphore::new(limits.connections)),
            lobby: Lobby::new(Forbearance {
                patience: limits.patience,
                unfinished_per_address: limits.unfinished_per_address,
                unfinished_grace: limits.unfinished_grace,
            }),
            gateway: Arc::clone(gateway),
            is_failing: false,
        }
    }

    /// The next connection that the system gives.
    async fn next(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok(connection) => {
                    if std::mem::take(&mut self.is_failing) {
                        tracing::info!("connections are accepted again");
                    }
                    return connection;
                }
                // The other side went away before it was its turn.
                Err(error) if is_its_own_fault(&error) => {}
                Err(error) => {
                    if !std::mem::replace(&mut self.is_failing, true) {
                        tracing::error!(%error, "cannot accept connections; trying again until it works");
                    }
                    self.gateway.metrics.not_accepted("system");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
}

impl Listener for Entrance {
    type Io = Patient<Place>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        // The semaphore is never closed.
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        let (stream, address) = self.next().await;
        // Answers are small, and written whole.
        let _ = stream.set_nodelay(true);
        let counted = self.gateway.metrics.connection();
        (self.lobby.admit(stream, address.ip(), (place, counted)).await, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

fn is_its_own_fault(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    )
}
