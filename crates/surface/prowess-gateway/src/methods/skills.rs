//! `skills.*`: what there is, what it needs, and what it says.

use std::collections::{BTreeMap, BTreeSet};

use prowess_acquire::scan_path;
use prowess_catalog::CommandSpec;
use prowess_inventory::{Inventory, NameLookup, SkillEntry, SkillText, StatusReport, Why};
use prowess_match::{AgentView, StaleEdit};
use prowess_scan::Report;
use prowess_text::describe_error;
use prowess_types::ErrorKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Nothing;
use crate::access::{Access, Scope};
use crate::message::{Written, write};
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method, method_in_writing};

const READ: Access = Access::Operator(Scope::Read);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method_in_writing::<AgentParams, StatusAnswer, _, _>(
            "skills.status",
            READ,
            "Every skill of an agent, with what it needs and what it lacks",
            status,
        ),
        method("skills.bins", Access::Node, "The programs that skills of any agent ask for", bins),
        method("skills.commands", READ, "The slash commands of an agent", commands),
        method("skills.why", READ, "Every rule that decided about one skill, in order", why),
        method("skills.read", READ, "The text of a skill and its files", read),
        method("skills.skillCard", READ, "The page about a skill for people, if it has one", card),
        method("skills.scan", READ, "What a skill would do: verdict, findings, capabilities", scan),
    ]
}

/// The agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct AgentParams {
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
    /// Known to other gateways; skills do not depend on it here.
    #[serde(rename = "sessionKey")]
    _session_key: Option<String>,
}

/// The skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SkillParams {
    /// Its key or its name.
    skill_key: String,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

/// Which file of a skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ReadParams {
    /// The skill's key or its name.
    skill_key: String,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
    /// A file below the skill's folder; its `SKILL.md` if none is named.
    file: Option<String>,
}

/// What there is, and what clients need around it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StatusAnswer {
    #[serde(flatten)]
    report: StatusReport,
    /// What the agent is told. A session whose snapshot has another id still works with an older one.
    snapshot: SnapshotNote,
    /// By key: what is set for a skill, without secrets.
    settings: BTreeMap<String, SettingsNote>,
    /// Where programs that skills need, and skills themselves, are installed for.
    install_target: InstallTarget,
    /// Edits that could not be used; the last good versions are.
    stale_edits: Vec<StaleEdit>,
    /// The reason why the workspace's config could not be read; the last good one is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    config_problem: Option<String>,
}

/// Which snapshot an agent gets.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SnapshotNote {
    /// The hash of its content.
    id: String,
    /// Its version; it rises.
    version: u64,
}

/// What is set for a skill.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SettingsNote {
    /// True if it was switched on or off.
    #[serde(skip_serializing_if = "Option::is_none")]
    enabled: Option<bool>,
    /// True if a key is stored.
    has_api_key: bool,
    /// The variables that are stored.
    env: BTreeSet<String>,
}

/// Whose workspace installs work in.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InstallTarget {
    /// The agent.
    pub(super) agent_id: String,
    /// Its workspace.
    pub(super) workspace: String,
    /// True if it is the default agent.
    pub(super) is_default: bool,
}

/// Programs.
#[derive(Debug, Serialize, JsonSchema)]
struct Bins {
    /// Their names, sorted.
    bins: BTreeSet<String>,
}

/// Slash commands.
#[derive(Debug, Serialize, JsonSchema)]
struct Commands {
    /// The commands, in the order of the skills.
    commands: Vec<CommandSpec>,
}

/// A page about a skill.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Card {
    /// The skill's key.
    skill_key: String,
    /// The place where the page is.
    path: String,
    /// Its size in bytes.
    size_bytes: u64,
    /// Its text.
    content: String,
}

/// What the scanner saw.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ScanAnswer {
    /// The skill's name.
    name: String,
    /// Its key.
    skill_key: String,
    #[serde(flatten)]
    report: Report,
}

/// The report may be older than the call, but not older than what it reports.
async fn status(call: Call, params: AgentParams) -> Result<Written, Refusal> {
    call.work(move |gateway| {
        let view = gateway.live.view(params.agent_id.as_deref())?;
        gateway.desk.report(&view, || write("skills.status", &status_answer(gateway, &view)?))
    })
    .await
}

fn status_answer(gateway: &Gateway, view: &AgentView) -> Result<StatusAnswer, Refusal> {
    let engine = gateway.live.engine();
    let settings = view.inventory().entries.iter().map(|entry| {
        let key = entry.skill.key();
        let set = engine.config().entry(key);
        let note = SettingsNote { enabled: set.enabled, has_api_key: set.has_api_key, env: set.env_names };
        (key.to_owned(), note)
    });
    Ok(StatusAnswer {
        report: view.inventory().status(),
        snapshot: snapshot_note(view),
        settings: settings.collect(),
        install_target: install_target(gateway, None)?,
        stale_edits: view.stale_edits().to_vec(),
        config_problem: view.config_problem().map(ToOwned::to_owned),
    })
}

