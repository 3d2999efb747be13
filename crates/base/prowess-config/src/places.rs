//! Where everything is: a pure computation from the profile, the environment and the command line.
//!
//! Nothing here looks at a file. Whether a place exists is found out by whoever opens it.

use std::path::{Path, PathBuf};

use prowess_types::ProfileName;
use prowess_types::path_text::spelled_out;

use crate::agents::Agent;
use crate::profile::{Place, RelativeTo, Workspaces};
use crate::{Config, Env, Profile, profile};

/// What the command line says about places. Relative paths are relative to the working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The state directory.
    pub home: Option<PathBuf>,
    /// The config file.
    pub config: Option<PathBuf>,
    /// The workspace.
    pub workspace: Option<PathBuf>,
    /// The bundled skills.
    pub bundled: Option<PathBuf>,
}

/// The reason places cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlacesError {
    /// There is no home directory.
    #[error("`HOME` is not set, so the home directory is unknown")]
    NoHome,
}

impl prowess_types::Classify for PlacesError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::NoHome)
    }
}

/// The paths of a profile on this machine. All of them are absolute if the working directory is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The user's home.
    pub os_home: PathBuf,
    /// True if a shell reads `~` as [`Self::os_home`].
    pub tilde_is_home: bool,
    /// The state directory.
    pub state: PathBuf,
    /// True if the state directory is where it is by default.
    pub state_is_default: bool,
    /// The user's config file.
    pub config_file: PathBuf,
    /// The folder for recomputable data; ours in every profile.
    pub cache: PathBuf,
    /// The personal root, where the profile has one.
    pub personal: Option<PathBuf>,
    /// The bundled skills, if they were moved.
    pub bundled_override: Option<PathBuf>,
    rules: &'static Profile,
    /// What `~` means in the config.
    tilde: PathBuf,
    cwd: PathBuf,
    workspace_override: Option<PathBuf>,
}

/// What besides the profile decides where a root is.
#[derive(Clone, Copy, Debug)]
pub struct RootContext<'a> {
    /// The config.
    pub config: &'a Config,
    /// The agent.
    pub agent: &'a Agent,
    /// Its workspace.
    pub workspace: &'a Path,
    /// The bundled skills, once they were found.
    pub bundled: Option<&'a Path>,
}

impl Places {
    /// Computes the places of a profile.
    pub fn resolve(rules: &'static Profile, env: &Env, overrides: &Overrides) -> Result<Self, PlacesError> {
        let cwd = env.cwd();
        let is_set = |value: &&str| !rules.places.no_home.contains(value);
        let own_home = env.trimmed("HOME").filter(is_set);
        let home = own_home.or_else(|| env.trimmed("USERPROFILE").filter(is_set)).map(Path::new);
        // Without a home of the user's, the state directory is all the home there is.
        let home = home.or(overrides.home.as_deref()).ok_or(PlacesError::NoHome)?;
        let os_home = absolute(home, cwd);
        let named = |name: &str, tilde: &Path| env.trimmed(name).map(|path| expand(path, tilde, cwd));
        let given = |path: &Option<PathBuf>| path.as_deref().map(|path| absolute(path, cwd));

        let places = &rules.places;
        let moved_home = places.home_env.filter(|name| env.trimmed(name).is_some_and(|value| is_set(&value)));
        let tilde = moved_home.and_then(|name| named(name, &os_home)).unwrap_or_else(|| os_home.clone());
        let config = given(&overrides.config).or_else(|| named(places.config_env?, &tilde));
        let default_state = tilde.join(places.state_folder);
        let moved_state = given(&overrides.home).or_else(|| named(places.state_env, &tilde));
        let followed = config.as_deref().filter(|_| places.state_follows_config).and_then(Path::parent);
        let state_is_default = moved_state.as_ref().is_none_or(|moved| *moved == default_state);
        let state = moved_state.or_else(|| followed.map(Into::into)).unwrap_or(default_state);

        let has_personal = rules.roots.iter().any(|root| root.place == Place::Personal)
            && (state_is_default || !places.personal_needs_default_state);
        let bundled = places.bundled_env.iter().find_map(|name| named(name, &tilde));
        Ok(Self {
            cache: Self::own_home(rules, &state, env, &os_home).join("cache"),
            config_file: config.unwrap_or_else(|| state.join(rules.config_file)),
            personal: has_personal.then(|| os_home.join(".agents/skills")),
            bundled_override: given(&overrides.bundled).or(bundled),
            workspace_override: given(&overrides.workspace),
            cwd: cwd.into(),
            tilde_is_home: own_home.is_some(),
            os_home,
            state,
            state_is_default,
            rules,
            tilde,
        })
    }

