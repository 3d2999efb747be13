//! The engine: one profile, one environment, one config.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use prowess_catalog::{Candidate, MergeRules};
use prowess_config::{
    Agent, Change, Config, ConfigFile, ConfigIssue, EditError, Env, FileNameMatch, KeyPath, Overrides, Place,
    Places, PlacesError, Profile, RootContext, RootSpec, UnknownAgent, profile,
};
use prowess_fs::{UpdateError, Updated, WalkRules};
use prowess_gate::{AgentFilter, EntrySettings, InstallPreferences};
use prowess_types::{Loss, ProfileName, RemoteNode, Source, SpecMode};

use crate::bundled::{self, BundledFrom, EmbeddedFile};
use crate::choose::{ChooseError, Encoders, Models};
use crate::counts::{Counters, WorkCounts};
use crate::facts;
use crate::inventory::{self, Gate, Inventory, Rules};
use crate::list_limits::ListLimits;
use crate::load::{Loaded, RootPlan};
use crate::plugins::{self, PluginFolders};
use crate::prompt::PromptSettings;
use crate::sandbox::Locations;
use crate::trust;

/// A config file larger than this is not read.
const MAX_CONFIG_BYTES: u64 = 16 * 1024 * 1024;
/// How long another process may hold the config file.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// What the engine is opened with. Everything it may look at is named here.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// Whose places and rules to follow.
    pub profile: ProfileName,
    /// The environment, captured once.
    pub env: Env,
    /// What the command line says about places.
    pub overrides: Overrides,
    /// The running program, to find bundled skills beside it.
    pub executable: Option<PathBuf>,
    /// Bundled skills inside the program.
    pub embedded: &'static [EmbeddedFile],
    /// Whether parsed skills are kept on disk.
    pub cache: Caching,
    /// Other machines whose programs count.
    pub remotes: Vec<RemoteNode>,
    /// What messages are understood with.
    pub models: Models,
    /// Tools of the host, for every run. The config says by name whether they may be used, as for any other tool.
    #[cfg(feature = "run")]
    pub tools: crate::run::Tools,
}

/// Whether parsed skills are kept on disk across processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caching {
    /// They are.
    #[default]
    On,
    /// Everything is read anew.
    Off,
}

/// What an inventory is made from, before any root is read.
pub(crate) struct Blueprint {
    pub(crate) agent: Agent,
    pub(crate) workspace: PathBuf,
    pub(crate) config: Config,
    pub(crate) plans: Vec<RootPlan>,
    pub(crate) plugin_folders: PluginFolders,
    pub(crate) losses: Vec<Loss>,
    /// Why the workspace's own config could not be read.
    pub(crate) problem: Option<ConfigIssue>,
}

