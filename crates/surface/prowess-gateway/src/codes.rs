//! One-time codes: how a browser on this machine becomes an approved Studio without the gateway's token.
//!
//! A code is 256 random bits that live in this process only. It dies when it is used, when its time is over and with the
//! gateway, and the page that carried it to the browser is removed at the same moment.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use prowess_context::{Clock, GatewayHomeError};
use prowess_types::{IgnorePoison as _, Secret};
use subtle::ConstantTimeEq as _;
use tokio::sync::Notify;

use crate::door::digest;

/// The codes that may wait at once; the oldest makes room.
const MAX_CODES: usize = 32;

/// The codes that were not used yet.
#[derive(Debug)]
pub(crate) struct OneTimeCodes {
    pub(crate) clock: Clock,
    pub(crate) lifetime: Duration,
    pub(crate) pending: Mutex<Vec<PendingCode>>,
    /// Tells the task that removes expired codes about a new one.
    pub(crate) added: Notify,
}

/// A code that was not used yet, without the code itself.
#[derive(Debug)]
pub(crate) struct PendingCode {
    pub(crate) digest: [u8; 32],
    pub(crate) expires_at_ms: u64,
    pub(crate) page: Option<PathBuf>,
}

/// A new code.
#[derive(Debug)]
pub(crate) struct NewCode {
    pub(crate) code: Secret,
    pub(crate) expires_at_ms: u64,
}

impl OneTimeCodes {
    pub(crate) fn new(clock: Clock, lifetime: Duration) -> Self {
        Self { clock, lifetime, pending: Mutex::default(), added: Notify::new() }
    }

    pub(crate) fn pending(&self) -> MutexGuard<'_, Vec<PendingCode>> {
        // Every change is one insertion or removal.
        self.pending.lock().ignore_poison()
    }

    /// Adds a code. Returns it with the pages of codes that had to make room.
    pub(crate) fn add(
        &self,
        page: impl FnOnce(&Secret) -> Result<Option<PathBuf>, GatewayHomeError>,
    ) -> Result<(NewCode, Option<PathBuf>, Vec<PathBuf>), GatewayHomeError> {
        let code = Secret::new(prowess_net::random_token()?);
        let page = page(&code)?;
        let lifetime = u64::try_from(self.lifetime.as_millis()).unwrap_or(u64::MAX);
        let expires_at_ms = self.clock.now_ms().saturating_add(lifetime);
        let mut pending = self.pending();
        let surplus = (pending.len() + 1).saturating_sub(MAX_CODES);
        let removed = pending.drain(..surplus).filter_map(|code| code.page).collect();
        pending.push(PendingCode { digest: digest(code.expose()), expires_at_ms, page: page.clone() });
        drop(pending);
        self.added.notify_one();
        Ok((NewCode { code, expires_at_ms }, page, removed))
    }

    /// Uses a code up. Returns nothing if it is not a code that still lives.
    pub(crate) fn take(&self, presented: &str) -> Option<PendingCode> {
        let (presented, now) = (digest(presented), self.clock.now_ms());
        let mut pending = self.pending();
        // Every code is compared, so the time tells nothing about their number or order.
        let found = pending.iter().enumerate().fold(None, |found, (index, code)| {
            if bool::from(code.digest.ct_eq(&presented)) { Some(index) } else { found }
        })?;
        (pending[found].expires_at_ms > now).then(|| pending.remove(found))
    }

    /// Removes the codes whose time is over. Returns their pages.
    pub(crate) fn take_expired(&self) -> Vec<PathBuf> {
        let now = self.clock.now_ms();
        let expired = self.pending().extract_if(.., |code| code.expires_at_ms <= now).collect::<Vec<_>>();
        expired.into_iter().filter_map(|code| code.page).collect()
    }

    /// Removes every code. Returns their pages.
    pub(crate) fn take_all(&self) -> Vec<PathBuf> {
        std::mem::take(&mut *self.pending()).into_iter().filter_map(|code| code.page).collect()
    }

    /// The time until the next code expires.
    pub(crate) fn next_expiry(&self) -> Option<Duration> {
        let now = self.clock.now_ms();
        let next = self.pending().iter().map(|code| code.expires_at_ms).min()?;
        Some(Duration::from_millis(next.saturating_sub(now)))
    }
}

#[cfg(test)]
#[path = "codes_tests.rs"]
mod tests;
