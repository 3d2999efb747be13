//! Connections that did not yet say who they are: few per machine.
//!
//! Beyond the limit, a new one waits for another to get through, which takes an honest client a moment.
//! One that takes longer than [`GRACE`] makes room, so idle connections cannot keep others out.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use prowess_types::IgnorePoison as _;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::door::address;

/// Maximum number from one machine.
const MAX_PER_ADDRESS: usize = 32;
/// The time during which an unfinished handshake is not displaced by others.
const GRACE: Duration = Duration::from_secs(3);

/// Handshakes that are not over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<BTreeMap<IpAddr, Vec<Waiting>>>,
    left: Notify,
    next: std::sync::atomic::AtomicU64,
}

#[derive(Debug)]
struct Waiting {
    id: u64,
    since: Instant,
    expelled: CancellationToken,
}

/// The place of one handshake, free again when dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    shared: Arc<Shared>,
    address: IpAddr,
    id: u64,
    /// Cancelled when another connection needs the slot.
    pub(crate) expelled: CancellationToken,
}

impl Pending {
    /// Waits for a place.
    pub(crate) async fn enter(&self, peer: Option<IpAddr>) -> Slot {
        let address = address(peer);
        loop {
            let left = self.0.left.notified();
            match self.0.try_enter(address, Instant::now()) {
                Ok((id, expelled)) => {
                    return Slot { shared: Arc::clone(&self.0), address, id, expelled };
                }
                Err(oldest) => {
                    let _ = tokio::time::timeout_at(oldest + GRACE, left).await;
                }
            }
        }
    }
}

impl Shared {
    /// A place, or since when the oldest has its own.
    fn try_enter(&self, address: IpAddr, now: Instant) -> Result<(u64, CancellationToken), Instant> {
        let mut all = self.waiting.lock().ignore_poison();
        let waiting = all.entry(address).or_default();
        // The first one is the oldest.
        if waiting.len() >= MAX_PER_ADDRESS
            && let Some(oldest) = waiting.first()
        {
            if now.duration_since(oldest.since) < GRACE {
                return Err(oldest.since);
            }
            oldest.expelled.cancel();
            waiting.remove(0);
        }
        let id = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let expelled = CancellationToken::new();
        waiting.push(Waiting { id, since: now, expelled: expelled.clone() });
        Ok((id, expelled))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut all = self.shared.waiting.lock().ignore_poison();
        if let Some(waiting) = all.get_mut(&self.address) {
            waiting.retain(|waiting| waiting.id != self.id);
            if waiting.is_empty() {
                all.remove(&self.address);
            }
        }
        drop(all);
        self.shared.left.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn idle_handshakes_make_room_and_quick_ones_are_waited_for() {
        let pending = Pending::default();
        let mut slots = Vec::new();
        for _ in 0..MAX_PER_ADDRESS {
            slots.push(pending.enter(None).await);
        }
        let other = pending.enter(Some("192.0.2.1".parse().unwrap())).await;
        assert!(!other.expelled.is_cancelled());
        let waiter = tokio::spawn({
            let pending = pending.clone();
            async move { pending.enter(None).await }
        });
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert!(!waiter.is_finished());
        drop(slots.pop());
        let late = waiter.await.unwrap();
        assert!(slots.iter().all(|slot| !slot.expelled.is_cancelled()), "nobody had to go");
        let next = pending.enter(None).await;
        assert!(slots.first().unwrap().expelled.is_cancelled(), "the oldest was too slow");
        assert_eq!(slots.iter().filter(|slot| slot.expelled.is_cancelled()).count(), 1);
        drop((slots, late, next, other));
        assert!(pending.0.waiting.lock().unwrap().is_empty());
    }
}
