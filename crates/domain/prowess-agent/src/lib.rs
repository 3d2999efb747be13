//! agent.

mod run;
mod secrets;

pub use run::{Answerer, Approval, Approver, BoxFuture, ChatModel, DenyAll, EndedRun, Exposure, Message, PricedSkill, RunContext, Tool, ToolInput, ToolOutput, ToolSpec, ExposedWorkspace, HostModel, MessagePrompt, OfferedDraft, Question, Reply, RunError, RunObservation, RunObserver, RunProgress, RunReport, RunRequest, Runner, Script, Step, Tools, TurnEvent, WorkspaceAnswerError, allow_workspace, chat_model, exposed_workspace, message_prompt, model, protected_places, sandbox_mode};
pub use secrets::{SecretChange, SecretStatus, SecretStore, SecretTarget, SecretsError, secrets, set_secret, skill_variables, unset_secret};
