//! Workspaces that expose more than a project: the home folder, a folder above it, the state folder.
//!
//! Everything in a workspace can be read, and with consent changed, by the model. So a run in such a folder starts
//! only after the user said yes to that folder. Answers are kept in `workspaces.json` in the state folder. The state
//! folder itself stays out of reach in any case (`protect.rs`).

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use prowess_context::Context;
use prowess_fs::UpdateError;
use serde_json::{Map, Value};

use super::RunError;

const FILE: &str = "workspaces.json";
const VERSION: u64 = 1;
/// A larger file is not read.
const MAX_BYTES: u64 = 1024 * 1024;
/// The time to wait for another process that holds the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// The beginnings of the names of folders that are workspaces, skills, tools or copies of skills in a state folder.
const FOR_RUNS: [&str; 4] = ["workspace", "sandbox", "skills", "tools"];
/// Folders of the engine itself, which no setting makes a workspace.
const OF_ENGINE: [&str; 17] = [
    ".prowess",
    "cache",
    "cortex",
    "credentials",
    "cron",
    "devices",
    "forge",
    "gateway",
    "harness",
    "identity",
    "logs",
    "models",
    "nodes",
    "registry",
    "sessions",
    "skill-cortex",
    "trash",
];
/// The same in the folder of one agent.
const OF_AGENT: [&str; 2] = ["agent", "sessions"];

/// A workspace that exposes more than a project.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the workspace `{}` {exposure}", path.display())]
pub struct ExposedWorkspace {
    /// The folder, with every link resolved.
    pub path: PathBuf,
    /// The way it does so.
    pub exposure: Exposure,
}

impl prowess_types::Classify for ExposedWorkspace {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        let kind = if self.may_be_allowed() {
            prowess_types::ErrorKind::NotAgreed
        } else {
            prowess_types::ErrorKind::Refused
        };
        prowess_types::ErrorClass::Is(kind)
    }
}

/// The way a workspace exposes more than a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exposure {
    /// It is the home folder.
    Home,
    /// The home folder lies below it.
    AboveHome,
    /// The state folder lies below it.
    AboveState,
    /// It is the state folder, or a part of it that is not for runs.
    State,
}

impl fmt::Display for Exposure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Home => "is your home folder: the model could read every file below it, keys included",
            Self::AboveHome => {
                "contains your home folder: the model could read every file below it, keys included"
            }
            Self::AboveState => "contains the state folder of Prowess",
            Self::State => "belongs to the state folder of Prowess",
        })
    }
}

impl ExposedWorkspace {
    /// The stable name of the condition, for clients.
    pub const CODE: &'static str = "WORKSPACE_EXPOSED";

    /// Returns true if a user may allow it. The state folder is never a workspace.
    pub fn may_be_allowed(&self) -> bool {
        self.exposure != Exposure::State
    }
}

/// The reason an answer about a workspace was not kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceAnswerError {
    /// The folder cannot be allowed.
    #[error(transparent)]
    Exposed(#[from] ExposedWorkspace),
    /// The file of answers is damaged.
    #[error("`{}` is not a file of answers; repair it or delete it", .0.display())]
    Damaged(PathBuf),
    /// The file of answers cannot be written.
    #[error("cannot keep the answer")]
    Write(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl prowess_types::Classify for WorkspaceAnswerError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Exposed(error) => Of(error),
            Self::Damaged(_) => Is(ErrorKind::Damaged),
            Self::Write(_) => Is(ErrorKind::Files),
        }
    }
}

/// Returns the exposure of an agent's workspace; none if that is just a project, or the user allowed it.
pub fn exposed_workspace(
    context: &Context,
    agent: Option<&str>,
) -> Result<Option<ExposedWorkspace>, RunError> {
    let agent = context.config().agent(agent)?;
    let workspace = context.places().workspace(context.config(), &agent);
    let exposed = exposure_of(context, &workspace);
    Ok(exposed.filter(|it| !(it.may_be_allowed() && is_allowed_workspace(context, &it.path))))
}

