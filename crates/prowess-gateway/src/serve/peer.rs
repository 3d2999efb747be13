//! Who is at the other end of a connection.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use prowess_net::serve::Seat;

use super::entrance::Entrance;

/// The machine at the other end of a connection, and the connection's standing.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// Its address. The same machine is the same peer, however its address is written.
    pub(crate) address: IpAddr,
    /// The same, as the system writes it.
    pub(crate) socket: SocketAddr,
    pub(crate) seat: Arc<Seat>,
}

impl Connected<IncomingStream<'_, Entrance>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Entrance>) -> Self {
        let socket = *stream.remote_addr();
        Self { address: socket.ip().to_canonical(), socket, seat: Arc::clone(stream.io().seat()) }
    }
}
