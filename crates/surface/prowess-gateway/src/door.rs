//! Who is let in: the one place that compares tokens.
//!
//! Ten wrong tokens from one address within a minute lock it for five minutes, loopback included: a page in a browser
//! on this machine comes from there too. A lock must not become a way to shut others out, so what cannot be guessed
//! is still looked at: a token of at least [`UNGUESSABLE`] letters, and the tokens of devices, which are long and random,
//! and on a socket of no use without the device's key. Only short tokens, which somebody chose, are not even compared while
//! locked.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, RwLock, RwLockReadGuard};

use prowess_context::Clock;
use prowess_types::{IgnorePoison as _, Secret};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// Number of wrong tokens within [`WINDOW_MS`] that lock an address.
const MAX_FAILURES: u32 = 10;
const WINDOW_MS: u64 = 60_000;
const LOCK_MS: u64 = 300_000;
/// Maximum number of tracked addresses; the one that was idle the longest is dropped.
const MAX_ADDRESSES: usize = 10_000;
/// A token this long is not found by trying.
const UNGUESSABLE: usize = 32;

/// Compares what clients present with what lets them in.
#[derive(Debug)]
pub(crate) struct Door {
    token: RwLock<Secret>,
    clock: Clock,
    attempts: Mutex<BTreeMap<IpAddr, Attempts>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Attempts {
    failures: u32,
    since_ms: u64,
    locked_until_ms: u64,
}

impl Attempts {
    fn last_seen_ms(self) -> u64 {
        self.since_ms.max(self.locked_until_ms)
    }
}

/// The reason for a failed authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// Nothing was presented.
    Missing,
    /// It is not the token.
    Mismatch,
    /// Too many wrong tokens came from there.
    Locked { retry_after_ms: u64 },
}

impl Denied {
    /// What it is counted as.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Mismatch => "mismatch",
            Self::Locked { .. } => "locked",
        }
    }
}

impl Door {
    pub(crate) fn new(token: Secret, clock: Clock) -> Self {
        Self { token: RwLock::new(token), clock, attempts: Mutex::default() }
    }

    fn token(&self) -> RwLockReadGuard<'_, Secret> {
        self.token.read().ignore_poison()
    }

    /// Replaces the accepted token.
    pub(crate) fn change(&self, token: Secret) {
        *self.token.write().ignore_poison() = token;
    }

    /// Whether a token from a machine lets in.
    pub(crate) fn admit(&self, peer: Option<IpAddr>, presented: Option<&str>) -> Result<(), Denied> {
        let presented = presented.filter(|token| !token.is_empty()).ok_or(Denied::Missing)?;
        if self.knows(peer, presented) {
            return Ok(());
        }
        let address = address(peer);
        if let Some(retry_after_ms) = self.locked(address) {
            return Err(Denied::Locked { retry_after_ms });
        }
        self.note_failure(address);
        Err(Denied::Mismatch)
    }

    /// Counts a wrong one-time code like a wrong token. A right one is never refused: it cannot be guessed.
    pub(crate) fn refuse_code(&self, peer: Option<IpAddr>) -> Denied {
        let address = address(peer);
        if let Some(retry_after_ms) = self.locked(address) {
            return Denied::Locked { retry_after_ms };
        }
        self.note_failure(address);
        Denied::Mismatch
    }

    /// Returns true if it is the gateway's token. If not, nothing is counted yet: it may be a device's.
    pub(crate) fn knows(&self, peer: Option<IpAddr>, presented: &str) -> bool {
        let token = self.token();
        let is_compared = token.expose().len() >= UNGUESSABLE || self.locked(address(peer)).is_none();
        is_compared && is_same(presented, token.expose())
    }

    /// A key for tokens of devices: with the token of the gateway, any of them can be made anyway.
    pub(crate) fn key(&self) -> [u8; 32] {
        digest(self.token().expose())
    }

    /// How long an address is still locked.
    fn locked(&self, address: IpAddr) -> Option<u64> {
        let now = self.clock.now_ms();
        let attempts = self.attempts.lock().ignore_poison();
        let until = attempts.get(&address)?.locked_until_ms;
        until.checked_sub(now).filter(|&left| left > 0)
    }

    fn note_failure(&self, address: IpAddr) {
        let now = self.clock.now_ms();
        let mut attempts = self.attempts.lock().ignore_poison();
        if attempts.len() >= MAX_ADDRESSES && !attempts.contains_key(&address) {
            let quietest = attempts.iter().min_by_key(|(_, seen)| seen.last_seen_ms()).map(|(key, _)| *key);
            quietest.map(|key| attempts.remove(&key));
        }
        let seen = attempts.entry(address).or_default();
        if now.abs_diff(seen.since_ms) > WINDOW_MS {
            *seen = Attempts { since_ms: now, ..Attempts::default() };
        }
        seen.failures += 1;
        if seen.failures >= MAX_FAILURES {
            *seen = Attempts { since_ms: now, failures: 0, locked_until_ms: now + LOCK_MS };
        }
    }
}

/// The address that is counted: an IPv4 address in the clothes of IPv6 is the same machine, and one network of IPv6
/// is as good as one address.
pub(crate) fn address(peer: Option<IpAddr>) -> IpAddr {
    match peer.map(|peer| peer.to_canonical()) {
        Some(IpAddr::V6(address)) if !address.is_loopback() => {
            let mut octets = address.octets();
            octets[8..].fill(0);
            IpAddr::V6(octets.into())
        }
        Some(address) => address,
        None => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
    }
}

/// Returns true if two secrets are the same, in a time that tells nothing about either.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    digest(one).ct_eq(&digest(other)).into()
}

pub(crate) fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

#[cfg(test)]
#[path = "door_tests.rs"]
mod tests;
