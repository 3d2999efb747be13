//! The context of every use case: one profile, one environment, its places and its config.

mod prior;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use prowess_config::{
    Config, ConfigEdit, ConfigEditError, ConfigFile, ConfigIssue, Env, Overrides, Places, PlacesError,
    Profile, UnknownAgent, profile,
};
use prowess_fs::{FileUpdate, UpdateError};
use prowess_net::NetProxy;
use prowess_types::{ProfileName, RemoteNode};

use crate::bundled::{self, BundledFrom, EmbeddedFile};
use crate::choose_error::ChooseError;
use crate::counts::{Counters, WorkCounts};
use crate::encoders::Encoders;
use crate::models::Models;

pub use prior::{PriorQuery, PriorSource, SelectorPrior};

/// A config file larger than this is not read.
const MAX_CONFIG_BYTES: u64 = 16 * 1024 * 1024;
/// The time to wait for another process that holds the config file.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// The options a context is opened with. Everything it may look at is named here.
#[derive(Clone, Debug, Default)]
pub struct ContextOptions {
    /// The profile: which places and rules to follow.
    pub profile: ProfileName,
    /// The environment, captured once.
    pub env: Env,
    /// Places given on the command line.
    pub overrides: Overrides,
    /// The running program, to find bundled skills beside it.
    pub executable: Option<PathBuf>,
    /// Bundled skills inside the program.
    pub embedded: &'static [EmbeddedFile],
    /// The cache of parsed skills.
    pub cache: Caching,
    /// Other machines whose programs count.
    pub remotes: Vec<RemoteNode>,
    /// The models that encode messages.
    pub models: Models,
    /// The source of the learned prior of selectors; without one, selection follows the message alone.
    pub priors: Option<Arc<dyn PriorSource>>,
}

/// The cache of parsed skills on disk, shared across processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caching {
    /// Parsed skills are kept.
    #[default]
    On,
    /// Everything is read anew.
    Off,
}

