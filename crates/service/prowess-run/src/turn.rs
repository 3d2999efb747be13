//! The loop with a model: its words and calls in, answers of tools out, until it is done.
//!
//! [`run_turn`] is the loop, [`dispatch`] the way of a slash command to a tool without a model, [`history`] makes a
//! conversation of a trace, [`system_prompt`] the text above it. The tools that need the loop live here too:
//! [`SkillSearchTool`], [`ReportOutcome`] and [`Spawn`].
//!
//! Invariants: every text passes the run's redactor before a model, a watcher or a trace gets it; nothing that needs
//! consent is done without; every call gets exactly one result; a stopped run ends at once and keeps what was said.
//!
//! What this module refuses to do: begin and end a run in the trace (its caller does, [`Spawn`] for sub-agents), or
//! say whether a task went well (it hands on what the agent reported).

mod activation;
mod call;
mod check;
mod clean;
mod consent;
mod cycle;
mod dispatch;
mod fit;
mod history;
mod ids;
mod prompt;
mod report_outcome;
mod skill_search;
mod spawn;
mod stream;
#[cfg(test)]
mod test_support;
mod visible;

use std::time::Duration;

use prowess_model::{ChatModel, Message, ModelError};
use prowess_types::{Outcome, OutcomeResult, Usage};
use serde_json::Value;

pub use crate::state::RunState;
pub use clean::{MAX_TRACE_INPUT, MAX_TRACE_STRING, MAX_TRACE_TEXT};
pub use cycle::{MAX_CALLS, run_turn};
pub use dispatch::{DispatchCall, dispatch};
pub use fit::trim;
pub use history::{history, history_as_sent};
pub use prompt::{SystemParts, system_prompt};
pub use report_outcome::ReportOutcome;
pub use skill_search::SkillSearchTool;
pub use spawn::{MAX_TASKS, RecordFor, Spawn};
pub use visible::visible;

use crate::{RunContext, ToolOutput, Tools};

/// One message of a user and all that is needed to answer it.
pub struct Turn<'a> {
    /// The model that answers.
    pub model: &'a dyn ChatModel,
    /// What it may call.
    pub tools: &'a Tools,
    /// The run.
    pub context: &'a RunContext,
    /// Who it is and what it can do; see [`system_prompt`].
    pub system: &'a str,
    /// The conversation before, see [`history`] and [`trim`].
    pub history: Vec<Message>,
    /// What the user says.
    pub message: String,
}

/// What happens during a turn, for whoever watches. Texts are redacted.
#[derive(Clone, Debug, PartialEq)]
pub enum TurnEvent {
    /// More words of the answer.
    Text(String),
    /// More of what the model thinks aloud.
    Thinking(String),
    /// The model begins to call a tool.
    Calling {
        /// The tool.
        tool: String,
    },
    /// A tool starts, or asks whether it may.
    ToolStarted {
        /// The call.
        id: String,
        /// The tool.
        tool: String,
        /// What it is given.
        input: Value,
    },
    /// A tool answered.
    ToolEnded {
        /// The call.
        id: String,
        /// The tool.
        tool: String,
        /// What it said.
        output: ToolOutput,
    },
    /// A skill came into use.
    Activated {
        /// Its name.
        skill: String,
    },
    /// The endpoint failed and is asked again; words of this answer that came before do not count.
    Retry {
        /// Why.
        reason: String,
        /// How long it waits first.
        after: Duration,
    },
    /// The oldest part of the conversation was left out because the model has no room for it.
    Trimmed,
}

/// What a turn came to.
#[derive(Debug)]
pub struct TurnReport {
    /// The last words to the user, redacted; of a turn that was stopped, as far as they came.
    pub answer: String,
    /// How it ended.
    pub end: TurnEnd,
    /// How it went, as far as that is known without a look at the trace: what the agent reported, else the error that
    /// ended it, else unknown. The detail is redacted.
    pub outcome: Outcome,
    /// What was used up, sub-agents included.
    pub usage: Usage,
    /// The conversation with this exchange: the history of the next turn.
    pub conversation: Vec<Message>,
}

impl TurnReport {
    /// Whether the user stopped it.
    pub fn is_stopped(&self) -> bool {
        matches!(self.end, TurnEnd::Stopped)
    }
}

/// How a turn ended.
#[derive(Debug)]
pub enum TurnEnd {
    /// The model was done.
    Finished,
    /// The model declined, or its provider did.
    Refused,
    /// The answer got too long and is cut.
    CutOff,
    /// The user stopped it.
    Stopped,
    /// It could not go on.
    Failed(TurnError),
}

/// Why a turn could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The model does not answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model does not find the form of a call.
    #[error("the model sent {0} replies in a row with no well-formed tool call")]
    Malformed(u32),
    /// All requests of the run are used up.
    #[error("the run used up its {0} requests to the model")]
    Requests(u32),
}

impl TurnError {
    /// Which failure it is.
    pub fn result(&self) -> OutcomeResult {
        match self {
            Self::Model(ModelError::Unauthorized { .. }) => OutcomeResult::AuthError,
            Self::Model(_) => OutcomeResult::ApiError,
            Self::Malformed(_) | Self::Requests(_) => OutcomeResult::RuntimeError,
        }
    }
}
