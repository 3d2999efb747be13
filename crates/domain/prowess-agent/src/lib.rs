//! One run of an agent: prepare, answer, record, observe; and the secrets that runs may use.

mod run;
mod secrets;

pub use run::{
    Answerer, Approval, Approver, BoxFuture, ChatModel, DenyAll, EndedRun, ExposedWorkspace, Exposure,
    HostModel, Message, MessagePrompt, OfferedDraft, PricedSkill, Question, Reply, RunContext, RunError,
    RunObservation, RunObserver, RunProgress, RunReport, RunRequest, Runner, Script, ScriptStep, Tool,
    ToolInput, ToolOutput, ToolSpec, Tools, TurnEvent, WorkspaceAnswerError, allow_workspace, chat_model,
    check_run, exposed_workspace, message_prompt, model, protected_places, redacted, sandbox_mode,
};
pub use secrets::{
    SecretChange, SecretStatus, SecretStore, SecretTarget, SecretsError, secrets, set_secret,
    skill_variables, unset_secret,
};