/// The reason a context cannot be opened or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// Paths are unknown.
    #[error(transparent)]
    Places(#[from] PlacesError),
    /// There is no such agent.
    #[error(transparent)]
    Agent(#[from] UnknownAgent),
    /// The config file is there but cannot be opened.
    #[error("cannot read the config file")]
    ReadConfig(#[source] prowess_fs::FileReadError),
    /// The config file cannot be changed.
    #[error("cannot change the config file")]
    ChangeConfig(#[source] UpdateError<ConfigEditError>),
    /// The bundled skills cannot be unpacked.
    #[error("cannot unpack the bundled skills")]
    Unpack(#[source] prowess_fs::WriteError),
    /// There can be no thread that watches.
    #[error("cannot start to watch for changes")]
    Watch(#[source] std::io::Error),
}

impl prowess_types::Classify for ContextError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Agent(error) => Of(error),
            // The file is usable; the change is not valid.
            Self::ChangeConfig(UpdateError::Edit(error))
                if !matches!(error, ConfigEditError::Unreadable(_)) =>
            {
                Of(error)
            }
            Self::Places(_) => Is(ErrorKind::NoHome),
            Self::ReadConfig(_) | Self::ChangeConfig(_) => Is(ErrorKind::Config),
            Self::Unpack(_) | Self::Watch(_) => Is(ErrorKind::Environment),
        }
    }
}

/// One profile, one environment, its places and its config. Holds no skills.
#[derive(Clone, Debug)]
pub struct Context {
    options: ContextOptions,
    rules: &'static Profile,
    places: Places,
    config: Config,
    issues: Vec<ConfigIssue>,
    /// Opened for the first message, and shared by all copies of the context.
    encoders: Arc<OnceLock<Arc<Encoders>>>,
    counters: Arc<Counters>,
}

impl Context {
    /// Opens the context: finds its places and reads the config. A config that is not JSON5 counts as empty and is
    /// among the [issues](Self::issues).
    pub fn open(options: ContextOptions) -> Result<Self, ContextError> {
        let rules = profile(options.profile);
        let places = Places::resolve(rules, &options.env, &options.overrides)?;
        let text = read_config(&places.config_file)?;
        let (config, issues) = Config::parse(text.as_deref(), &places.config_file, options.profile);
        let (encoders, counters) = (Arc::default(), Arc::default());
        Ok(Self { options, rules, places, config, issues, encoders, counters })
    }

    /// Returns the same context, with the config as it is now. The encoders stay open if the config asks for the same ones.
    pub fn reopen(&self) -> Result<Self, ContextError> {
        let mut context = Self::open(self.options.clone())?;
        if context.config.matching() == self.config.matching() {
            context.encoders = Arc::clone(&self.encoders);
        }
        context.counters = Arc::clone(&self.counters);
        Ok(context)
    }

    /// Returns a context of another program's installation on this machine, from the places that program uses.
    pub fn of_profile(&self, profile: ProfileName) -> Result<Self, ContextError> {
        Self::open(ContextOptions { profile, overrides: Overrides::default(), ..self.options.clone() })
    }

    /// Returns the same context, with other machines whose programs count.
    #[must_use]
    pub fn with_remotes(&self, remotes: Vec<RemoteNode>) -> Self {
        let mut context = self.clone();
        context.options.remotes = remotes;
        context
    }

    /// Returns the same context, which leaves the cache of parsed skills as it is.
    #[must_use]
    pub fn without_cache(&self) -> Self {
        let mut context = self.clone();
        context.options.cache = Caching::Off;
        context
    }

    /// The profile that is followed.
    pub fn profile(&self) -> &'static Profile {
        self.rules
    }

    /// Returns the places of all files.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The environment it was opened with.
    pub fn env(&self) -> &Env {
        &self.options.env
    }

    /// The proxies that the environment names.
    pub fn proxy(&self) -> Option<NetProxy> {
        NetProxy::from_environment(|name| self.env().trimmed(name))
    }

    /// Other machines whose programs count.
    pub fn remotes(&self) -> &[RemoteNode] {
        &self.options.remotes
    }

    /// The user's config.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the problems in the user's config.
    pub fn issues(&self) -> &[ConfigIssue] {
        &self.issues
    }

    /// Returns the options for parsing skills.
    pub fn parse_options(&self) -> prowess_skill::ParseOptions {
        prowess_skill::ParseOptions { dialect: self.rules.dialect, spec_mode: self.config.spec_mode() }
    }

    /// The workspace of an agent.
    pub fn workspace(&self, agent: Option<&str>) -> Result<PathBuf, ContextError> {
        Ok(self.places.workspace(&self.config, &self.config.agent(agent)?))
    }

    /// The bundled skills, and how they were found.
    pub fn bundled(&self) -> Result<Option<(PathBuf, BundledFrom)>, ContextError> {
        let home = self.places.cache.parent().unwrap_or(&self.places.state);
        bundled::resolve(
            self.places.bundled_override.as_deref(),
            self.options.executable.as_deref(),
            self.options.embedded,
            home,
        )
        .map_err(ContextError::Unpack)
    }

    /// The user's config with that of a workspace on top, and what is wrong in the latter.
    pub fn config_in(&self, workspace: &Path) -> Result<(Config, Vec<ConfigIssue>), ContextError> {
        let file = Places::project_config(workspace);
        let text = read_config(&file)?;
        Ok(self.config.clone().with_project(text.as_deref(), &file))
    }

    /// Our own home, whichever profile is followed.
    pub fn own_home(&self) -> &Path {
        self.places.cache.parent().unwrap_or(&self.places.state)
    }

    /// The encoders of messages and skills, opened on first use.
    pub fn encoders(&self) -> Result<Arc<Encoders>, ChooseError> {
        if let Some(encoders) = self.encoders.get() {
            return Ok(Arc::clone(encoders));
        }
        let settings = self.config.matching();
        let encoders = Encoders::open(&self.options.models, &settings, &self.places, &self.options.env)?;
        Ok(Arc::clone(self.encoders.get_or_init(|| Arc::new(encoders))))
    }

    /// The learned prior of a new selector.
    pub fn prior(&self) -> Option<Box<dyn SelectorPrior>> {
        self.options.priors.as_ref().map(|source| source.open(self))
    }

    /// The counters of work that was done.
    pub fn counts(&self) -> &Counters {
        &self.counters
    }

    /// The work done since the context was opened, by it and its copies.
    pub fn work_counts(&self) -> WorkCounts {
        self.counters.read()
    }

    /// The running program, if that is known.
    pub fn executable(&self) -> Option<&Path> {
        self.options.executable.as_deref()
    }

    /// Returns the folder for recomputable data, if any is kept.
    pub fn cache_folder(&self) -> Option<&Path> {
        (self.options.cache == Caching::On).then_some(self.places.cache.as_path())
    }

    /// Changes the user's config file: atomically, under a lock, from a fresh read, comments kept.
    pub fn change_config(&self, changes: &[ConfigEdit]) -> Result<FileUpdate, ContextError> {
        prowess_fs::update_file(&self.places.config_file, LOCK_TIMEOUT, |text| {
            prowess_config::edit(text.as_deref(), changes, ConfigFile::User(self.rules.name)).map(Some)
        })
        .map_err(ContextError::ChangeConfig)
    }
}

/// Reads a config file. Returns none if there is no such file.
pub fn read_config(file: &Path) -> Result<Option<String>, ContextError> {
    match prowess_fs::read_file(file, MAX_CONFIG_BYTES) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(ContextError::ReadConfig(error)),
    }
}
