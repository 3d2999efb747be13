//! From a message to a report.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use prowess_config::{LandlockChoice, ToolConsent};
use prowess_run::process::{Sandbox, SandboxMode};
use prowess_run::tools::{ConfiguredTool, Permission, ToolPolicy};
use prowess_run::turn::{
    DispatchCall, ReportOutcome, RunState, SkillSearchTool, Spawn, SystemParts, Turn, TurnEnd, TurnEvent, dispatch,
    history, run_turn, system_prompt, trim,
};
use prowess_run::{RunContext, RunLimits, RunSkill, SkillSearch, Tools};
use prowess_types::{ActivatedBy, Backend, BackendKind, Outcome, OutcomeResult, TraceEvent, Usage};
use sha2::{Digest as _, Sha256};

use super::backend::Model;
use super::keys::Keys;
use super::prepare::{DirectCall, Said, choose, prompt_request};
use super::record::Recorder;
use super::search::{NoSearch, Search};
use super::{Answerer, RunError, RunProgress, RunReport, RunRequest};
use crate::engine::Engine;
use crate::inventory::{Entry, Inventory};
use crate::sessions::SessionId;

/// As much of the conversation before as a model is told, in characters.
const MAX_HISTORY_CHARS: usize = 400_000;

/// How a run went, whoever answered.
struct Answered {
    text: String,
    outcome: Outcome,
    error: Option<String>,
    stopped: bool,
    usage: Usage,
}

impl Engine {
    /// Answers one message: reads and chooses skills, lets a model or another harness work, records all of it.
    ///
    /// Reading and choosing block the thread for some milliseconds; everything after is asynchronous.
    pub async fn run(
        &self,
        request: RunRequest,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Result<RunReport, RunError> {
        let began = Instant::now();
        let message = request.message.trim();
        if message.is_empty() {
            return Err(RunError::Empty);
        }
        let agent = self.config().agent(request.agent.as_deref())?;
        let mut inventory = self.inventory(request.agent.as_deref())?;
        let model = match &request.answerer {
            Answerer::Model(wanted) => self.chat_model(&agent, wanted.as_deref()),
            Answerer::Harness(_) => Err(RunError::Empty),
        };
        // TODO
        todo!()
    }
}