pub(super) fn snapshot_note(view: &AgentView) -> SnapshotNote {
    SnapshotNote { id: view.snapshot().id().to_owned(), version: view.snapshot().version() }
}

/// Whose workspace installs work in: the default agent's, unless another one is named.
pub(super) fn install_target(gateway: &Gateway, agent: Option<&str>) -> Result<InstallTarget, Refusal> {
    let engine = gateway.live.engine();
    let agent = engine.config().agent(agent).map_err(prowess_context::ContextError::from)?;
    let workspace = engine.workspace(Some(&agent.id))?.display().to_string();
    Ok(InstallTarget { workspace, agent_id: agent.id, is_default: agent.is_default })
}

async fn bins(call: Call, _: Nothing) -> Result<Bins, Refusal> {
    call.work(|gateway| {
        let mut bins = BTreeSet::new();
        for agent in gateway.live.engine().config().agent_ids() {
            for entry in &gateway.live.view(Some(&agent))?.inventory().entries {
                let skill = &entry.skill;
                bins.extend(skill.requirements.bins.iter().chain(&skill.requirements.any_bins).cloned());
                bins.extend(skill.metadata.install.iter().flat_map(|spec| spec.bins.iter().cloned()));
            }
        }
        Ok(Bins { bins })
    })
    .await
}

async fn commands(call: Call, params: AgentParams) -> Result<Commands, Refusal> {
    call.work(move |gateway| {
        let view = gateway.live.view(params.agent_id.as_deref())?;
        Ok(Commands { commands: view.inventory().commands() })
    })
    .await
}

async fn why(call: Call, params: SkillParams) -> Result<Why, Refusal> {
    call.work(move |gateway| {
        let view = gateway.live.view(params.agent_id.as_deref())?;
        view.inventory().why(&params.skill_key).ok_or_else(|| no_skill(&params.skill_key))
    })
    .await
}

async fn read(call: Call, params: ReadParams) -> Result<SkillText, Refusal> {
    call.work(move |gateway| {
        let view = gateway.live.view(params.agent_id.as_deref())?;
        let entry = entry_of(view.inventory(), &params.skill_key)?;
        Ok(gateway.live.engine().skill_text(entry, params.file.as_deref())?)
    })
    .await
}

async fn card(call: Call, params: SkillParams) -> Result<Card, Refusal> {
    call.work(move |gateway| {
        let view = gateway.live.view(params.agent_id.as_deref())?;
        let entry = entry_of(view.inventory(), &params.skill_key)?;
        let none = || Refusal::not_found(format!("skill \"{}\" has no skill card", params.skill_key));
        let card = view.inventory().skill_status(entry).skill_card.ok_or_else(none)?;
        let text = gateway.live.engine().skill_text(entry, Some("skill-card.md"))?;
        Ok(Card {
            skill_key: text.skill_key,
            path: card.path.display().to_string(),
            size_bytes: card.size_bytes,
            content: text.text,
        })
    })
    .await
}

async fn scan(call: Call, params: SkillParams) -> Result<ScanAnswer, Refusal> {
    call.work(move |gateway| {
        let view = gateway.live.view(params.agent_id.as_deref())?;
        let entry = entry_of(view.inventory(), &params.skill_key)?;
        let scanned = scan_path(&entry.origin.file, &gateway.live.engine().parse_options());
        let scanned = scanned.map_err(|error| Refusal::unavailable(describe_error(&error)))?;
        let scanned = scanned.into_iter().next().ok_or_else(|| no_skill(&params.skill_key))?;
        let (name, skill_key) = (entry.skill.name.clone(), entry.skill.key().to_owned());
        Ok(ScanAnswer { name, skill_key, report: scanned.report })
    })
    .await
}

/// The skill that a key or a name means.
pub(super) fn entry_of<'a>(inventory: &'a Inventory, key: &str) -> Result<&'a SkillEntry, Refusal> {
    if let Some(entry) = inventory.entries.iter().find(|entry| entry.skill.key() == key) {
        return Ok(entry);
    }
    match inventory.find(key) {
        NameLookup::Found(entry) => Ok(entry),
        NameLookup::Missing => Err(no_skill(key)),
        NameLookup::Ambiguous(names) => {
            Err(Refusal::new(ErrorKind::Ambiguous, format!("\"{key}\" could be {}", names.join(", "))))
        }
    }
}

fn no_skill(key: &str) -> Refusal {
    Refusal::not_found(format!("Skill not found: {key}"))
}
