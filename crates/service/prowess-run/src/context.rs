//! What every part of one run shares.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use prowess_secret::Redactor;
use prowess_types::TraceEvent;
use tokio_util::sync::CancellationToken;

use crate::state::RunState;
use crate::{ProtectedPlaces, SharedEnvironment};

/// What every tool of one run is given.
#[derive(Clone)]
pub struct RunContext {
    /// The session.
    pub session: String,
    /// The run within it.
    pub run: String,
    /// The agent.
    pub agent: String,
    /// The working folder of the agent.
    pub workspace: PathBuf,
    /// The skills it may use; their folders may be read.
    pub skills: Vec<RunSkill>,
    /// What stays out of reach of its tools, wherever it lies.
    pub protected: ProtectedPlaces,
    /// All that its child processes see.
    pub environment: SharedEnvironment,
    /// Keeps the values of that environment out of texts.
    pub redactor: Redactor,
    /// Ends the run.
    pub cancel: CancellationToken,
    /// Asks the user.
    pub approver: Arc<dyn Approver>,
    /// Finds skills by meaning.
    pub search: Arc<dyn SkillSearch>,
    /// Where events go, redacted and cut.
    pub record: Arc<dyn Fn(TraceEvent) + Send + Sync>,
    /// What a run may use up.
    pub limits: RunLimits,
    /// What the run remembers; a new one for every run.
    pub state: RunState,
}

/// A skill as a run sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSkill {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Its folder.
    pub folder: PathBuf,
    /// The hash of its text, in hexadecimal.
    pub content_hash: String,
    /// Its text as it was checked, if the file is another by now. Whoever reads the file gets this.
    pub text: Option<Arc<[u8]>>,
}

/// What a run may use up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// The maximum number of requests to the model.
    pub max_requests: u32,
    /// Bytes of a tool's output that are kept: the beginning and the end.
    pub max_output_bytes: usize,
    /// The time limit of a program in the foreground.
    pub tool_timeout: Duration,
    /// How deep sub-agents may start sub-agents.
    pub max_depth: u32,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            max_requests: 50,
            max_output_bytes: 32 * 1024,
            tool_timeout: Duration::from_mins(2),
            max_depth: 2,
        }
    }
}

/// Something that needs consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The tool that asks.
    pub tool: String,
    /// Exactly what will happen, with invisible characters shown as escapes.
    pub what: String,
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// This once.
    Once,
    /// For the rest of the run, for this tool.
    Run,
    /// Not allowed.
    Denied,
}

/// Somebody who can be asked: a person at a terminal, or a policy.
pub trait Approver: Send + Sync {
    /// Asks.
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval>;
}

/// Finds skills by meaning.
pub trait SkillSearch: Send + Sync {
    /// The best skills for a need, best first.
    fn search(&self, need: &str, limit: usize) -> Result<Vec<SkillSearchHit>, String>;
}

/// A skill that was found.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillSearchHit {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// Its file.
    pub location: String,
    /// Probability that it is meant.
    pub confidence: f32,
}
