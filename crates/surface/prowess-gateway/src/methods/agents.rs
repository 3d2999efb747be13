//! `agents.*`: who works here, and the files that tell them how.

use prowess_context::{AgentDraft, AgentFile, AgentRow, AgentsReport};
use prowess_fs::ChangeReason;
use prowess_types::ErrorKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Nothing;
use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method};

const READ: Access = Access::Operator(Scope::Read);
const ADMIN: Access = Access::Operator(Scope::Admin);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("agents.list", READ, "Every agent, and which one is meant where none is named", list),
        method("agents.create", ADMIN, "Makes an agent and its workspace", create).changing_settings(),
        method("agents.update", ADMIN, "Changes an agent; what is not named stays", update)
            .changing_settings(),
        method("agents.delete", ADMIN, "Takes an agent out of the config; its files stay", delete)
            .changing_settings(),
        method("agents.files.list", READ, "The instruction files of an agent", files),
        method("agents.files.get", READ, "One instruction file of an agent", file),
        method("agents.files.set", ADMIN, "Writes one instruction file of an agent", write_file),
    ]
}

/// A new agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct CreateParams {
    /// Its name for people; its id is made from this.
    name: String,
    /// The place where it works; a folder of its own if none is named.
    workspace: Option<String>,
    /// The model that answers, as `provider/model`.
    model: Option<String>,
    /// Its sign.
    emoji: Option<String>,
    /// Its picture.
    avatar: Option<String>,
}

/// What shall be another about an agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct UpdateParams {
    /// The agent.
    agent_id: String,
    /// Its name for people.
    name: Option<String>,
    /// Its working folder.
    workspace: Option<String>,
    /// The model that answers, as `provider/model`.
    model: Option<String>,
    /// Its sign.
    emoji: Option<String>,
    /// Its picture.
    avatar: Option<String>,
}

/// An agent that goes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct DeleteParams {
    /// The agent.
    agent_id: String,
    /// Known to other gateways; files are never deleted here.
    #[serde(rename = "deleteFiles")]
    _delete_files: Option<bool>,
}

/// Whose files.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FilesParams {
    /// The agent.
    agent_id: String,
}

/// The file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FileParams {
    /// The agent.
    agent_id: String,
    /// Its name, such as `AGENTS.md`.
    name: String,
}

/// What a file shall say.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WriteFileParams {
    /// The agent.
    agent_id: String,
    /// Its name, such as `AGENTS.md`.
    name: String,
    /// Everything it shall say.
    content: String,
}

/// An agent that was made.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Created {
    /// Always true.
    ok: bool,
    /// Its id.
    agent_id: String,
    /// Its name for people.
    name: String,
    /// Its working folder.
    workspace: String,
}

/// An agent that was changed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Updated {
    /// Always true.
    ok: bool,
    /// Its id.
    agent_id: String,
    /// Its current values.
    agent: AgentRow,
}

/// An agent that is gone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Deleted {
    /// Always true.
    ok: bool,
    /// Its id.
    agent_id: String,
    /// The number of bindings that led to it and are gone, too.
    removed_bindings: usize,
    /// Always true: its workspace is as it was.
    files_kept: bool,
}

/// Instruction files.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FileList {
    /// The agent.
    agent_id: String,
    /// Its working folder.
    workspace: String,
    /// The files, whether or not they are there.
    files: Vec<AgentFile>,
}

/// One instruction file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OneFile {
    /// Always true.
    ok: bool,
    /// The agent.
    agent_id: String,
    /// Its working folder.
    workspace: String,
    /// The file.
    file: AgentFile,
}

async fn list(call: Call, _: Nothing) -> Result<AgentsReport, Refusal> {
    call.work(|gateway| Ok(gateway.live.engine().agents()?)).await
}

async fn create(call: Call, params: CreateParams) -> Result<Created, Refusal> {
    call.write(move |gateway, consent| {
        let CreateParams { name, workspace, model, emoji, avatar } = params;
        let draft = AgentDraft { name: Some(name), workspace, model, emoji, avatar };
        let agent = gateway.live.engine().create_agent(&draft, consent)?;
        gateway.live.refresh(ChangeReason::ConfigChange);
        let name = agent.name.unwrap_or_default();
        Ok(Created { ok: true, agent_id: agent.id, name, workspace: agent.workspace })
    })
    .await
}

async fn update(call: Call, params: UpdateParams) -> Result<Updated, Refusal> {
    call.write(move |gateway, consent| {
        let UpdateParams { agent_id, name, workspace, model, emoji, avatar } = params;
        let draft = AgentDraft { name, workspace, model, emoji, avatar };
        let agent = gateway.live.engine().update_agent(&agent_id, &draft, consent)?;
        gateway.live.refresh(ChangeReason::ConfigChange);
        Ok(Updated { ok: true, agent_id: agent.id.clone(), agent })
    })
    .await
}

async fn delete(call: Call, params: DeleteParams) -> Result<Deleted, Refusal> {
    call.write(move |gateway, consent| {
        let removed_bindings = gateway.live.engine().delete_agent(&params.agent_id, consent)?;
        gateway.live.refresh(ChangeReason::ConfigChange);
        Ok(Deleted { ok: true, agent_id: params.agent_id, removed_bindings, files_kept: true })
    })
    .await
}

async fn files(call: Call, params: FilesParams) -> Result<FileList, Refusal> {
    call.work(move |gateway| {
        let (agent_id, workspace) = place_of(gateway, &params.agent_id)?;
        let files = gateway.live.engine().agent_files(Some(&agent_id))?;
        Ok(FileList { agent_id, workspace, files })
    })
    .await
}

async fn file(call: Call, params: FileParams) -> Result<OneFile, Refusal> {
    call.work(move |gateway| {
        let (agent_id, workspace) = place_of(gateway, &params.agent_id)?;
        let file = gateway.live.engine().agent_file(Some(&agent_id), &params.name)?;
        Ok(OneFile { ok: true, agent_id, workspace, file })
    })
    .await
}

async fn write_file(call: Call, params: WriteFileParams) -> Result<OneFile, Refusal> {
    call.work(move |gateway| {
        let WriteFileParams { agent_id, name, content } = &params;
        let (agent_id, workspace) = place_of(gateway, agent_id)?;
        let file = gateway.live.engine().write_agent_file(Some(&agent_id), name, content)?;
        Ok(OneFile { ok: true, agent_id, workspace, file })
    })
    .await
}

/// An agent's own id and where it works. The empty id does not mean the default agent here.
fn place_of(gateway: &Gateway, agent: &str) -> Result<(String, String), Refusal> {
    if agent.trim().is_empty() {
        return Err(Refusal::new(ErrorKind::UnknownAgent, "unknown agent id \"\""));
    }
    let engine = gateway.live.engine();
    let id = engine.config().agent(Some(agent)).map_err(prowess_context::ContextError::from)?.id;
    let workspace = engine.workspace(Some(&id))?.display().to_string();
    Ok((id, workspace))
}
