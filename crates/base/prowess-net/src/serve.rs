//! Connection limits of a server: connections that send no request, send it drop by drop, or do not take their answer.
//!
//! [`Lobby::admit`] makes a connection one that ends when the other side lets it wait for too long. Its [`Seat`] is
//! told when a request has come ([`Seat::settle`]), while it is worked on ([`Seat::work`]), and when another protocol
//! begins ([`Seat::upgrade`]). The number of connections without a request is limited per address: the oldest is closed.

mod patient;
mod seat;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;

pub use patient::Patient;
use seat::{Queue, Unfinished};
pub use seat::{Seat, Working};

/// The interval at which the unfinished connections of an address are checked for a free slot. No connection is
/// accepted meanwhile.
const MOMENT: Duration = Duration::from_millis(1);

/// The connection limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forbearance {
    /// The time limit for sending the head of a request, or for reading any part of a response.
    pub patience: Duration,
    /// Connections of one address that have not got as far as a request. For one more the oldest is closed.
    pub unfinished_per_address: usize,
    /// The time during which a connection is not closed in favour of a waiting one.
    pub unfinished_grace: Duration,
}

impl Default for Forbearance {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(15),
            unfinished_per_address: 32,
            unfinished_grace: Duration::from_millis(25),
        }
    }
}

/// The queue of connections that have not sent a request yet.
#[derive(Debug)]
pub struct Lobby {
    forbearance: Forbearance,
    queue: Queue,
}

impl Lobby {
    /// An empty one.
    pub fn new(forbearance: Forbearance) -> Self {
        Self { forbearance, queue: Queue::default() }
    }

    /// Takes a connection from an address in. It keeps `place` for as long as it lasts.
    pub async fn admit<P>(&self, stream: TcpStream, address: IpAddr, place: P) -> Patient<P> {
        let unfinished = self.place_of(address).await;
        let expelled = unfinished.expelled();
        Patient::new(stream, Arc::new(Seat::new(unfinished)), self.forbearance.patience, expelled, place)
    }

    /// A place among the unfinished connections of an address. It comes soon: the oldest of too many makes room once its
    /// grace is over.
    async fn place_of(&self, address: IpAddr) -> Unfinished {
        let Forbearance { unfinished_per_address, unfinished_grace, .. } = self.forbearance;
        loop {
            if let Some(place) = self.queue.enter(address, unfinished_per_address, unfinished_grace) {
                return place;
            }
            tokio::time::sleep(MOMENT).await;
        }
    }
}

#[cfg(test)]
#[path = "serve_tests.rs"]
mod tests;