/// Remembers that the user allows this workspace, for every agent in it. `at` is the time, in the caller's words.
pub fn allow_workspace(
    context: &Context,
    exposed: &ExposedWorkspace,
    at: &str,
) -> Result<(), WorkspaceAnswerError> {
    if !exposed.may_be_allowed() {
        return Err(exposed.clone().into());
    }
    let file = workspaces_file(context);
    let key = exposed.path.display().to_string();
    let updated = prowess_fs::update_file(&file, LOCK_TIMEOUT, |text| {
        let mut document = match text.as_deref() {
            None => Map::new(),
            Some(text) => match serde_json::from_str(text) {
                Ok(Value::Object(document)) => document,
                _ => return Err(WorkspaceAnswerError::Damaged(file.clone())),
            },
        };
        document.entry("version").or_insert_with(|| VERSION.into());
        let allowed = document.entry("allowed").or_insert_with(|| Map::new().into());
        let Value::Object(allowed) = allowed else {
            return Err(WorkspaceAnswerError::Damaged(file.clone()));
        };
        allowed.insert(key.clone(), serde_json::json!({ "at": at }));
        Ok(Some(format!("{:#}\n", Value::Object(document))))
    });
    match updated {
        Ok(_) => Ok(()),
        Err(UpdateError::Edit(error)) => Err(error),
        Err(error) => Err(WorkspaceAnswerError::Write(Box::new(error))),
    }
}

/// Refuses a run in a workspace that exposes more than a project and was not allowed.
pub(super) fn check_workspace(context: &Context, agent: Option<&str>) -> Result<(), RunError> {
    exposed_workspace(context, agent)?.map_or(Ok(()), |exposed| Err(exposed.into()))
}

fn workspaces_file(context: &Context) -> PathBuf {
    context.places().state.join(FILE)
}

/// A file that cannot be read allows nothing.
fn is_allowed_workspace(context: &Context, path: &Path) -> bool {
    let Ok(bytes) = prowess_fs::read_file(&workspaces_file(context), MAX_BYTES) else { return false };
    let document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let allowed = document.get("allowed").and_then(Value::as_object);
    allowed.is_some_and(|allowed| allowed.contains_key(&path.display().to_string()))
}

fn exposure_of(context: &Context, workspace: &Path) -> Option<ExposedWorkspace> {
    let path = real(workspace);
    let places = context.places();
    let home = real(&places.os_home);
    let states = state_folders(context);
    let is_state = |state: &PathBuf| path.starts_with(state);
    let exposure = if states.iter().any(is_state) && !is_workspace_in_state(context, workspace) {
        Exposure::State
    } else if path == home {
        Exposure::Home
    } else if home.starts_with(&path) {
        Exposure::AboveHome
    } else if states.iter().any(|state| state.starts_with(&path)) {
        Exposure::AboveState
    } else {
        return None;
    };
    Some(ExposedWorkspace { path, exposure })
}

/// Returns true if agents work in a folder of the state folder: by its name, or because the config says so.
pub(super) fn is_workspace_in_state(context: &Context, workspace: &Path) -> bool {
    let path = real(workspace);
    let names: BTreeSet<Vec<String>> =
        state_folders(context).iter().filter_map(|state| names_below(&path, state)).collect();
    let is_for_runs = |names: &Vec<String>| match names.as_slice() {
        [] => false,
        [agents, _, inner, ..] if agents == "agents" => {
            inner.starts_with("workspace")
                || (is_configured(context, &path) && !OF_AGENT.contains(&inner.as_str()))
        }
        [first, ..] => {
            FOR_RUNS.iter().any(|name| first.starts_with(name))
                || (is_configured(context, &path)
                    && first != "agents"
                    && !OF_ENGINE.contains(&first.as_str()))
        }
    };
    !names.is_empty() && names.iter().all(is_for_runs)
}

/// Returns true if the config names this folder as a workspace.
fn is_configured(context: &Context, path: &Path) -> bool {
    let of_agents = context.config().agent_ids().into_iter().filter_map(|id| {
        let agent = context.config().agent(Some(&id)).ok()?;
        agent.workspace.is_some().then(|| context.places().workspace(context.config(), &agent))
    });
    let shared = context.config().shared_workspaces();
    let shared = shared.iter().map(|path| context.places().expand(path));
    of_agents.chain(shared).any(|folder| path.starts_with(real(&folder)))
}

fn state_folders(context: &Context) -> [PathBuf; 2] {
    let places = context.places();
    let own = places.cache.parent().unwrap_or(&places.state);
    [real(&places.state), real(own)]
}

/// The path with every link resolved; what does not exist yet stays as it is spelled, below what does.
fn real(path: &Path) -> PathBuf {
    let existing = path.ancestors().find_map(|folder| Some((folder, prowess_fs::real(folder)?)));
    match existing {
        Some((folder, real)) => match path.strip_prefix(folder) {
            Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
            _ => real,
        },
        None => path.to_owned(),
    }
}

/// The names of a path below a folder; none if it does not lie there.
fn names_below(path: &Path, folder: &Path) -> Option<Vec<String>> {
    let below = path.strip_prefix(folder).ok()?;
    let name = |part: Component<'_>| part.as_os_str().to_string_lossy().into_owned();
    Some(below.components().map(name).collect())
}
