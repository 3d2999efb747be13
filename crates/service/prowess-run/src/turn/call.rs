//! One call of a tool: asked for, done or not, cleaned, recorded.

use std::future::Future;
use std::time::Duration;

use prowess_model::ToolCall;
use prowess_types::TraceEvent;
use serde_json::Value;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::activation::{self, READ};
use super::consent::{Consent, consent};
use super::{check, clean};
use crate::{RunContext, Tool, ToolInput, ToolOutput, Tools};

/// The time that a tool has to clean up after the run was stopped; one that starts sub-agents gets the same for each
/// level below it.
const GRACE: Duration = Duration::from_secs(5);
/// What a call says that was not, or not wholly, carried out.
pub(super) const STOPPED: &str = "the run was stopped before this was done";
const DENIED: &str = "the user did not allow this call; do not try to reach the same in another way, go on without \
                      it or ask what to do instead";

/// What came of a call.
pub(super) struct Performed {
    /// What it said, cleaned.
    pub(super) output: ToolOutput,
    /// The skill that came into use by it.
    pub(super) activated: Option<String>,
}

/// The name of the called tool, as the model wrote it but short, plain and without secrets.
pub(super) fn shown_name(context: &RunContext, call: &ToolCall) -> String {
    check::sendable_name(&context.redactor.redact(&call.name))
}

/// Records that a call is asked for.
pub(super) fn record_call(context: &RunContext, call: &ToolCall) {
    let input = match &call.input {
        Ok(input) => clean::trace_input(&context.redactor, input),
        Err(raw) => clean::trace_input(&context.redactor, &Value::String(raw.clone())),
    };
    (context.record)(TraceEvent::ToolCall {
        id: call.id.clone(),
        tool: shown_name(context, call),
        input,
        step: None,
    });
}

/// Does what a call asks for, if it is well formed and allowed, and records the result.
pub(super) async fn perform(tools: &Tools, context: &RunContext, call: &ToolCall) -> Performed {
    let started = Instant::now();
    let output = match check::check(tools, call) {
        Ok(_) if context.cancel.is_cancelled() => ToolOutput::failed(STOPPED),
        Ok((tool, input)) => run(tool.as_ref(), input, context).await,
        Err(problem) => ToolOutput::failed(problem),
    };
    let output = clean::output(context, output);
    (context.record)(TraceEvent::ToolResult {
        id: call.id.clone(),
        ok: output.ok,
        output: output.text.clone(),
        omitted_bytes: output.omitted_bytes,
        exit_code: output.exit_code,
        ms: u64::try_from(started.elapsed().as_millis()).ok(),
    });
    let is_read = output.ok && call.name == READ;
    let activated =
        call.input.as_ref().ok().filter(|_| is_read).and_then(|input| activation::note_read(input, context));
    Performed { output, activated }
}

/// What the model is told about a call: what it said, and what a program's end was.
pub(super) fn content(text: &str, ok: bool, exit_code: Option<i32>) -> String {
    let text = if text.is_empty() { "(no output)" } else { text };
    match exit_code {
        Some(code) if !ok || code != 0 => format!("{text}\n[exit code {code}]"),
        _ => text.to_owned(),
    }
}

async fn run(tool: &dyn Tool, input: &Value, context: &RunContext) -> ToolOutput {
    match consent(tool, input, context).await {
        Consent::Given => {}
        Consent::Denied => {
            clean::notice(context, "denied", &format!("`{}` was not allowed", tool.spec().name));
            return ToolOutput::failed(DENIED);
        }
        Consent::Stopped => return ToolOutput::failed(STOPPED),
    }
    let levels_below = context.limits.max_depth.saturating_sub(context.state.depth());
    let call = tool.call(ToolInput { value: input, context });
    settle(call, &context.cancel, GRACE * (1 + levels_below)).await
}

/// Waits for a tool; once the run is stopped only for a while, because a tool might not look at the token.
async fn settle(
    call: impl Future<Output = ToolOutput>,
    cancel: &CancellationToken,
    grace: Duration,
) -> ToolOutput {
    let too_late = async {
        cancel.cancelled().await;
        sleep(grace).await;
    };
    tokio::select! {
        biased;
        output = call => output,
        () = too_late => ToolOutput::failed(STOPPED),
    }
}

#[cfg(test)]
#[path = "call_tests.rs"]
mod tests;
