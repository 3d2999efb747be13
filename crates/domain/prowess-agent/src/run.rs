//! One agent turn, from a message to a trace.
//!
//! A message comes in; the skills of the agent are read, chosen and shown to the model or harness; all events are
//! recorded; the outcome is returned. The parts live elsewhere: this module connects them.

mod answer;
mod backend;
mod finish;
mod host;
mod inject;
mod keys;
mod known_secrets;
mod observer;
mod past;
mod plan;
mod prepare;
mod protect;
mod record;
mod said;
mod search;
mod start;
mod told;
mod workspace;

use std::sync::Arc;

use prowess_config::{ModelChoiceError, UnknownAgent};
use prowess_run::harness::HarnessError;
use prowess_run::model::ModelError;
use prowess_run::tools::ToolConfigError;
use prowess_secret::SecretError;
use prowess_types::{Outcome, Usage};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

pub use backend::chat_model;
pub use host::{DenyAll, HostModel};
pub use known_secrets::redacted;
pub use observer::{EndedRun, OfferedDraft, RunObservation, RunObserver};
pub use prepare::check_run;
pub use protect::{protected_places, sandbox_mode};
/// The vocabulary of conversations, for a model that the host brings.
pub use prowess_run::model;
pub use prowess_run::model::{ChatModel, Message, Reply, Script, ScriptStep, ToolSpec};
pub use prowess_run::turn::TurnEvent;
pub use prowess_run::{Approval, Approver, Question, RunContext, Tool, ToolInput, ToolOutput, Tools};
pub use start::Runner;
pub use told::{MessagePrompt, PricedSkill, message_prompt};
pub use workspace::{ExposedWorkspace, Exposure, WorkspaceAnswerError, allow_workspace, exposed_workspace};

/// The return type of asynchronous methods of a host's own [`Tool`] or [`ChatModel`].
pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;

use prowess_context::Clock;
use prowess_context::ContextError;
use prowess_inventory::InvokeError;
use prowess_sessions::{RunId, SessionError, SessionId};

/// A message for an agent.
#[derive(Clone)]
pub struct RunRequest {
    /// The message of the user.
    pub message: String,
    /// The agent; the default one if none is named.
    pub agent: Option<String>,
    /// The session it belongs to; a new one if none is named.
    pub session: Option<SessionId>,
    /// The model or program that answers.
    pub answerer: Answerer,
    /// The approver of actions.
    pub approver: Arc<dyn Approver>,
    /// Stops the run.
    pub cancel: CancellationToken,
    /// The clock.
    pub clock: Clock,
    /// True if the outcome is learned from; false if the caller learns from it in another way.
    pub learn: bool,
}

/// The model or program that answers.
#[derive(Clone, Debug)]
pub enum Answerer {
    /// A chat model, as `provider/model`; the configured one if none is named.
    Model(Option<String>),
    /// Another agent program, by its name in the table of harnesses.
    Harness(String),
    /// A model that the host of the engine brings.
    Host(HostModel),
}

/// An event of a run, for watchers. Texts are redacted.
#[derive(Clone, Debug)]
pub enum RunProgress {
    /// It begins.
    Started {
        /// The session.
        session: String,
        /// The run within it.
        run: RunId,
    },
    /// A step of the turn.
    Turn(TurnEvent),
    /// Something the user should know.
    Notice(String),
}

/// What a run came to.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunReport {
    /// The session.
    pub session: String,
    /// The run within it.
    pub run: RunId,
    /// The last words to the user.
    pub answer: String,
    /// How it went.
    pub outcome: Outcome,
    /// The error that ended it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the user stopped it.
    pub stopped: bool,
    /// The prompt that the model got; none if another program or a tool answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<prowess_trace::PromptSummary>,
    /// The skills whose text the model had, in order.
    pub loaded: Vec<String>,
    /// The skills that were used, in the order they came into use.
    pub skills: Vec<String>,
    /// The side effects of its tool calls, as tags (`verb:target`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<String>,
    /// What was used up.
    pub usage: Usage,
    /// How long it took.
    pub ms: u64,
    /// What the user should know.
    pub notices: Vec<String>,
    /// The draft of a skill that was made of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<OfferedDraft>,
}

/// The reason a run did not begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// There is no such agent.
    #[error(transparent)]
    Agent(#[from] UnknownAgent),
    /// The host ends before anything was done.
    #[error("the program is shutting down")]
    ShuttingDown,
    /// There is nothing to answer.
    #[error("the message is empty")]
    Empty,
    /// The workspace exposes more than a project, and the user did not allow that.
    #[error(transparent)]
    Workspace(#[from] ExposedWorkspace),
    /// No model can be asked.
    #[error(transparent)]
    NoModel(#[from] ModelChoiceError),
    /// The model's key cannot be resolved.
    #[error("failed to resolve the API key for provider `{provider}`")]
    Key {
        /// The provider.
        provider: String,
        /// The reason.
        #[source]
        source: SecretError,
    },
    /// The model cannot be asked.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The harness cannot be started.
    #[error(transparent)]
    Harness(#[from] HarnessError),
    /// A tool of the config is not one.
    #[error(transparent)]
    Tool(#[from] ToolConfigError),
    /// There is no such command.
    #[error("there is no command `/{name}`")]
    UnknownCommand {
        /// The typed name.
        name: String,
        /// The names that may be meant.
        suggestions: Vec<String>,
    },
    /// Several skills have the name in another spelling.
    #[error("`{name}` could be {}", prowess_text::backtick_list(choices, " or "))]
    AmbiguousName {
        /// The typed name, with its sign.
        name: String,
        /// The exact names.
        choices: Vec<String>,
    },
    /// The skill may not be called by people.
    #[error("the skill `{skill}` cannot be called: {reason}")]
    Refused {
        /// The skill.
        skill: String,
        /// The reason.
        reason: String,
    },
    /// The skill that was called has no text.
    #[error(transparent)]
    Invoke(#[from] InvokeError),
    /// The trace cannot be read or written.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl prowess_types::Classify for RunError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Agent(error) => Of(error),
            Self::Workspace(error) => Of(error),
            Self::Empty => Is(ErrorKind::Usage),
            Self::UnknownCommand { .. } => Is(ErrorKind::NotFound),
            Self::AmbiguousName { .. } => Is(ErrorKind::Ambiguous),
            Self::Refused { .. } | Self::Invoke(_) => Is(ErrorKind::Refused),
            Self::NoModel(_) => Is(ErrorKind::NoModel),
            Self::Key { .. } => Is(ErrorKind::Credentials),
            Self::ShuttingDown | Self::Model(_) | Self::Harness(_) | Self::Tool(_) | Self::Session(_) => {
                Is(ErrorKind::Environment)
            }
        }
    }
}
