//! Changes that wait for a person: they loosen the sandbox, approvals, tool policy or access to the gateway.
//!
//! A held change is the call itself, and nothing of it is written. When a person confirms it, the call is made again, and it
//! goes through only if it still loosens exactly what was shown.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use prowess_config::ProtectedChange;
use prowess_types::IgnorePoison as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::Caller;

/// The changes that may wait at once; the oldest makes room.
const MAX_HELD: usize = 32;

/// The answer of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ConfirmDecision {
    /// The change was applied.
    Confirm,
    /// The change was rejected.
    Reject,
}

/// A change that waits for a person.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HeldChangeView {
    /// The id that the answer names.
    pub(crate) id: String,
    /// The method that was called, such as `config.patch`.
    pub(crate) method: String,
    /// The client that called it, in its own words.
    pub(crate) client: String,
    /// The device that called it, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) device_id: Option<String>,
    /// The protected keys with their values before and after, secrets masked.
    pub(crate) changes: Vec<ProtectedChange>,
    /// When it was asked for, in milliseconds since 1970.
    pub(crate) created_at_ms: u64,
    /// When it is dropped if no answer comes.
    pub(crate) expires_at_ms: u64,
}

#[derive(Debug)]
pub(crate) struct HeldChange {
    pub(crate) view: HeldChangeView,
    pub(crate) caller: Arc<Caller>,
    pub(crate) params: Value,
    pub(crate) digest: String,
}

/// All changes that wait for a person.
#[derive(Debug, Default)]
pub(crate) struct HeldChanges(Mutex<BTreeMap<String, HeldChange>>);

impl HeldChanges {
    fn all(&self, now_ms: u64) -> MutexGuard<'_, BTreeMap<String, HeldChange>> {
        // Every change is one insertion or removal.
        let mut all = self.0.lock().ignore_poison();
        all.retain(|_, held| held.view.expires_at_ms > now_ms);
        all
    }

    /// Every change that waits, the earliest first.
    pub(crate) fn list(&self, now_ms: u64) -> Vec<HeldChangeView> {
        self.all(now_ms).values().map(|held| held.view.clone()).collect()
    }

    pub(crate) fn take(&self, id: &str, now_ms: u64) -> Option<HeldChange> {
        self.all(now_ms).remove(id)
    }

    /// Keeps a change. The same change of the same caller is kept once.
    pub(crate) fn keep(&self, held: HeldChange) -> (HeldChangeView, /*is_new*/ bool) {
        let mut all = self.all(held.view.created_at_ms);
        let is_same = |known: &&HeldChange| {
            known.digest == held.digest
                && known.params == held.params
                && known.view.method == held.view.method
                && known.view.client == held.view.client
                && known.view.device_id == held.view.device_id
        };
        if let Some(known) = all.values().find(is_same) {
            return (known.view.clone(), false);
        }
        if all.len() >= MAX_HELD {
            all.pop_first();
        }
        let view = held.view.clone();
        all.insert(view.id.clone(), held);
        (view, true)
    }
}
