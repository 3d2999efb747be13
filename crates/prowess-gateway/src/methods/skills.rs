//! `skills.*`: what there is, what it needs, and what the model is told.

use prowess::StatusReport;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::access::{Access, Scope};
use crate::method::{Call, Method, method};
use crate::refusal::Refusal;

const READ: Access = Access::Operator(Scope::Read);

pub(super) fn methods() -> Vec<Method> {
    vec![method(
        "skills.status",
        READ,
        "Every skill of an agent, with what it needs and what it lacks",
        status,
    )]
}

/// Whose skills.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct StatusParams {
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

async fn status(call: Call, params: StatusParams) -> Result<StatusReport, Refusal> {
    call.work(move |gateway| Ok(gateway.live.view(params.agent_id.as_deref())?.inventory.status())).await
}
