//! Asks the connected clients for approvals.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use prowess_agent::{Approval, Approver, Question};
use serde_json::json;
use tokio::sync::oneshot;

use super::run_events::{Ids, RunEvent};
use crate::access::Scope;
use crate::approvals::{ApprovalRequest, ApprovalView, Decision, Pending};
use crate::events::Event;
use crate::state::Gateway;

/// The time that a tool waits for an answer. No answer counts as a rejection.
const PATIENCE: Duration = Duration::from_mins(5);

impl Gateway {
    /// Answers a question. Says whether it still waited.
    pub(crate) fn resolve_approval(&self, id: &str, decision: Decision, by: Option<&str>) -> bool {
        let Some(pending) = self.approvals.take(id) else { return false };
        let was_heard = pending.answer.send(decision).is_ok();
        self.tell_resolved(id, decision, by);
        was_heard
    }

    fn tell_resolved(&self, id: &str, decision: Decision, by: Option<&str>) {
        let now = self.options.clock.now_ms();
        let payload = json!({ "id": id, "decision": decision, "resolvedBy": by, "ts": now });
        let event = Event { audience: Scope::Approvals, ..Event::new("exec.approval.resolved", payload) };
        self.events.publish(event);
    }
}

/// Asks all clients that are connected, or connect in time.
pub(crate) struct AskClients {
    gateway: Arc<Gateway>,
    ids: Ids,
}

impl AskClients {
    pub(crate) fn new(gateway: Arc<Gateway>, ids: Ids) -> Self {
        Self { gateway, ids }
    }

    async fn ask_clients(&self, question: &Question) -> Approval {
        let now = self.gateway.options.clock.now_ms();
        let patience = u64::try_from(PATIENCE.as_millis()).unwrap_or(u64::MAX);
        let view = ApprovalView {
            id: ulid::Ulid::generate().to_string(),
            request: ApprovalRequest {
                command: question.what.clone(),
                tool: question.tool.clone(),
                host: "gateway",
                agent_id: self.ids.agent_id.clone(),
                session_key: self.ids.session_key.clone(),
                run_id: self.ids.run_id.clone(),
            },
            created_at_ms: now,
            expires_at_ms: now.saturating_add(patience),
        };
        let (answer, answered) = oneshot::channel();
        let pending = Pending { view: view.clone(), answer };
        self.gateway.approvals.pending().insert(view.id.clone(), pending);
        let event = Event::new("exec.approval.requested", json!(view));
        self.gateway.events.publish(Event { audience: Scope::Approvals, ..event });
        let told = RunEvent::Approval {
            id: &view.id,
            tool: &question.tool,
            what: &question.what,
            expires_at_ms: view.expires_at_ms,
        };
        self.ids.publish(&self.gateway, &told);
        let _waiting = Waiting { gateway: &self.gateway, id: &view.id };
        let decision = tokio::select! {
            decision = answered => decision.unwrap_or(Decision::Deny),
            () = tokio::time::sleep(PATIENCE) => Decision::Deny,
        };
        match decision {
            Decision::AllowOnce => Approval::Once,
            Decision::AllowAlways => Approval::Run,
            Decision::Deny => Approval::Denied,
        }
    }
}

/// A pending question. It ends when the run is stopped or times out.
struct Waiting<'a> {
    gateway: &'a Gateway,
    id: &'a str,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.gateway.approvals.take(self.id).is_some() {
            self.gateway.tell_resolved(self.id, Decision::Deny, None);
        }
    }
}

impl Approver for AskClients {
    fn ask<'a>(&'a self, question: &'a Question) -> Pin<Box<dyn Future<Output = Approval> + Send + 'a>> {
        Box::pin(self.ask_clients(question))
    }
}
