//! The standing of one connection, and the line of those that have not sent a request.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use prowess_types::IgnorePoison as _;
use tokio_util::sync::CancellationToken;

/// A request that is worked on.
#[derive(Debug)]
pub struct Working(Arc<Seat>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The state of a connection.
#[derive(Debug)]
pub struct Seat {
    working: AtomicUsize,
    upgraded: AtomicBool,
    unfinished: Mutex<Option<Unfinished>>,
}

impl Seat {
    pub(super) fn new(unfinished: Unfinished) -> Self {
        Self {
            working: AtomicUsize::new(0),
            upgraded: AtomicBool::new(false),
            unfinished: Mutex::new(Some(unfinished)),
        }
    }

    /// The connection speaks another protocol from now on, with limits of its own.
    pub fn upgrade(&self) {
        self.upgraded.store(true, Ordering::Relaxed);
    }

    /// A request is worked on for as long as this is kept.
    pub fn work(self: &Arc<Self>) -> Working {
        self.working.fetch_add(1, Ordering::Relaxed);
        Working(Arc::clone(self))
    }

    /// Returns true if it is the other side's turn: nothing is worked on here.
    pub(super) fn is_awaited(&self) -> bool {
        self.working.load(Ordering::Relaxed) == 0 && !self.is_upgraded()
    }

    pub(super) fn is_upgraded(&self) -> bool {
        self.upgraded.load(Ordering::Relaxed)
    }

    /// Returns true if it has not got as far as a request.
    pub(super) fn is_unfinished(&self) -> bool {
        self.unfinished.lock().ignore_poison().is_some()
    }

    /// The connection got as far as a request, and no longer counts as unfinished.
    pub fn settle(&self) {
        self.unfinished.lock().ignore_poison().take();
    }
}

/// The unfinished connections of each address, the oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue(Arc<Mutex<Lines>>);

#[derive(Debug, Default)]
struct Lines {
    last_id: u64,
    of: HashMap<IpAddr, VecDeque<Waiting>>,
}

#[derive(Debug)]
struct Waiting {
    id: u64,
    since: Instant,
    expelled: CancellationToken,
}

impl Queue {
    /// A place among the unfinished connections of an address. If it has too many, the oldest makes room, unless that
    /// one is younger than `grace`.
    pub(super) fn enter(&self, address: IpAddr, limit: usize, grace: Duration) -> Option<Unfinished> {
        let address = address.to_canonical();
        let mut lines = self.0.lock().ignore_poison();
        lines.last_id += 1;
        let id = lines.last_id;
        let line = lines.of.entry(address).or_default();
        if line.len() >= limit {
            line.pop_front_if(|oldest| oldest.since.elapsed() >= grace)?.expelled.cancel();
        }
        let expelled = CancellationToken::new();
        line.push_back(Waiting { id, since: Instant::now(), expelled: expelled.clone() });
        Some(Unfinished { queue: self.clone(), address, id, expelled })
    }
}

/// A place among the unfinished connections of an address.
#[derive(Debug)]
pub(super) struct Unfinished {
    queue: Queue,
    address: IpAddr,
    id: u64,
    expelled: CancellationToken,
}

impl Unfinished {
    /// Returns the token that is cancelled when the slot is needed for another connection.
    pub(super) fn expelled(&self) -> CancellationToken {
        self.expelled.clone()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut lines = self.queue.0.lock().ignore_poison();
        if let Some(line) = lines.of.get_mut(&self.address) {
            line.retain(|waiting| waiting.id != self.id);
            if line.is_empty() {
                lines.of.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_hours(1);

    #[test]
    fn an_address_has_so_many_places_however_it_is_written() {
        let queue = Queue::default();
        let plain: IpAddr = "192.0.2.7".parse().unwrap();
        let mapped: IpAddr = "::ffff:192.0.2.7".parse().unwrap();
        let first = queue.enter(plain, 2, LONG).unwrap();
        let seat = Seat::new(queue.enter(mapped, 2, LONG).unwrap());
        assert!(queue.enter(plain, 2, LONG).is_none() && queue.enter(mapped, 2, LONG).is_none());
        assert!(queue.enter("192.0.2.8".parse().unwrap(), 2, LONG).is_some());
        seat.settle();
        let third = queue.enter(plain, 2, LONG);
        assert!(third.is_some());
        drop((first, third, seat));
        assert!(queue.0.lock().unwrap().of.is_empty());
    }

    #[test]
    fn the_oldest_makes_room_when_its_time_is_over() {
        let queue = Queue::default();
        let address: IpAddr = "192.0.2.7".parse().unwrap();
        let first = queue.enter(address, 2, LONG).unwrap();
        let second = queue.enter(address, 2, LONG).unwrap();
        let third = queue.enter(address, 2, Duration::ZERO).unwrap();
        assert!(first.expelled.is_cancelled() && !second.expelled.is_cancelled());
        drop(first);
        assert!(queue.enter(address, 2, LONG).is_none());
        drop((second, third));
        assert!(queue.0.lock().unwrap().of.is_empty());
    }
}
