//! `exec.approvals.*`: what people have said about commands, for clients that keep it here.

use prowess_context::ApprovalsSnapshot;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Nothing;
use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

pub(super) fn methods() -> Vec<Method> {
    let admin = Access::Operator(Scope::Admin);
    vec![
        method("exec.approvals.get", admin, "What people have said about commands", get),
        method("exec.approvals.set", admin, "Replaces what people have said about commands", set)
            .changing_settings(),
    ]
}

/// The approvals of commands.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SetParams {
    /// An object with `version` 1, `defaults` and `agents`.
    file: Value,
    /// The hash that `exec.approvals.get` gave; not needed where there is no file yet.
    base_hash: Option<String>,
}

async fn get(call: Call, _: Nothing) -> Result<ApprovalsSnapshot, Refusal> {
    call.work(|gateway| Ok(gateway.live.engine().exec_approvals()?)).await
}

async fn set(call: Call, params: SetParams) -> Result<ApprovalsSnapshot, Refusal> {
    call.write(move |gateway, consent| {
        let SetParams { file, base_hash } = &params;
        Ok(gateway.live.engine().set_exec_approvals(file, base_hash.as_deref(), consent)?)
    })
    .await
}