    /// Prowess's own home, whichever profile is followed.
    fn own_home(rules: &Profile, state: &Path, env: &Env, os_home: &Path) -> PathBuf {
        if rules.name == ProfileName::Prowess {
            return state.into();
        }
        let own = profile(ProfileName::Prowess).places;
        env.trimmed(own.state_env)
            .map_or_else(|| os_home.join(own.state_folder), |path| expand(path, os_home, env.cwd()))
    }

    /// The profile whose places these are.
    pub fn profile(&self) -> &'static Profile {
        self.rules
    }

    /// The skills that were installed for all workspaces.
    pub fn managed(&self) -> PathBuf {
        self.state.join("skills")
    }

    /// The config file of a workspace; ours in every profile.
    pub fn project_config(workspace: &Path) -> PathBuf {
        workspace.join(".prowess/config.json")
    }

    /// A configured path: `~` is the home, relative paths are relative to what the profile says.
    pub fn expand(&self, path: &str) -> PathBuf {
        let base = match self.rules.places.relative_to {
            RelativeTo::ConfigFile => self.config_file.parent().unwrap_or(&self.cwd),
            RelativeTo::WorkingDirectory => &self.cwd,
        };
        self.expand_in(path, base)
    }

    /// A configured path: `~` is the home, relative paths are relative to `base`.
    pub fn expand_in(&self, path: &str, base: &Path) -> PathBuf {
        expand(path, &self.tilde, base)
    }

    /// Where an agent works: the command line, its own `workspace`, `agents.defaults.workspace`, or
    /// what the profile says.
    pub fn workspace(&self, config: &Config, agent: &Agent) -> PathBuf {
        if let Some(workspace) = &self.workspace_override {
            return workspace.clone();
        }
        if let Some(workspace) = &agent.workspace {
            return self.expand(workspace);
        }
        let shared = config.text("agents.defaults.workspace").map(|path| self.expand(&path));
        match self.rules.workspaces {
            Workspaces::WorkingDirectory => shared.unwrap_or_else(|| self.cwd.clone()),
            Workspaces::WorkspaceDir => shared
                .or_else(|| Some(self.expand(&config.text("workspaceDir")?)))
                .unwrap_or_else(|| self.state.join("workspace")),
            Workspaces::PerAgent if agent.is_default => {
                shared.unwrap_or_else(|| self.state.join("workspace"))
            }
            Workspaces::PerAgent => match shared {
                Some(shared) => shared.join(&agent.id),
                None => self.state.join(format!("workspace-{}", agent.id)),
            },
        }
    }

    /// The folders of one kind of root, the lowest rank first. Those of plugins are known only after
    /// their manifests were read, so there are none here.
    pub fn roots(&self, place: Place, context: RootContext<'_>) -> Vec<PathBuf> {
        let RootContext { config, agent, workspace, bundled } = context;
        let one = match place {
            Place::ExtraDirs => {
                return config.load().extra_dirs.iter().map(|path| self.expand(path)).collect();
            }
            Place::Plugins => None,
            Place::Bundled => bundled.map(Into::into),
            Place::Custodian => bundled
                .and_then(Path::parent)
                .filter(|_| config.system_agent().as_ref() == Some(&agent.id))
                .map(|package| package.join("custodian-skills")),
            Place::Workshop => Some(self.agent_dir(agent).join("workshop-skills")),
            Place::Managed | Place::Local => Some(self.managed()),
            Place::Personal => self.personal.clone(),
            Place::Project => Some(workspace.join(".agents/skills")),
            Place::Workspace => Some(workspace.join("skills")),
        };
        one.into_iter().collect()
    }

    fn agent_dir(&self, agent: &Agent) -> PathBuf {
        match &agent.agent_dir {
            Some(path) => self.expand(path),
            None => self.state.join("agents").join(&agent.id).join("agent"),
        }
    }
}

fn expand(path: &str, tilde: &Path, base: &Path) -> PathBuf {
    let path = path.trim();
    match path.strip_prefix('~') {
        Some("") => tilde.into(),
        Some(rest) if rest.starts_with(['/', '\\']) => {
            absolute(Path::new(rest.trim_start_matches(['/', '\\'])), tilde)
        }
        _ => absolute(Path::new(path), base),
    }
}

/// A path below `base` unless it is absolute, without `.` and `..`.
fn absolute(path: &Path, base: &Path) -> PathBuf {
    spelled_out(&base.join(path))
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
