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
/// For so long connections that came at once are given time before one more is closed. Nobody is let in meanwhile.
const MOMENT: Duration = Duration::from_millis(1);
const MOMENTS: usize = 5;

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

    /// A place among the unfinished connections of an address. Many that come at once are given a moment to get as far
    /// as their requests.
    async fn place_of(&self, address: IpAddr) -> Option<Unfinished> {
        let limits = &self.gateway.options.limits;
        for _ in 0..MOMENTS {
            let place = self.queue.enter(address, limits.unfinished_per_address, limits.unfinished_grace);
            if place.is_some() {
                return place;
            }
            tokio::time::sleep(MOMENT).await;
        }
        None
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
        loop {
            // The semaphore is never closed.
            let place = Arc::clone(&self.places).acquire_owned().await.ok();
            let (stream, address) = self.next().await;
            let Some(unfinished) = self.place_of(address.ip()).await else {
                tracing::debug!(address = %address.ip(), "too many unfinished connections of one address");
                self.gateway.metrics.not_accepted("address");
                continue;
            };
            // Answers are small, and written whole.
            let _ = stream.set_nodelay(true);
            let counted = self.gateway.metrics.connection();
            let expelled = unfinished.expelled.clone();
            let seat = Arc::new(Seat::new(unfinished));
            let patience = self.gateway.options.limits.patience;
            return (Patient::new(stream, seat, patience, expelled, (place, counted)), address);
        }
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
