//! The health of the gateway.

use schemars::JsonSchema;
use serde::Serialize;

use super::Nothing;
use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

pub(super) fn methods() -> Vec<Method> {
    vec![method("health", Access::Operator(Scope::Read), "Whether the gateway is well", health)]
}

/// The health of the gateway.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Health {
    ok: bool,
    /// When this was asked, in milliseconds since 1970.
    ts: u64,
    default_agent_id: String,
}

async fn health(call: Call, _: Nothing) -> Result<Health, Refusal> {
    let engine = call.gateway.live.engine();
    let default = engine.config().agent(None).map_err(|error| Refusal::unavailable(error.to_string()))?;
    Ok(Health { ok: true, ts: call.gateway.options.clock.now_ms(), default_agent_id: default.id })
}
