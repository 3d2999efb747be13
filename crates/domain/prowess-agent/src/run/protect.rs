//! The places out of reach of a run: the whole state folder but for what a run needs.

use std::path::{Path, PathBuf};

use prowess_context::Context;
use prowess_run::process::{Sandbox, SandboxMode};
use prowess_run::{ProtectedPlaces, RunContext, RunSkill};

use super::workspace::is_workspace_in_state;

/// Folders below the state folder that a run may use: managed skills, and the programs that were installed for them.
const OPEN: [&str; 2] = ["skills", "tools"];
/// Folders below the state folder whose files are keys and tokens, beside the files directly in it.
const SECRET: [&str; 6] = ["gateway", ".prowess/gateway", "credentials", "identity", "devices", "nodes"];
/// More files than a state folder has.
const MAX_FILES: usize = 10_000;

/// Returns the places out of reach of every program that is run: the state folder, the own home of other
/// profiles, the config file wherever it lies.
pub fn protected_places(context: &Context) -> ProtectedPlaces {
    let places = context.places();
    let mut protected = ProtectedPlaces::default();
    let own = places.cache.parent().unwrap_or(&places.state);
    for home in [places.state.as_path(), own] {
        protected.hidden.push(home.to_owned());
        protected.open.extend(OPEN.map(|name| home.join(name)));
        protected.secrets.extend(SECRET.map(|name| home.join(name)));
        protected.secrets.extend(files_in(home));
        protected
            .secrets
            .extend(prowess_fs::subfolders(&home.join("agents")).iter().map(|it| it.join("agent")));
    }
    protected.hidden.push(places.config_file.clone());
    protected.secrets.push(places.config_file.clone());
    protected.open.extend(workspaces_in_state(context));
    protected.open.extend(context.config().run().sandbox.map(|sandbox| places.expand(&sandbox.dir)));
    protected
}

/// The same for a run with these skills, whose folders may lie in the state folder.
pub(super) fn protected_for(context: &Context, skills: &[RunSkill]) -> ProtectedPlaces {
    let mut protected = protected_places(context);
    protected.open.extend(skills.iter().map(|skill| skill.folder.clone()));
    protected
}

/// Programs write in the workspace only, and do not read where the engine keeps its secrets.
pub(super) fn run_sandbox(context: &Context, run: &RunContext) -> Sandbox {
    Sandbox {
        mode: sandbox_mode(context),
        writable: vec![run.workspace.clone()],
        protected: run.protected.clone(),
    }
}

/// Returns the confinement of programs.
pub fn sandbox_mode(context: &Context) -> SandboxMode {
    context.config().run().landlock
}

/// The workspaces of agents that lie in the state folder, as they do in other profiles.
fn workspaces_in_state(context: &Context) -> Vec<PathBuf> {
    let agents = context.config().agent_ids().into_iter().map(Some).chain([None]);
    let workspaces = agents.filter_map(|id| {
        let agent = context.config().agent(id.as_deref()).ok()?;
        Some(context.places().workspace(context.config(), &agent))
    });
    workspaces.filter(|workspace| is_workspace_in_state(context, workspace)).collect()
}

/// The files directly in a folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = prowess_fs::list_all(folder, MAX_FILES, 0).entries;
    entries
        .into_iter()
        .filter(|entry| matches!(entry.kind, prowess_fs::EntryKind::File { .. }))
        .map(|entry| entry.path)
        .collect()
}
