//! Rate limits: a maximum number of requests per minute, for each kind of request.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;

use prowess_types::IgnorePoison as _;

/// One minute, in milliseconds.
const WINDOW: u64 = 60_000;
/// Maximum number of tracked clients. Clients beyond it share one bucket.
const MAX_ASKERS: usize = 20_000;

/// The cost of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Looking something up.
    Read,
    /// Changing something.
    Write,
    /// Fetching contents.
    Download,
    /// Fetching reports.
    Export,
}

impl Kind {
    /// Requests per minute.
    const fn limit(self, asker: &Asker) -> u32 {
        let (unknown, known) = match self {
            Self::Read => (3000, 12_000),
            Self::Write => (300, 3000),
            Self::Download => (1200, 6000),
            Self::Export => (10, 60),
        };
        if matches!(asker, Asker::Token(_)) { known } else { unknown }
    }
}

/// The client of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Asker {
    /// A machine or, for IPv6, the network it can choose its addresses from.
    Address(IpAddr),
    /// A token, by its id.
    Token(String),
    /// One of too many.
    Crowd,
}

impl Asker {
    /// The same machine is the same asker, however its address is written.
    pub(crate) fn from_address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let mut parts = address.segments();
                parts[4..].fill(0);
                IpAddr::V6(Ipv6Addr::from(parts))
            }
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// The state of the limit, for the response headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Requests per minute.
    pub(crate) limit: u32,
    /// Seconds until the count starts anew.
    pub(crate) reset_after: u64,
    /// Seconds since 1970 when it does.
    pub(crate) reset_at: u64,
    /// True if this request is one too many.
    pub(crate) is_exceeded: bool,
}

/// The counts.
#[derive(Debug, Default)]
pub(crate) struct RateLimits {
    counts: Mutex<HashMap<(Kind, Asker), Count>>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    since: u64,
    requests: u32,
}

impl RateLimits {
    /// Counts a request.
    pub(crate) fn count(&self, kind: Kind, asker: Asker, now: u64) -> Standing {
        let mut counts = self.counts.lock().ignore_poison();
        let limit = kind.limit(&asker);
        let mut key = (kind, asker);
        if counts.len() >= MAX_ASKERS && !counts.contains_key(&key) {
            counts.retain(|_, count| now.saturating_sub(count.since) < WINDOW);
            if counts.len() >= MAX_ASKERS {
                key.1 = Asker::Crowd;
            }
        }
        let count = counts.entry(key).or_insert(Count { since: now, requests: 0 });
        if now.saturating_sub(count.since) >= WINDOW {
            *count = Count { since: now, requests: 0 };
        }
        count.requests = count.requests.saturating_add(1);
        let reset = count.since.saturating_add(WINDOW);
        Standing {
            limit,
            reset_after: reset.saturating_sub(now).div_ceil(1000).max(1),
            reset_at: reset.div_ceil(1000),
            is_exceeded: count.requests > limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Asker {
        Asker::from_address(text.parse().unwrap())
    }

    #[test]
    fn a_minute_has_so_many_requests() {
        let limits = RateLimits::default();
        let ask = |now| limits.count(Kind::Export, address("192.0.2.1"), now);
        for _ in 0..10 {
            assert!(!ask(1000).is_exceeded);
        }
        let refused = ask(31_000);
        assert!(refused.is_exceeded);
        assert_eq!((refused.limit, refused.reset_after, refused.reset_at), (10, 30, 61));
        assert!(!limits.count(Kind::Export, address("192.0.2.2"), 31_000).is_exceeded);
        assert!(!limits.count(Kind::Export, Asker::Token("t".to_owned()), 31_000).is_exceeded);
        assert!(!ask(61_000).is_exceeded);
    }

    #[test]
    fn one_machine_is_one_asker() {
        assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
        assert_eq!(address("2001:db8:1:2:3::4"), address("2001:db8:1:2:ffff::1"));
        assert_ne!(address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
    }

    #[test]
    fn the_counts_are_bounded_and_the_crowd_is_counted_too() {
        let limits = RateLimits::default();
        for number in 0..MAX_ASKERS {
            let asker = Asker::Token(number.to_string());
            limits.count(Kind::Export, asker, 0);
        }
        let late = |number: u32, now| {
            let asker = Asker::from_address(IpAddr::from(number.to_be_bytes()));
            limits.count(Kind::Export, asker, now)
        };
        assert!((0..10).all(|number| !late(number, 1).is_exceeded));
        assert!(late(11, 1).is_exceeded);
        assert_eq!(limits.counts.lock().unwrap().len(), MAX_ASKERS + 1);
        assert!(!late(12, WINDOW).is_exceeded);
        assert!(limits.counts.lock().unwrap().len() < 10);
    }
}
