//! `exec.*`: what people have said about commands, for clients that keep it here.

use prowess::{ApprovalsError, ApprovalsSnapshot, describe_error};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Nothing;
use crate::access::{Access, Scope};
use crate::method::{Call, Method, method};
use crate::refusal::Refusal;

pub(super) fn methods() -> Vec<Method> {
    let admin = Access::Operator(Scope::Admin);
    let approvals = Access::Operator(Scope::Approvals);
    vec![
        method("exec.approvals.get", admin, "What people have said about commands", get),
        method("exec.approvals.set", admin, "Replaces what people have said about commands", set),
        method("exec.approval.list", approvals, "Commands that wait for somebody's yes", waiting),
        method("exec.approval.resolve", approvals, "Says yes or no to a command that waits", resolve),
    ]
}

/// What people say about commands.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SetParams {
    /// An object with `version` 1, `defaults` and `agents`.
    file: Value,
    /// The hash that `exec.approvals.get` gave; not needed where there is no file yet.
    base_hash: Option<String>,
}

/// An answer to a command that waits.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResolveParams {
    /// The id of the question.
    id: String,
    /// What is said to it.
    #[serde(rename = "decision")]
    _decision: Decision,
}

/// What can be said to a command that waits.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Decision {
    /// Yes, this time.
    AllowOnce,
    /// Yes, from now on.
    AllowAlways,
    /// No.
    Deny,
}

/// Commands that wait.
#[derive(Debug, Serialize, JsonSchema)]
struct Waiting {
    /// The questions; commands of runs are asked about by the policy of their tool, so none waits here.
    approvals: Vec<Value>,
}

async fn get(call: Call, _: Nothing) -> Result<ApprovalsSnapshot, Refusal> {
    call.work(|gateway| Ok(gateway.live.engine().exec_approvals()?)).await
}

async fn set(call: Call, params: SetParams) -> Result<ApprovalsSnapshot, Refusal> {
    call.work(move |gateway| {
        Ok(gateway.live.engine().set_exec_approvals(&params.file, params.base_hash.as_deref())?)
    })
    .await
}

async fn waiting(_: Call, _: Nothing) -> Result<Waiting, Refusal> {
    Ok(Waiting { approvals: Vec::new() })
}

async fn resolve(_: Call, params: ResolveParams) -> Result<Waiting, Refusal> {
    Err(Refusal::invalid(format!("unknown or expired approval id \"{}\"", params.id)))
}

impl From<ApprovalsError> for Refusal {
    fn from(error: ApprovalsError) -> Self {
        match error {
            ApprovalsError::Engine(error) => error.into(),
            ApprovalsError::File(_) => Self::unavailable(describe_error(&error)),
            _ => Self::invalid(describe_error(&error)),
        }
    }
}
