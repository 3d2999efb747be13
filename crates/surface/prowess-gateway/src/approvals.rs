//! Consent: a tool that must ask waits for a client's answer, and not for ever.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use prowess_types::IgnorePoison as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

/// A client's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Decision {
    /// This once.
    AllowOnce,
    /// For the rest of the run, for this tool. It is not remembered after the run.
    AllowAlways,
    /// No.
    Deny,
}

/// A question that waits for an answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApprovalView {
    /// What the answer names.
    pub(crate) id: String,
    /// What is asked.
    pub(crate) request: ApprovalRequest,
    /// When it was asked, in milliseconds since 1970.
    pub(crate) created_at_ms: u64,
    /// When no answer becomes a no.
    pub(crate) expires_at_ms: u64,
}

/// What a tool asks for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApprovalRequest {
    /// Exactly what will happen, with invisible characters shown as escapes.
    pub(crate) command: String,
    /// The tool that asks.
    pub(crate) tool: String,
    /// The place where it happens; always `gateway`.
    pub(crate) host: &'static str,
    /// The agent.
    pub(crate) agent_id: String,
    /// The session, as chat clients name it.
    pub(crate) session_key: String,
    /// The run.
    pub(crate) run_id: String,
}

#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) view: ApprovalView,
    pub(crate) answer: oneshot::Sender<Decision>,
}

/// All questions that wait for an answer.
#[derive(Debug, Default)]
pub(crate) struct Approvals(Mutex<BTreeMap<String, Pending>>);

impl Approvals {
    /// Every question that waits, the earliest first.
    pub(crate) fn list(&self) -> Vec<ApprovalView> {
        self.pending().values().map(|pending| pending.view.clone()).collect()
    }

    /// Takes the question out and answers it. None if it is not pending.
    pub(crate) fn take(&self, id: &str) -> Option<Pending> {
        self.pending().remove(id)
    }

    pub(crate) fn pending(&self) -> MutexGuard<'_, BTreeMap<String, Pending>> {
        // Every change is one insertion or removal.
        self.0.lock().ignore_poison()
    }
}
