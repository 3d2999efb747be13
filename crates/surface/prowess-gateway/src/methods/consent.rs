//! `exec.approval.*`: questions of tools, and answers to them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Nothing;
use crate::access::{Access, Scope};
use crate::approvals::{ApprovalView, Decision};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

const APPROVALS: Access = Access::Operator(Scope::Approvals);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("exec.approval.list", APPROVALS, "Tools that wait for consent, the earliest first", list),
        method("exec.approval.resolve", APPROVALS, "Answers a tool that waits for consent", resolve),
    ]
}

/// Questions that wait for an answer.
#[derive(Debug, Serialize, JsonSchema)]
struct Waiting {
    /// The questions, the earliest first.
    approvals: Vec<ApprovalView>,
}

async fn list(call: Call, _: Nothing) -> Result<Waiting, Refusal> {
    Ok(Waiting { approvals: call.gateway.approvals.list() })
}

/// An answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResolveParams {
    /// The question.
    id: String,
    /// The answer. `allow-always` holds for the tool until the run ends.
    decision: Decision,
}

/// The answer was taken.
#[derive(Debug, Serialize, JsonSchema)]
struct Resolved {
    ok: bool,
}

async fn resolve(call: Call, params: ResolveParams) -> Result<Resolved, Refusal> {
    let by = Some(call.caller.client.as_str());
    if call.gateway.resolve_approval(params.id.trim(), params.decision, by) {
        Ok(Resolved { ok: true })
    } else {
        Err(Refusal::not_found(format!("unknown or expired approval id `{}`", params.id.escape_debug())))
    }
}
