//! One-time codes: how a browser on this machine becomes an approved Studio without the gateway's token.
//!
//! A code is 256 random bits that live in this process only. It dies when it is used, when its time is over and with the
//! gateway, and the page that carried it to the browser is removed at the same moment.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prowess::types::Secret;
use prowess::{Clock, GatewayHomeError};
use subtle::ConstantTimeEq as _;
use tokio::sync::Notify;

use crate::door::digest;
use crate::gateway::Gateway;

/// The codes that may wait at once; the oldest makes room.
const MAX_CODES: usize = 32;

/// The codes that were not used yet.
#[derive(Debug)]
pub(crate) struct OneTimeCodes {
    clock: Clock,
    lifetime: Duration,
    pending: Mutex<Vec<PendingCode>>,
    /// Tells the task that removes expired codes about a new one.
    added: Notify,
}

/// A code that was not used yet, without the code itself.
#[derive(Debug)]
struct PendingCode {
    digest: [u8; 32],
    expires_at_ms: u64,
    page: Option<PathBuf>,
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

    fn pending(&self) -> MutexGuard<'_, Vec<PendingCode>> {
        // Every change is one insertion or removal.
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a code. Returns it with the pages of codes that had to make room.
    fn add(
        &self,
        page: impl FnOnce(&Secret) -> Result<Option<PathBuf>, GatewayHomeError>,
    ) -> Result<(NewCode, Option<PathBuf>, Vec<PathBuf>), GatewayHomeError> {
        let parts: Vec<String> = (0..4).map(|_| ulid::Ulid::generate().to_string()).collect();
        let code = Secret::new(prowess_fs::sha256_hex(parts.concat().as_bytes()));
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
    fn take(&self, presented: &str) -> Option<PendingCode> {
        let (presented, now) = (digest(presented), self.clock.now_ms());
        let mut pending = self.pending();
        // Every code is compared, so the time tells nothing about their number or order.
        let found = pending.iter().enumerate().fold(None, |found, (index, code)| {
            if bool::from(code.digest.ct_eq(&presented)) { Some(index) } else { found }
        })?;
        (pending[found].expires_at_ms > now).then(|| pending.remove(found))
    }

    /// Removes the codes whose time is over. Returns their pages.
    fn take_expired(&self) -> Vec<PathBuf> {
        let now = self.clock.now_ms();
        let expired = self.pending().extract_if(.., |code| code.expires_at_ms <= now).collect::<Vec<_>>();
        expired.into_iter().filter_map(|code| code.page).collect()
    }

    /// Removes every code. Returns their pages.
    fn take_all(&self) -> Vec<PathBuf> {
        std::mem::take(&mut *self.pending()).into_iter().filter_map(|code| code.page).collect()
    }

    /// The time until the next code expires.
    fn next_expiry(&self) -> Option<Duration> {
        let now = self.clock.now_ms();
        let next = self.pending().iter().map(|code| code.expires_at_ms).min()?;
        Some(Duration::from_millis(next.saturating_sub(now)))
    }
}

impl Gateway {
    /// Writes a page that opens the Studio at `url` with a one-time code. It is removed with the code.
    pub fn studio_page(&self, url: &str) -> Result<PathBuf, GatewayHomeError> {
        let (_, page) = self.new_code(url, /*with_page*/ true)?;
        Ok(page.unwrap_or_default())
    }

    /// Makes a code for the Studio at `url`, and a page that leads there if one is wanted.
    pub(crate) fn new_code(
        &self,
        url: &str,
        with_page: bool,
    ) -> Result<(NewCode, Option<PathBuf>), GatewayHomeError> {
        let engine = self.live.engine();
        let (code, page, removed) = self.codes.add(|code| {
            let address = with_code(url, code);
            if with_page { engine.write_gateway_page(&address).map(Some) } else { Ok(None) }
        })?;
        self.remove_pages(removed);
        Ok((code, page))
    }

    /// Uses a code up. Returns whether it still lived.
    pub(crate) fn take_code(&self, presented: &str) -> bool {
        let Some(code) = self.codes.take(presented) else { return false };
        self.remove_pages(code.page.into_iter().collect());
        true
    }

    /// Forgets every code.
    pub(crate) fn drop_codes(&self) {
        self.remove_pages(self.codes.take_all());
    }

    /// Removes codes when their time is over; never ends.
    pub(crate) async fn expire_codes(&self) {
        loop {
            let next = async {
                match self.codes.next_expiry() {
                    // A moment later, so that it is over for certain.
                    Some(wait) => tokio::time::sleep(wait + Duration::from_millis(1)).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = next => {}
                () = self.codes.added.notified() => {}
            }
            self.remove_pages(self.codes.take_expired());
        }
    }

    fn remove_pages(&self, pages: Vec<PathBuf>) {
        let engine = self.live.engine();
        for page in &pages {
            engine.remove_gateway_page(page);
        }
    }
}

/// An address with a code as its fragment, which browsers keep to themselves.
pub(crate) fn with_code(url: &str, code: &Secret) -> Secret {
    Secret::new(format!("{url}#code={}", code.expose()))
}

#[cfg(test)]
#[path = "codes_tests.rs"]
mod tests;
