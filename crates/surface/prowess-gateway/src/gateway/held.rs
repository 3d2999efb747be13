//! Holds changes of settings until a person confirms them.

use std::sync::Arc;
use std::time::Duration;

use prowess_config::Loosening;
use serde_json::{Value, json};

use crate::access::{Caller, Scope};
use crate::events::Event;
use crate::held::{ConfirmDecision, HeldChange, HeldChangeView};
use crate::refusal::Refusal;
use crate::state::{Call, Gateway};

/// The time that a person has to decide.
const LIFETIME: Duration = Duration::from_mins(10);
/// The largest call that is held, in bytes.
const MAX_BYTES: usize = 1 << 20;

impl Gateway {
    /// Holds a call that loosens something. Returns the answer to the caller.
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
pub(crate) async fn resolve_held(
    call: &Call,
    id: &str,
    decision: ConfirmDecision,
) -> Result<Option<Value>, Refusal> {
    let gateway = &call.gateway;
    let Some(held) = gateway.held.take(id, gateway.options.clock.now_ms()) else {
        return Err(Refusal::not_found(format!(
            "unknown or expired confirmation id `{}`",
            id.escape_debug()
        )));
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
