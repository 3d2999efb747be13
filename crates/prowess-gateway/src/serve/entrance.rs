//! Where connections come in: so many and no more.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::patient::Patient;
use super::seat::{Queue, Seat, Unfinished};
use crate::Gateway;

/// How long nobody is let in after the system refused a connection, for want of descriptors for example.
const PAUSE: Duration = Duration::from_millis(200);
/// How often a place among the unfinished connections of an address is looked for. Nobody is let in meanwhile.
const MOMENT: Duration = Duration::from_millis(1);

/// Lets connections in.
pub(crate) struct Entrance {
    listener: TcpListener,
    places: Arc<Semaphore>,
    queue: Queue,
    gateway: Arc<Gateway>,
    /// Whether the last try failed. What lasts is told once.
    is_failing: bool,
}

impl Entrance {
    pub(super) fn new(listener: TcpListener, gateway: &Arc<Gateway>) -> Self {
        Self {
            listener,
            places: Arc::new(Semaphore::new(gateway.options.limits.connections)),
            queue: Queue::default(),
            gateway: Arc::clone(gateway),
            is_failing: false,
        }
    }

    /// A place among the unfinished connections of an address. It comes soon: the oldest of too many makes room once its
    /// grace is over.
    async fn place_of(&self, address: IpAddr) -> Unfinished {
        let limits = &self.gateway.options.limits;
        loop {
            let place = self.queue.enter(address, limits.unfinished_per_address, limits.unfinished_grace);
            if let Some(place) = place {
                return place;
            }
            tokio::time::sleep(MOMENT).await;
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
    type Io = Patient;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        // The semaphore is never closed.
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        let (stream, address) = self.next().await;
        let unfinished = self.place_of(address.ip()).await;
        // Answers are small, and written whole.
        let _ = stream.set_nodelay(true);
        let counted = self.gateway.metrics.connection();
        let expelled = unfinished.expelled.clone();
        let seat = Arc::new(Seat::new(unfinished));
        let patience = self.gateway.options.limits.patience;
        (Patient::new(stream, seat, patience, expelled, (place, counted)), address)
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
