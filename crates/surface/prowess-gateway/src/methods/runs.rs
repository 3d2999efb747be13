//! `runs.*` and `agent.wait`: messages for agents, answered inside the gateway.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{Access, Scope, Starts};
use crate::gateway::Order;
use crate::refusal::Refusal;
use crate::runs::{Origin, RunStatus, RunView};
use crate::state::{Call, Method, method};

const READ: Access = Access::Operator(Scope::Read);
const WRITE: Access = Access::Operator(Scope::Write);

/// The longest that a call waits for a run.
const MAX_WAIT_MS: u64 = 600_000;
/// Default timeout of the wait.
const WAIT_MS: u64 = 30_000;

pub(super) fn methods() -> Vec<Method> {
    vec![
        // Another agent program asks no client of this gateway.
        method("runs.start", WRITE, "Gives an agent a message; the answer comes as events `run`", start)
            .starts(Starts::Asked { unless: |params| !params["harness"].is_null() }),
        method("runs.abort", WRITE, "Stops a run", abort),
        method("runs.list", READ, "Runs of this gateway, the latest first", list),
        method("runs.get", READ, "One run of this gateway", get),
        method("runs.wait", READ, "Waits until a run is over, but not for ever", wait),
        method("agent.wait", READ, "Waits until a run is over, in OpenClaw's words", agent_wait),
    ]
}

/// A message for an agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct StartParams {
    /// What the agent shall do or answer.
    message: String,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
    /// The session by its id; a new one if neither this nor `sessionKey` is given.
    session: Option<String>,
    /// The session by its key, such as `agent:main:main`.
    session_key: Option<String>,
    /// Who answers, as `provider/model`; else the session's model, else the configured one.
    model: Option<String>,
    /// Another agent program that answers, by its name, such as claude.
    harness: Option<String>,
    /// The idempotency key of the run. A second call with the same key gives the same run.
    idempotency_key: Option<String>,
}

/// A run that was taken in.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Started {
    /// The run, as events name it.
    run_id: String,
    /// Its session.
    session: String,
    /// Its session, as chat clients name it.
    session_key: String,
    /// The agent that answers.
    agent_id: String,
    /// Its state.
    status: RunStatus,
}

async fn start(call: Call, params: StartParams) -> Result<Started, Refusal> {
    let key = match (params.session, params.session_key) {
        (Some(_), Some(_)) => {
            return Err(Refusal::invalid("name the session by `session` or by `sessionKey`, not by both"));
        }
        (session, key) => session.or(key),
    };
    let (agent, session) = super::sessions::address(&call, params.agent_id, key).await?;
    let run = call.gateway.start_run(Order {
        message: params.message,
        agent,
        session,
        model: params.model,
        harness: params.harness,
        id: params.idempotency_key,
        origin: Origin::Call,
    })?;
    let RunView { run_id, session, session_key, agent_id, status, .. } = run;
    Ok(Started { run_id, session, session_key, agent_id, status })
}

/// A run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RunParams {
    /// The run.
    run_id: String,
}

/// True if something was stopped.
#[derive(Debug, Serialize, JsonSchema)]
struct Aborted {
    /// True if the run went on or waited; it ends soon.
    aborted: bool,
}

async fn abort(call: Call, params: RunParams) -> Result<Aborted, Refusal> {
    known(&call, &params.run_id)?;
    let stopped = call.gateway.runs.abort(|run| run.run_id == params.run_id);
    Ok(Aborted { aborted: !stopped.is_empty() })
}

/// Which runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ListParams {
    /// Only those of this agent.
    agent_id: Option<String>,
    /// Only those of this session.
    session: Option<String>,
    /// Only those that wait or go on.
    #[serde(default)]
    active: bool,
    /// The maximum number.
    limit: Option<usize>,
}

/// Runs.
#[derive(Debug, Serialize, JsonSchema)]
struct Listed {
    /// The runs, the latest first. Those that ended long ago are in their sessions.
    runs: Vec<RunView>,
}

async fn list(call: Call, params: ListParams) -> Result<Listed, Refusal> {
    let mut runs = call.gateway.runs.list();
    runs.retain(|run| {
        params.agent_id.as_ref().is_none_or(|agent| run.agent_id == *agent)
            && params.session.as_ref().is_none_or(|session| run.session == *session)
            && (!params.active || !run.status.is_over())
    });
    runs.truncate(params.limit.unwrap_or(usize::MAX));
    Ok(Listed { runs })
}

async fn get(call: Call, params: RunParams) -> Result<RunView, Refusal> {
    known(&call, &params.run_id)
}

/// A run, and for how long to wait.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WaitParams {
    /// The run.
    run_id: String,
    /// For how long; 30 seconds if not said, 10 minutes at most.
    timeout_ms: Option<u64>,
}

/// Waits for a run; it may not be over afterwards.
async fn wait(call: Call, params: WaitParams) -> Result<RunView, Refusal> {
    let at_most = Duration::from_millis(params.timeout_ms.unwrap_or(WAIT_MS).min(MAX_WAIT_MS));
    let run = call.gateway.runs.wait(&params.run_id, at_most).await;
    run.ok_or_else(|| unknown(&params.run_id))
}

/// The state of a run that was waited for.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Waited {
    /// It was answered.
    Ok,
    /// It failed or was stopped.
    Error,
    /// It goes on.
    Timeout,
}

/// The state of a run that was waited for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentWaited {
    /// The run.
    run_id: String,
    /// How it stands.
    status: Waited,
    /// When it began, in milliseconds since 1970.
    started_at: Option<u64>,
    /// When it ended.
    ended_at: Option<u64>,
    /// The reason why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

async fn agent_wait(call: Call, params: WaitParams) -> Result<AgentWaited, Refusal> {
    let run = wait(call, params).await?;
    let status = match run.status {
        RunStatus::Done => Waited::Ok,
        RunStatus::Failed | RunStatus::Aborted => Waited::Error,
        RunStatus::Queued | RunStatus::Running => Waited::Timeout,
    };
    let stopped = (run.status == RunStatus::Aborted).then(|| "the run was stopped".to_owned());
    let RunView { run_id, started_at, ended_at, error, .. } = run;
    Ok(AgentWaited { run_id, status, started_at, ended_at, error: error.or(stopped) })
}

fn known(call: &Call, run: &str) -> Result<RunView, Refusal> {
    call.gateway.runs.get(run).ok_or_else(|| unknown(run))
}

fn unknown(run: &str) -> Refusal {
    Refusal::not_found(format!("there is no run `{}` in this gateway", run.escape_debug()))
}
