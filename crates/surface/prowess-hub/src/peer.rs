//! The machine at the other end of a connection.

use std::net::IpAddr;
use std::sync::Arc;

use prowess_net::serve::Seat;

/// The machine at the other end, and the standing of its connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    pub(crate) seat: Arc<Seat>,
}
