//! `confirmation.*`: changes that loosen something, and the person's answer to them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Nothing;
use crate::access::{Access, Scope};
use crate::gateway::resolve_held;
use crate::held::{ConfirmDecision, HeldChangeView};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

const APPROVALS: Access = Access::Operator(Scope::Approvals);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method(
            "confirmation.list",
            APPROVALS,
            "Changes of protected settings that wait for a person, the earliest first",
            list,
        ),
        method(
            "confirmation.resolve",
            APPROVALS,
            "Confirms or rejects a change of protected settings; only a person may confirm",
            resolve,
        ),
    ]
}

/// Changes that wait for a person.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct HeldChangeList {
    /// The changes, the earliest first.
    changes: Vec<HeldChangeView>,
    /// True if the caller counts as a person, who may confirm them.
    can_confirm: bool,
}

async fn list(call: Call, _: Nothing) -> Result<HeldChangeList, Refusal> {
    let changes = call.gateway.held.list(call.gateway.options.clock.now_ms());
    Ok(HeldChangeList { changes, can_confirm: call.caller.is_person })
}

/// An answer to a held change.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResolveParams {
    /// The change.
    id: String,
    /// The answer.
    decision: ConfirmDecision,
    /// Proof that the caller can write in the state folder, for the terminal.
    proof: Option<String>,
}

/// The answer was taken.
#[derive(Debug, Serialize, JsonSchema)]
struct HeldChangeAnswer {
    ok: bool,
    /// The answer that the change got, if it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
}

async fn resolve(call: Call, params: ResolveParams) -> Result<HeldChangeAnswer, Refusal> {
    if params.decision == ConfirmDecision::Confirm && !call.is_person(params.proof).await {
        let text = "only a person may confirm this: run `prowess gateway confirm`, or use a Studio that `prowess up` opened";
        let details = json!({ "code": "not-a-person" });
        return Err(Refusal::forbidden(text).with_details(details));
    }
    let result = resolve_held(&call, params.id.trim(), params.decision).await?;
    Ok(HeldChangeAnswer { ok: true, result })
}
