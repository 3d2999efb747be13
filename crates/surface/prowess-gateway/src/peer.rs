//! The machine at the other end of a connection.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use prowess_net::serve::Seat;

/// The machine at the other end of a connection, and the connection's standing.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// Its address. The same machine is the same peer, however its address is written.
    pub(crate) address: IpAddr,
    /// The same, as the system writes it.
    pub(crate) socket: SocketAddr,
    pub(crate) seat: Arc<Seat>,
}
