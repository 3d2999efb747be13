//! Small questions that clients ask for their overviews. What there is not is answered as empty, never invented.

use prowess_sessions::{SessionFilter, SessionListing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Nothing;
use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

const READ: Access = Access::Operator(Scope::Read);
/// Sessions in an overview.
const RECENT: usize = 10;

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("status", READ, "An overview of the gateway", status),
        method("last-heartbeat", READ, "The last heartbeat of an agent: there is none", last_heartbeat),
        method("tasks.list", READ, "Tasks in the background: there are none", tasks),
        method("wake", Access::Operator(Scope::Write), "Wakes an agent that has a heartbeat: none has", wake),
    ]
}

/// An overview.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Status {
    /// The version of the program.
    runtime_version: String,
    /// Agents that wake up by themselves.
    heartbeat: Heartbeat,
    /// Channels that messages come through: there are none.
    channel_summary: Vec<String>,
    /// Events that wait for an agent: there are none.
    queued_system_events: Vec<String>,
    /// The record.
    sessions: SessionsSummary,
}

/// Agents that wake up by themselves.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Heartbeat {
    /// The agent that is meant where none is named.
    default_agent_id: String,
    /// Each agent; none of them has a heartbeat.
    agents: Vec<HeartbeatAgent>,
}

/// Whether an agent wakes up by itself.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct HeartbeatAgent {
    /// The agent.
    agent_id: String,
    /// Always false.
    enabled: bool,
    /// Always `disabled`.
    every: String,
    /// Always null.
    every_ms: Option<u64>,
}

/// The record.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SessionsSummary {
    /// The number of sessions.
    count: usize,
    /// Those written last.
    recent: Vec<RecentSession>,
    /// The same, by agent.
    by_agent: Vec<AgentSessions>,
}

/// The sessions of an agent.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentSessions {
    /// The agent.
    agent_id: String,
    /// The number of sessions.
    count: usize,
    /// Those written last.
    recent: Vec<RecentSession>,
}

/// A session in an overview.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RecentSession {
    /// Its key.
    key: String,
    /// The agent.
    agent_id: String,
    /// When it was last written, in milliseconds since 1970.
    updated_at: u64,
    /// How long ago that was.
    age: u64,
}

/// Which tasks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TasksParams {
    /// Only those of this agent.
    #[serde(rename = "agentId")]
    _agent_id: Option<String>,
    /// Only those of this session.
    #[serde(rename = "sessionKey")]
    _session_key: Option<String>,
    /// Only those in this state.
    #[serde(rename = "status")]
    _status: Option<String>,
    /// The place where the last answer ended.
    #[serde(rename = "cursor")]
    _cursor: Option<String>,
    /// The maximum number.
    #[serde(rename = "limit")]
    _limit: Option<usize>,
}

/// Tasks in the background.
#[derive(Debug, Serialize, JsonSchema)]
struct Tasks {
    /// Always empty.
    tasks: Vec<String>,
}

/// Whom to wake.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WakeParams {
    /// `now` or `next-heartbeat`.
    #[serde(rename = "mode")]
    _mode: Option<String>,
    /// The text that it gets.
    #[serde(rename = "text")]
    _text: Option<String>,
}

async fn status(call: Call, _: Nothing) -> Result<Status, Refusal> {
    call.work(|gateway| {
        let engine = gateway.live.engine();
        let agents = engine.agents()?;
        let now = gateway.options.clock.now_ms();
        let listed = engine.sessions().list(&SessionFilter::default());
        let recent: Vec<RecentSession> = listed.iter().map(|session| recent_session(session, now)).collect();
        let by_agent = agents.agents.iter().map(|agent| {
            let own: Vec<RecentSession> =
                recent.iter().filter(|session| session.agent_id == agent.id).cloned().collect();
            AgentSessions {
                agent_id: agent.id.clone(),
                count: own.len(),
                recent: own.into_iter().take(RECENT).collect(),
            }
        });
        let heartbeats = agents.agents.iter().map(|agent| HeartbeatAgent {
            agent_id: agent.id.clone(),
            enabled: false,
            every: "disabled".to_owned(),
            every_ms: None,
        });
        Ok(Status {
            runtime_version: env!("CARGO_PKG_VERSION").to_owned(),
            heartbeat: Heartbeat {
                default_agent_id: agents.default_id.clone(),
                agents: heartbeats.collect(),
            },
            channel_summary: Vec::new(),
            queued_system_events: Vec::new(),
            sessions: SessionsSummary {
                count: recent.len(),
                by_agent: by_agent.collect(),
                recent: recent.into_iter().take(RECENT).collect(),
            },
        })
    })
    .await
}

fn recent_session(session: &SessionListing, now: u64) -> RecentSession {
    RecentSession {
        key: key_of(session),
        agent_id: session.summary.agent.clone(),
        updated_at: session.summary.ended,
        age: now.saturating_sub(session.summary.ended),
    }
}

/// The key of a session: its agent and its id.
pub(super) fn key_of(session: &SessionListing) -> String {
    format!("agent:{}:{}", session.summary.agent, session.id)
}

async fn last_heartbeat(_: Call, _: Nothing) -> Result<Option<String>, Refusal> {
    Ok(None)
}

async fn tasks(_: Call, _: TasksParams) -> Result<Tasks, Refusal> {
    Ok(Tasks { tasks: Vec::new() })
}

async fn wake(_: Call, _: WakeParams) -> Result<Tasks, Refusal> {
    Err(Refusal::unavailable("no agent has a heartbeat, so there is nothing to wake; start a run instead"))
}
