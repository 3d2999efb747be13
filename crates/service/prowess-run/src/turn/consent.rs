//! Asking before something is done.

use serde_json::Value;

use super::visible::visible;
use crate::{Approval, Question, RunContext, Tool};

/// What came of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    Given,
    Denied,
    /// The run was stopped while it waited for an answer.
    Stopped,
}

/// Asks, unless the call needs no consent or there already is one for this tool and run.
///
/// Questions of one run and its sub-agents come one after the other, so a yes for the whole run also answers those
/// that were waiting.
pub(super) async fn consent(tool: &dyn Tool, input: &Value, context: &RunContext) -> Consent {
    let Some(what) = tool.needs_consent(input, context) else { return Consent::Given };
    let ask = async {
        let mut consents = context.state.consents().lock().await;
        let name = &tool.spec().name;
        if consents.contains(name) {
            return Consent::Given;
        }
        let question = Question { tool: visible(name), what: visible(&context.redactor.redact(&what)) };
        match context.approver.ask(&question).await {
            Approval::Once => Consent::Given,
            Approval::Run => {
                consents.insert(name.clone());
                Consent::Given
            }
            Approval::Denied => Consent::Denied,
        }
    };
    tokio::select! {
        biased;
        () = context.cancel.cancelled() => Consent::Stopped,
        consent = ask => consent,
    }
}
