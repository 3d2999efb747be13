//! The folders that skills are installed into, and the lock files that list them.

use std::path::{Path, PathBuf};

use prowess_config::Places;
use prowess_context::{Context, ContextError};
use prowess_install::{CompanionRoot, Home};
use prowess_registry::ClawhubLock;
use prowess_types::ProfileName;

/// The entries of a workspace's own folder that do not belong into a repository.
const IGNORED: &str = "/base/\n/trash/\n/install*\n/lock.json.*\n";

/// The key of the forge's folder among the companions of a home.
pub const FORGE: &str = "forge";

/// For whom a skill is installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InstallScope {
    /// For one workspace.
    #[default]
    Workspace,
    /// For all workspaces of this user.
    Global,
}

/// The folders of a scope.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) home: Home,
    /// The base of relative sources in the lock, and the folder of other tools' lock files.
    pub(super) root: PathBuf,
    pub(super) scope: InstallScope,
}

impl Target {
    pub(super) fn resolve(
        context: &Context,
        scope: InstallScope,
        agent: Option<&str>,
        workspace: Option<&Path>,
    ) -> Result<Self, ContextError> {
        let places = context.places();
        let profile = context.profile().name;
        let (root, skills, state) = match scope {
            InstallScope::Workspace => {
                let workspace = workspace.map_or_else(|| context.workspace(agent), |it| Ok(it.to_owned()))?;
                let state = workspace_state(&workspace, places);
                (workspace.clone(), workspace.join("skills"), state)
            }
            InstallScope::Global if profile == ProfileName::Prowess => {
                (places.state.clone(), places.managed(), places.state.clone())
            }
            InstallScope::Global => (places.state.clone(), places.managed(), places.state.join(".prowess")),
        };
        let mut home = Home::new(skills, state);
        if scope == InstallScope::Global {
            // A promotion changes a draft's record in one step with the skill. Only the user's own state may name it.
            let path = places.state.join("forge");
            home.companions.insert(FORGE.to_owned(), CompanionRoot { path, is_private: true });
        }
        home.mirror = (profile == ProfileName::Openclaw).then(|| root.join(ClawhubLock::PLACE));
        Ok(Self { home, root, scope })
    }

    /// Keeps what is only of use on this machine out of repositories. The lock file is meant to be in them.
    pub(super) fn ignore_what_is_local(&self) -> Result<(), prowess_fs::WriteError> {
        let file = self.home.state.join(".gitignore");
        if self.scope == InstallScope::Global || prowess_fs::is_taken(&file) {
            return Ok(());
        }
        prowess_fs::write_atomic(&file, IGNORED.as_bytes(), None)
    }
}

/// Returns the folder of the skills of a scope and its lock.
pub fn home_of(context: &Context, scope: InstallScope, agent: Option<&str>) -> Result<Home, ContextError> {
    Ok(Target::resolve(context, scope, agent, None)?.home)
}

/// A workspace's own folder. Where the workspace is the home of the user, that name is taken by the user's state.
fn workspace_state(workspace: &Path, places: &Places) -> PathBuf {
    let state = workspace.join(".prowess");
    if state == places.state { state.join("workspace") } else { state }
}