/// Why the engine cannot answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// Paths are unknown.
    #[error(transparent)]
    Places(#[from] PlacesError),
    /// There is no such agent.
    #[error(transparent)]
    Agent(#[from] UnknownAgent),
    /// The config file is there but cannot be opened.
    #[error("cannot read the config file")]
    ReadConfig(#[source] prowess_fs::ReadError),
    /// The config file cannot be changed.
    #[error("cannot change the config file")]
    ChangeConfig(#[source] UpdateError<EditError>),
    /// The bundled skills cannot be unpacked.
    #[error("cannot unpack the bundled skills")]
    Unpack(#[source] prowess_fs::WriteError),
    /// There can be no thread that watches.
    #[error("cannot start to watch for changes")]
    Watch(#[source] std::io::Error),
}

/// The engine. Cheap to open; every question reads the disk as it is now.
#[derive(Clone, Debug)]
pub struct Engine {
    options: EngineOptions,
    rules: &'static Profile,
    places: Places,
    config: Config,
    issues: Vec<ConfigIssue>,
    /// Opened for the first message, and shared by all copies of the engine.
    encoders: Arc<OnceLock<Arc<Encoders>>>,
    counters: Arc<Counters>,
}

impl Engine {
    /// Opens the engine: finds its places and reads the config. A config that is not JSON5 counts as empty and is
    /// among the [issues](Self::issues).
    pub fn open(options: EngineOptions) -> Result<Self, EngineError> {
        let rules = profile(options.profile);
        let places = Places::resolve(rules, &options.env, &options.overrides)?;
        let text = read_config(&places.config_file)?;
        let (config, issues) = Config::parse(text.as_deref(), &places.config_file, options.profile);
        let (encoders, counters) = (Arc::default(), Arc::default());
        Ok(Self { options, rules, places, config, issues, encoders, counters })
    }

    /// The same engine, with the config as it is now. The encoders stay open if the config asks for the same ones.
    pub fn reopen(&self) -> Result<Self, EngineError> {
        let mut engine = Self::open(self.options.clone())?;
        if engine.config.matching() == self.config.matching() {
            engine.encoders = Arc::clone(&self.encoders);
        }
        engine.counters = Arc::clone(&self.counters);
        Ok(engine)
    }

    /// An engine that looks at another program's installation on this machine, from the places that program uses.
    pub(crate) fn of_profile(&self, profile: ProfileName) -> Result<Self, EngineError> {
        Self::open(EngineOptions { profile, overrides: Overrides::default(), ..self.options.clone() })
    }

    /// The same engine, with other machines whose programs count.
    pub(crate) fn with_remotes(&self, remotes: Vec<RemoteNode>) -> Self {
        let mut engine = self.clone();
        engine.options.remotes = remotes;
        engine
    }

    /// The same engine, which leaves the cache of parsed skills as it is.
    pub(crate) fn without_cache(&self) -> Self {
        let mut engine = self.clone();
        engine.options.cache = Caching::Off;
        engine
    }

    /// The profile that is followed.
    pub fn profile(&self) -> &'static Profile {
        self.rules
    }

    /// Where everything is.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The environment it was opened with.
    pub fn env(&self) -> &Env {
        &self.options.env
    }

    /// The tools that the host brings.
    #[cfg(feature = "run")]
    pub(crate) fn host_tools(&self) -> &crate::run::Tools {
        &self.options.tools
    }

    /// The user's config.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What is wrong in the user's config.
    pub fn issues(&self) -> &[ConfigIssue] {
        &self.issues
    }

    /// How skills are parsed here.
    pub fn parse_options(&self) -> prowess_skill::Options {
        prowess_skill::Options { dialect: self.rules.dialect, spec_mode: self.config.spec_mode() }
    }

    /// The workspace of an agent.
    pub fn workspace(&self, agent: Option<&str>) -> Result<PathBuf, EngineError> {
        Ok(self.places.workspace(&self.config, &self.config.agent(agent)?))
    }

    /// The bundled skills, and how they were found.
    pub fn bundled(&self) -> Result<Option<(PathBuf, BundledFrom)>, EngineError> {
        let home = self.places.cache.parent().unwrap_or(&self.places.state);
        bundled::resolve(
            self.places.bundled_override.as_deref(),
            self.options.executable.as_deref(),
            self.options.embedded,
            home,
        )
        .map_err(EngineError::Unpack)
    }

    /// The user's config with that of a workspace on top, and what is wrong in the latter.
    pub fn config_in(&self, workspace: &Path) -> Result<(Config, Vec<ConfigIssue>), EngineError> {
        let file = Places::project_config(workspace);
        let text = read_config(&file)?;
        Ok(self.config.clone().with_project(text.as_deref(), &file))
    }

    /// A word in the user's config. What a workspace says does not count.
    pub(crate) fn user_setting(&self, key: &str) -> Option<String> {
        let value = self.config.get(&KeyPath::parse(key).ok()?)?;
        Some(value.as_str()?.trim().to_owned())
    }

    /// What messages are understood with.
    pub(crate) fn encoders(&self) -> Result<Arc<Encoders>, ChooseError> {
        if let Some(encoders) = self.encoders.get() {
            return Ok(Arc::clone(encoders));
        }
        let settings = self.config.matching();
        let encoders = Encoders::open(&self.options.models, &settings, &self.places, &self.options.env)?;
        Ok(Arc::clone(self.encoders.get_or_init(|| Arc::new(encoders))))
    }

    pub(crate) fn counts(&self) -> &Counters {
        &self.counters
    }

    /// How much work was done since the engine was opened, by it and its copies.
    pub fn work_counts(&self) -> WorkCounts {
        self.counters.read()
    }

    /// The running program, if that is known.
    pub(crate) fn executable(&self) -> Option<&Path> {
        self.options.executable.as_deref()
    }

    /// Where recomputable data is kept, if any is.
    pub(crate) fn cache_folder(&self) -> Option<&Path> {
        (self.options.cache == Caching::On).then_some(self.places.cache.as_path())
    }

    /// Changes the user's config file: atomically, under a lock, from a fresh read, comments kept.
    pub fn change_config(&self, changes: &[Change]) -> Result<Updated, EngineError> {
        prowess_fs::update_file(&self.places.config_file, LOCK_TIMEOUT, |text| {
            prowess_config::edit(text.as_deref(), changes, ConfigFile::User(self.rules.name)).map(Some)
        })
        .map_err(EngineError::ChangeConfig)
    }

    /// What an inventory will be made from. A workspace's config that cannot be read is replaced by the last one that
    /// could.
    pub(crate) fn blueprint(
        &self,
        agent: Option<&str>,
        last_good_config: &mut Option<String>,
    ) -> Result<Blueprint, EngineError> {
        let agent = self.config.agent(agent)?;
        let workspace = self.places.workspace(&self.config, &agent);
        let file = Places::project_config(&workspace);
        let text = read_config(&file)?;
        let (mut config, issues) = self.config.clone().with_project(text.as_deref(), &file);
        let problem = issues.into_iter().find(ConfigIssue::is_fatal);
        match (&problem, &last_good_config) {
            (Some(_), Some(good)) => config = self.config.clone().with_project(Some(good), &file).0,
            (Some(_), None) => {}
            (None, _) => *last_good_config = text,
        }
        let bundled = self.bundled()?.map(|(folder, _)| folder);
        let context = RootContext {
            config: &config,
            agent: &agent,
            workspace: &workspace,
            bundled: bundled.as_deref(),
        };
        let mut losses = Vec::new();
        let plans = self.plans(&context, &mut losses);
        let plugin_folders = self.plugin_folders(&context);
        Ok(Blueprint { agent, workspace, config, plans, plugin_folders, losses, problem })
    }

    /// The inventory of what was loaded by a blueprint.
    pub(crate) fn assemble(&self, blueprint: &Blueprint, loaded: Loaded) -> Inventory {
        let Blueprint { config, agent, workspace, losses, .. } = blueprint;
        let mut losses = losses.clone();
        losses.extend(loaded.losses.iter().cloned());
        self.judge(config, agent, workspace.clone(), loaded, losses)
    }

    fn judge(
        &self,
        config: &Config,
        agent: &Agent,
        workspace: PathBuf,
        loaded: Loaded,
        mut losses: Vec<Loss>,
    ) -> Inventory {
        #[cfg(feature = "harness")]
        let loaded = crate::harness::without_copies(self, loaded, &mut losses);
        let (loaded, list_limits) = match self.rules.load_cap {
            Some(cap) => {
                let loaded = loaded.within_cap(cap, &mut losses);
                let limits = ListLimits::new(&loaded.candidates, agent.limits);
                (loaded, limits)
            }
            None => (loaded, ListLimits::default()),
        };
        let env = &self.options.env;
        let trust = trust::judge(self, &workspace, &loaded.candidates);
        let facts = facts::gather(
            loaded.candidates.iter().map(|candidate| candidate.skill.as_ref()),
            env,
            self.rules.gate.bins,
            config.runtime_value(),
            self.options.remotes.clone(),
        );
        let filter = AgentFilter::new(agent.skills.as_deref());
        let install = config.install();
        let rules = Rules {
            merge: MergeRules {
                conflict: self.rules.conflict,
                key: self.rules.merge_key,
                order: self.rules.order,
            },
            gate: Gate { rules: self.rules.gate, allow_bundled: config.allow_bundled() },
            install: InstallPreferences {
                prefer_brew: install.prefer_brew,
                node_manager: install.node_manager,
                brew_on_path: !facts::find(["brew"], env, self.rules.gate.bins).is_empty(),
            },
            filter: filter.clone(),
            list_limits,
        };
        let candidates = trust.without_rivals(loaded.candidates, self.rules.merge_key, &mut losses);
        let settings = |candidate: &Candidate| {
            let skill = &candidate.skill;
            let entry = config.entry(skill.key());
            let (mode, mode_scope) = config.mode_of(&skill.name, skill.key(), agent);
            EntrySettings {
                enabled: entry.enabled,
                env_names: entry.env_names.into_iter().collect(),
                has_api_key: entry.has_api_key,
                mode,
                mode_scope,
                secret_failed: false,
                trust: trust.of(candidate),
            }
        };
        let (entries, losses) = inventory::build(candidates, losses, &facts, &rules, settings);
        Inventory {
            agent_id: agent.id.clone(),
            filter: filter.names().map(<[String]>::to_vec),
            foreign: trust.foreign,
            workspace,
            managed: self.places.managed(),
            entries,
            losses,
            facts,
            gate: rules.gate,
            settings: self.prompt_settings(config, agent),
        }
    }

    fn prompt_settings(&self, config: &Config, agent: &Agent) -> PromptSettings {
        let home = &self.places.os_home;
        let homes = std::iter::once(home.clone()).chain(prowess_fs::real(home));
        PromptSettings {
            rules: config.prompt_rules(agent),
            mode: config.system_prompt_mode(),
            select: config.prompt().select,
            homes: homes.map(|home| home.display().to_string()).collect(),
            audit_command: self.rules.audit_command.to_owned(),
            dialect: self.rules.dialect,
            reserved_commands: prowess_catalog::OPENCLAW_COMMANDS,
            located: Locations::default(),
        }
    }

    /// The plans of one kind of root.
    pub(crate) fn plans_of(&self, place: Place, context: &RootContext<'_>) -> Vec<RootPlan> {
        let specs = self.rules.roots.iter().filter(|spec| spec.place == place);
        specs
            .flat_map(|spec| self.places.roots(place, *context).into_iter().map(move |root| (spec, root)))
            .enumerate()
            .map(|(rank, (spec, root))| self.plan(spec, root, None, rank, context))
            .collect()
    }

    /// One plan per root, lowest rank first.
    fn plans(&self, context: &RootContext<'_>, losses: &mut Vec<Loss>) -> Vec<RootPlan> {
        let mut plans = Vec::new();
        for spec in self.rules.roots {
            if spec.place == Place::Plugins {
                // The first plugin has precedence over the next, so it comes last.
                for root in self.plugin_roots(context, spec.label, losses).into_iter().rev() {
                    plans.push(self.plan(spec, root.root, Some(root.plugin), plans.len(), context));
                }
            } else {
                for root in self.places.roots(spec.place, *context) {
                    plans.push(self.plan(spec, root, None, plans.len(), context));
                }
            }
        }
        plans
    }

    fn plugin_roots(
        &self,
        context: &RootContext<'_>,
        label: &str,
        losses: &mut Vec<Loss>,
    ) -> Vec<plugins::PluginRoot> {
        plugins::roots(&self.plugin_folders(context), &context.config.plugins(), label, losses)
    }

    fn plugin_folders(&self, context: &RootContext<'_>) -> PluginFolders {
        let in_folder = |names: &[&str], folder: &Path| names.iter().map(|name| folder.join(name)).collect();
        let named = context.config.plugins().paths;
        PluginFolders {
            named: named.iter().map(|path| self.places.expand(path)).collect(),
            owned: in_folder(self.rules.plugin_folders, &self.places.state),
            workspace: in_folder(self.rules.workspace_plugin_folders, context.workspace),
        }
    }

    fn plan(
        &self,
        spec: &RootSpec,
        root: PathBuf,
        plugin: Option<String>,
        rank: usize,
        context: &RootContext<'_>,
    ) -> RootPlan {
        let limits = context.agent.limits;
        let spec_mode = context.config.spec_mode();
        let targets = context.config.load().allow_symlink_targets;
        let cap = self.rules.load_cap;
        let candidates = cap.unwrap_or(limits.max_candidates_per_root);
        RootPlan {
            rank,
            walk: WalkRules {
                descent: self.rules.descent,
                lone_files: matches!(spec_mode, SpecMode::Legacy | SpecMode::Mixed),
                any_case_skill_md: self.rules.skill_file == FileNameMatch::AnyCase,
                max_depth: spec.max_depth,
                max_depth_in_skills_folder: spec.max_depth_in_skills_folder,
                links: spec.links,
                allowed_targets: targets.iter().map(|path| self.places.expand(path)).collect(),
                hard_links_allowed: spec.hard_links_allowed,
                bundled: matches!(spec.place, Place::Bundled | Place::Custodian),
                always_container: spec.place == Place::Workshop,
                max_candidates: candidates,
                max_entries_per_folder: candidates
                    .saturating_mul(10)
                    .max(1_000)
                    .min(self.rules.raw_entry_cap),
                // Under a cap, folders that only group skills are far fewer than the skills.
                max_folders: cap.map_or(candidates.saturating_mul(6), |cap| cap.saturating_mul(2)),
            },
            parse: prowess_skill::Options { dialect: self.rules.dialect, spec_mode },
            max_file_bytes: limits.max_skill_file_bytes as u64,
            max_skills: cap.unwrap_or(limits.max_skills_loaded_per_source),
            is_capped: cap.is_some(),
            source: Source { tier: spec.tier, label: spec.label.to_owned(), root, plugin },
        }
    }
}

pub(crate) fn read_config(file: &Path) -> Result<Option<String>, EngineError> {
    match prowess_fs::read_file(file, MAX_CONFIG_BYTES) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(EngineError::ReadConfig(error)),
    }
}
