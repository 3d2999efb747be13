//! Changes that wait for a person: they loosen the sandbox, approvals, tool policy or access to the gateway.
//!
//! A held change is the call itself, and nothing of it is written. When a person confirms it, the call is made again, and it
//! goes through only if it still loosens exactly what was shown.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prowess::{Loosening, ProtectedChange};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::access::{Caller, Scope};
use crate::events::Event;
use crate::gateway::Gateway;
use crate::method::Call;
use crate::refusal::Refusal;

/// The time that a person has.
const LIFETIME: Duration = Duration::from_mins(10);
/// The changes that may wait at once; the oldest makes room.
const MAX_HELD: usize = 32;
/// The largest call that is held, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The answer of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ConfirmDecision {
    /// The change is made.
    Confirm,
    /// The change is dropped.
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
struct HeldChange {
    view: HeldChangeView,
    caller: Arc<Caller>,
    params: Value,
    digest: String,
}

/// All changes that wait for a person.
#[derive(Debug, Default)]
pub(crate) struct HeldChanges(Mutex<BTreeMap<String, HeldChange>>);

impl HeldChanges {
    fn all(&self, now_ms: u64) -> MutexGuard<'_, BTreeMap<String, HeldChange>> {
        // Every change is one insertion or removal.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, held| held.view.expires_at_ms > now_ms);
        all
    }

    /// Every change that waits, the earliest first.
    pub(crate) fn list(&self, now_ms: u64) -> Vec<HeldChangeView> {
        self.all(now_ms).values().map(|held| held.view.clone()).collect()
    }

    fn take(&self, id: &str, now_ms: u64) -> Option<HeldChange> {
        self.all(now_ms).remove(id)
    }

    /// Keeps a change. The same change of the same caller is kept once.
    fn keep(&self, held: HeldChange) -> (HeldChangeView, /*is_new*/ bool) {
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

impl Gateway {
    /// Holds a call that loosens something. Returns what the caller is told.
    pub(crate) fn hold(
        &self,
        method: &str,
        params: Value,
        caller: &Arc<Caller>,
        loosening: Loosening,
    ) -> Refusal {
        if params.to_string().len() > MAX_BYTES {
            let text = "a person has to confirm this change, and it is too large to be held; make it at the terminal";
            return Refusal::needs_confirmation(text, json!({ "changes": loosening.changes }));
        }
        let now = self.options.clock.now_ms();
        let lifetime = u64::try_from(LIFETIME.as_millis()).unwrap_or(u64::MAX);
        let view = HeldChangeView {
            id: ulid::Ulid::generate().to_string(),
            method: method.to_owned(),
            client: caller.client.clone(),
            device_id: caller.device.clone(),
            changes: loosening.changes,
            created_at_ms: now,
            expires_at_ms: now.saturating_add(lifetime),
        };
        let held = HeldChange { view, caller: Arc::clone(caller), params, digest: loosening.digest };
        let (view, is_new) = self.held.keep(held);
        if is_new {
            let keys: Vec<&str> = view.changes.iter().map(|change| change.key.as_str()).collect();
            tracing::warn!(method, keys = %crate::log::shown(&keys.join(" ")), "a change waits for a person");
            let event = Event::new("confirmation.requested", json!(view));
            self.events.publish(event.only_for(Scope::Approvals));
        }
        let keys: Vec<String> = view.changes.iter().map(|change| format!("`{}`", change.key)).collect();
        let text = format!(
            "a person has to confirm this change of {}: run `prowess gateway confirm`, or confirm it in the Studio",
            keys.join(", ")
        );
        let details = json!({
            "confirmationId": view.id, "expiresAtMs": view.expires_at_ms, "changes": view.changes,
        });
        Refusal::needs_confirmation(text, details)
    }
}

/// Answers a change that waits. Returns what the held call answered, if it was made.
pub(crate) async fn resolve(
    call: &Call,
    id: &str,
    decision: ConfirmDecision,
) -> Result<Option<Value>, Refusal> {
    let gateway = &call.gateway;
    let Some(held) = gateway.held.take(id, gateway.options.clock.now_ms()) else {
        return Err(Refusal::invalid(format!("unknown or expired confirmation id `{}`", id.escape_debug())));
    };
    let ts = gateway.options.clock.now_ms();
    let payload = json!({ "id": id, "decision": decision, "resolvedBy": call.caller.client, "ts": ts });
    gateway.events.publish(Event::new("confirmation.resolved", payload).only_for(Scope::Approvals));
    tracing::warn!(method = held.view.method, ?decision, "a held change was answered");
    if decision == ConfirmDecision::Reject {
        return Ok(None);
    }
    let again =
        Call { gateway: Arc::clone(gateway), caller: held.caller, confirmed: Some(held.digest.into()) };
    let answer = gateway.methods.call(again, &held.view.method, held.params).await?;
    Ok(Some(serde_json::from_str(&answer).unwrap_or_default()))
}
