//! `chat.*`: a conversation in a session, in the words of OpenClaw's clients.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sessions::{Message, address, messages};
use crate::access::{Access, Scope, Starts};
use crate::gateway::Order;
use crate::refusal::Refusal;
use crate::runs::{Origin, RunStatus};
use crate::state::{Call, Method, method};

/// Maximum length of a history.
const MAX_HISTORY: usize = 1_000;
/// Default length of a history.
const HISTORY: usize = 200;

pub(super) fn methods() -> Vec<Method> {
    let (read, write) = (Access::Operator(Scope::Read), Access::Operator(Scope::Write));
    vec![
        method("chat.send", write, "Says something in a session; the answer comes as events `chat`", send)
            .starts(Starts::ASKED),
        method("chat.history", read, "What was said in a session, the latest last", history),
        method("chat.abort", write, "Stops the runs of a session, or one of them", abort),
    ]
}

/// Something to say.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SendParams {
    /// The session, such as `agent:main:main`.
    session_key: String,
    /// What is said.
    message: String,
    /// The idempotency key of the run. A second call with the same key gives the same run.
    idempotency_key: Option<String>,
    /// Must not be `true`: answers go to the connected clients, there are no channels.
    #[serde(default)]
    deliver: bool,
    /// Has no meaning here: the model's own default holds.
    #[serde(default, rename = "thinking")]
    _thinking: Option<String>,
    /// Has no meaning here: a run ends when it is done or stopped.
    #[serde(default, rename = "timeoutMs")]
    _timeout_ms: Option<u64>,
}

/// A run that was taken in.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Sent {
    /// The run, as events name it.
    run_id: String,
    /// `started`, or `in_flight` if the key is that of a run that was taken in before.
    status: &'static str,
}

async fn send(call: Call, params: SendParams) -> Result<Sent, Refusal> {
    if params.deliver {
        return Err(Refusal::invalid("there are no channels to deliver to; leave `deliver` out"));
    }
    let (agent, session) = address(&call, None, Some(params.session_key)).await?;
    let is_known = params.idempotency_key.as_ref().is_some_and(|id| call.gateway.runs.get(id).is_some());
    let run = call.gateway.start_run(Order {
        message: params.message,
        agent,
        session,
        model: None,
        harness: None,
        id: params.idempotency_key,
        origin: Origin::Chat,
    })?;
    let status = match run.status {
        RunStatus::Done | RunStatus::Failed | RunStatus::Aborted => "ok",
        _ if is_known => "in_flight",
        _ => "started",
    };
    Ok(Sent { run_id: run.run_id, status })
}

/// Whose history.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct HistoryParams {
    /// The session, such as `agent:main:main`.
    session_key: String,
    /// The maximum number of messages, the latest; 200 by default.
    limit: Option<usize>,
}

/// What was said in a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct History {
    /// The session.
    session_key: String,
    /// Its id.
    session_id: String,
    /// The messages, the latest last.
    messages: Vec<Message>,
    /// The configured reasoning effort of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_level: Option<String>,
}

async fn history(call: Call, params: HistoryParams) -> Result<History, Refusal> {
    call.work(move |gateway| {
        let sessions = gateway.live.engine().sessions();
        let id = sessions.of_key(&params.session_key);
        let mut said = match sessions.show(&id) {
            Ok(stored) => messages(&stored.session.lines),
            Err(prowess_sessions::SessionError::Unknown(_)) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let limit = params.limit.unwrap_or(HISTORY).min(MAX_HISTORY);
        let surplus = said.len().saturating_sub(limit);
        said.drain(..surplus);
        Ok(History {
            session_key: params.session_key,
            session_id: id.to_string(),
            messages: said,
            thinking_level: sessions.settings(&id).thinking_level,
        })
    })
    .await
}

/// What to stop.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct AbortParams {
    /// The session.
    session_key: String,
    /// Only this run of it.
    run_id: Option<String>,
}

/// What was stopped.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Stopped {
    ok: bool,
    /// True if anything was.
    aborted: bool,
    /// The runs that end soon.
    run_ids: Vec<String>,
}

async fn abort(call: Call, params: AbortParams) -> Result<Stopped, Refusal> {
    let (_, session) = address(&call, None, Some(params.session_key)).await?;
    let session = session.map(|id| id.to_string()).unwrap_or_default();
    let run_ids = call
        .gateway
        .runs
        .abort(|run| run.session == session && params.run_id.as_ref().is_none_or(|id| run.run_id == *id));
    Ok(Stopped { ok: true, aborted: !run_ids.is_empty(), run_ids })
}
