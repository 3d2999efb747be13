//! The settings of the config as types.

use std::time::Duration;

use prowess_types::{Budget, NodeManager, PromptMode, PromptRules, PromptWording, Secret, SpecMode};
use serde::{Deserialize, Serialize};

use crate::agents::Agent;
use crate::api_key::ApiKey;
use crate::profile::SpecModeRule;
use crate::read::trimmed;
use crate::{Config, kind, value};

/// `skills.load`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadSettings {
    /// More folders with skills, trimmed, blank ones dropped, `~` not yet expanded.
    pub extra_dirs: Vec<String>,
    /// True if folders are watched.
    pub watch: bool,
    /// The time without further changes before a change counts, in milliseconds.
    pub debounce_ms: u64,
    /// Folders that links may point to besides their root, like `extra_dirs`.
    pub allow_symlink_targets: Vec<String>,
}

/// `skills.install`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallSettings {
    /// True if Homebrew is preferred.
    pub prefer_brew: bool,
    /// The installer of packages of the npm registry.
    pub node_manager: NodeManager,
    /// True if clients of the gateway may install archives they upload.
    pub allow_uploaded_archives: bool,
}

/// `skills.workshop`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkshopSettings {
    /// The autonomy of agents in drafting skills.
    pub autonomous: Autonomy,
    /// The approval policy of drafts.
    pub approval: ApprovalPolicy,
    /// Drafts that may wait.
    pub max_pending: u64,
    /// Size of a draft, in bytes.
    pub max_skill_bytes: u64,
}

/// The autonomy of agents in drafting skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Autonomy {
    /// They do not.
    Off,
    /// They propose.
    Propose,
    /// They do.
    #[default]
    Auto,
}

/// The approval policy of drafts: whether they wait for a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalPolicy {
    /// They wait for a decision.
    Pending,
    /// They do not wait.
    #[default]
    Auto,
}

/// `skills.prompt`.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptSettings {
    /// True if descriptions are shortened before skills are left out.
    pub compact: bool,
    /// The rule by which the list follows the message.
    pub select: Select,
    /// True if the text of a clear match is put into the prompt at once.
    pub preload: bool,
    /// Confidence from which a match is clear enough for its text.
    pub preload_at: f32,
    /// The number of skills that are listed when only the best are.
    pub top: usize,
    /// The words around the list.
    pub wording: PromptWording,
}

/// `cortex`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CortexSettings {
    /// True if runs are learned from, and selection hears of it.
    pub is_enabled: bool,
    /// The name of the rules.
    pub rules: String,
    /// The address of the API that repositories are searched with.
    pub github_api: String,
}

/// `skills.match`.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSettings {
    /// Confidence from which a skill is loaded; the calibration's if there is none.
    pub load: Option<f32>,
    /// Confidence from which skills are suggested.
    pub suggest: Option<f32>,
    /// The encoder that turns text into vectors.
    pub encoder: EncoderChoice,
    /// True if that also reads messages that are not English.
    pub own_multilingual: bool,
}

/// The encoder that turns text into vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EncoderChoice {
    /// The packs that come with the program.
    #[default]
    Builtin,
    /// A pack of the user's, `~` not yet expanded.
    Pack(String),
    /// A server.
    Endpoint {
        /// Its base address.
        url: String,
        /// The model to ask for.
        model: String,
        /// Its key.
        api_key: Option<ApiKey>,
    },
}

/// The rule by which the list follows the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Select {
    /// All skills by name.
    #[default]
    All,
    /// All skills by relevance.
    Ranked,
    /// Only the best ones.
    Top,
    /// The best ones and the text of a clear match, in front of each message.
    Message,
}

/// `security.installPolicy`, when it is switched on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallPolicySettings {
    /// The subjects of its decisions; all if there is no list.
    pub targets: Option<Vec<String>>,
    /// The program, by its absolute path; without one, nothing may be installed.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// The time limit.
    pub timeout: Duration,
    /// The longest silence allowed.
    pub silence: Duration,
    /// The maximum size of its output, in bytes.
    pub max_output: usize,
    /// Variables for it.
    pub env: Vec<(String, Secret)>,
    /// Variables it inherits.
    pub pass_env: Vec<String>,
    /// Folders that the program may lie in; empty means any.
    pub trusted_dirs: Vec<String>,
}

/// `skills.commands.inject`: whether commands in the text of a called skill run before a model reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandInjection {
    /// They do not run.
    #[default]
    Never,
    /// They run confined, or not at all.
    Sandboxed,
}

/// `security.trust`: whether skills of a cloned repository wait for a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RepositoryTrust {
    /// They wait until the user has decided about them.
    #[default]
    Ask,
    /// They are used at once.
    Always,
}

/// `forge.policy`: the drafts that are promoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromotionPolicy {
    /// Those that a person approved.
    #[default]
    Ask,
    /// Those that passed their test, too.
    Tested,
}

/// `forge`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeSettings {
    /// True if a successful run is offered as a draft of a skill.
    pub offer: bool,
    /// The drafts that are promoted.
    pub policy: PromotionPolicy,
}

/// `plugins`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginSettings {
    /// True if plugins are used at all.
    pub enabled: bool,
    /// The only ones that may be used; empty means all.
    pub allow: Vec<String>,
    /// Those that must not be used.
    pub deny: Vec<String>,
    /// Folders of plugins, `~` not yet expanded.
    pub paths: Vec<String>,
    /// The memory plugin that is used; `none` for none.
    pub memory_slot: Option<String>,
    /// Plugins that were switched on or off one by one.
    pub switched: Vec<(String, bool)>,
}

impl PluginSettings {
    /// Returns true if a plugin may be used. `deny` beats everything else; a plugin that was chosen for the memory need not be
    /// in `allow`.
    pub fn allows(&self, id: &str) -> bool {
        let is_listed = |list: &[String]| list.iter().any(|listed| is_same_plugin(listed, id));
        let is_off = self.switched.iter().any(|(plugin, enabled)| is_same_plugin(plugin, id) && !enabled);
        let is_chosen = self.memory_slot.as_deref() == Some(id);
        let is_allowed = self.allow.is_empty() || is_listed(&self.allow) || is_chosen;
        self.enabled && !is_off && !is_listed(&self.deny) && is_allowed
    }

    /// Returns true if the config names a plugin to be used.
    pub fn names(&self, id: &str) -> bool {
        self.allow.iter().any(|allowed| is_same_plugin(allowed, id))
            || self.switched.iter().any(|(plugin, enabled)| is_same_plugin(plugin, id) && *enabled)
    }
}

/// Case and blanks around an id of a plugin do not count.
fn is_same_plugin(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}

impl Config {
    /// `skills.allowBundled`, trimmed, blank ones dropped; empty means no restriction.
    pub fn allow_bundled(&self) -> Vec<String> {
        self.texts("skills.allowBundled")
    }

    /// `skills.load`.
    pub fn load(&self) -> LoadSettings {
        LoadSettings {
            extra_dirs: self.texts("skills.load.extraDirs"),
            watch: self.flag("skills.load.watch"),
            debounce_ms: self.count("skills.load.debounceMs"),
            allow_symlink_targets: self.texts("skills.load.allowSymlinkTargets"),
        }
    }

    /// `skills.install`.
    pub fn install(&self) -> InstallSettings {
        InstallSettings {
            prefer_brew: self.flag("skills.install.preferBrew"),
            node_manager: self.choice("skills.install.nodeManager").unwrap_or_default(),
            allow_uploaded_archives: self.flag("skills.install.allowUploadedArchives"),
        }
    }

    /// `skills.workshop`.
    pub fn workshop(&self) -> WorkshopSettings {
        WorkshopSettings {
            autonomous: self.choice("skills.workshop.autonomous.mode").unwrap_or_default(),
            approval: self.choice("skills.workshop.approvalPolicy").unwrap_or_default(),
            max_pending: self.count("skills.workshop.maxPending"),
            max_skill_bytes: self.count("skills.workshop.maxSkillBytes"),
        }
    }

    /// `skills.prompt`.
    pub fn prompt(&self) -> PromptSettings {
        let select = self.choice("skills.prompt.select").unwrap_or_default();
        let preload = self.read("skills.prompt.preload").and_then(|value| value.as_bool());
        PromptSettings {
            compact: self.flag("skills.prompt.compact"),
            select,
            // Where the user chose another list, its text is as it always was.
            preload: preload.unwrap_or(select == Select::Message),
            preload_at: self.share("skills.prompt.preloadAt").unwrap_or_default(),
            top: usize::try_from(self.count("skills.prompt.top")).unwrap_or(usize::MAX),
            wording: self.choice("skills.prompt.wording").unwrap_or(self.profile().prompt.wording),
        }
    }

    /// `skills.match`.
    pub fn matching(&self) -> MatchSettings {
        let endpoint = || {
            Some(EncoderChoice::Endpoint {
                url: self.text("skills.match.endpoint.url")?,
                model: self.text("skills.match.endpoint.model")?,
                api_key: self.secret_at(&["skills", "match", "endpoint", "apiKey"]),
            })
        };
        let encoder = match self.text("skills.match.encoder").as_deref() {
            None | Some("builtin") => EncoderChoice::Builtin,
            Some("endpoint") => endpoint().unwrap_or_default(),
            Some(path) => EncoderChoice::Pack(path.to_owned()),
        };
        MatchSettings {
            load: self.share("skills.match.load"),
            suggest: self.share("skills.match.suggest"),
            encoder,
            own_multilingual: self.text("skills.match.multilingual").as_deref() == Some("encoder"),
        }
    }

    /// `cortex`.
    pub fn cortex(&self) -> CortexSettings {
        CortexSettings {
            is_enabled: self.flag("cortex.enabled"),
            rules: self.text("cortex.rules").unwrap_or_default(),
            github_api: self.text("cortex.githubApi").unwrap_or_default(),
        }
    }

    /// `skills.commands.inject`. A workspace cannot set it: [`Config::with_project`] keeps modes and bundles only.
    pub fn command_injection(&self) -> CommandInjection {
        self.choice("skills.commands.inject").unwrap_or_default()
    }

    /// `skills.registry`: the address of the registry, if the user named one. A workspace cannot set it.
    pub fn registry(&self) -> Option<String> {
        self.text("skills.registry")
    }

    /// `forge`. A workspace cannot set it.
    pub fn forge(&self) -> ForgeSettings {
        ForgeSettings {
            offer: self.flag("forge.offer"),
            policy: self.choice("forge.policy").unwrap_or_default(),
        }
    }

    /// `security.trust`. A workspace cannot set it.
    pub fn repository_trust(&self) -> RepositoryTrust {
        self.choice("security.trust").unwrap_or_default()
    }

    /// The workspaces that all agents share: `agents.defaults.workspace` and `workspaceDir`, `~` not yet expanded.
    pub fn shared_workspaces(&self) -> Vec<String> {
        ["agents.defaults.workspace", "workspaceDir"].into_iter().filter_map(|key| self.text(key)).collect()
    }

    /// `security.installPolicy`; none if it is off.
    pub fn install_policy(&self) -> Option<InstallPolicySettings> {
        let key = |name: &str| format!("security.installPolicy.{name}");
        if !self.flag(&key("enabled")) {
            return None;
        }
        let timeout = Duration::from_millis(self.count(&key("exec.timeoutMs")));
        let silence = self.read(&key("exec.noOutputTimeoutMs")).and_then(|value| kind::count(&value));
        let targets = self.read(&key("targets")).map(|targets| trimmed(&targets));
        Some(InstallPolicySettings {
            targets,
            command: self.text(&key("exec.command")),
            args: self.texts(&key("exec.args")),
            timeout,
            silence: silence.map_or(timeout, Duration::from_millis),
            max_output: usize::try_from(self.count(&key("exec.maxOutputBytes"))).unwrap_or(usize::MAX),
            env: self.secret_texts(&["security", "installPolicy", "exec", "env"]),
            pass_env: self.texts(&key("exec.passEnv")),
            trusted_dirs: self.texts(&key("exec.trustedDirs")),
        })
    }

    /// The rendering of the list in an agent's prompt.
    pub fn prompt_rules(&self, agent: &Agent) -> PromptRules {
        let prompt = self.prompt();
        PromptRules {
            wording: prompt.wording,
            budget: Budget {
                max_skills: agent.limits.max_skills_in_prompt,
                max_chars: agent.limits.max_skills_prompt_chars,
            },
            compact_fallback: prompt.compact,
            omit_when_minimal: self.profile().prompt.omit_when_minimal,
        }
    }

    /// `plugins`.
    pub fn plugins(&self) -> PluginSettings {
        let switched = value::members(self.merged(), &["plugins", "entries"]);
        PluginSettings {
            enabled: self.flag("plugins.enabled"),
            allow: self.texts("plugins.allow"),
            deny: self.texts("plugins.deny"),
            paths: self.texts("plugins.load.paths"),
            memory_slot: self.text("plugins.slots.memory"),
            switched: switched
                .filter_map(|(id, entry)| Some((id.to_owned(), entry.get("enabled")?.as_bool()?)))
                .collect(),
        }
    }

    /// The rule for files that are skills: `agent.skillsSpecMode`, where the profile asks for it.
    pub fn spec_mode(&self) -> SpecMode {
        match self.profile().spec_mode {
            SpecModeRule::Always(mode) => mode,
            SpecModeRule::Default(mode) => self.choice("agent.skillsSpecMode").unwrap_or(mode),
        }
    }

    /// `agent.autoArtifactsEnabled`: whether a successful session is drafted as a skill.
    pub fn drafts_skills(&self) -> bool {
        self.flag("agent.autoArtifactsEnabled")
    }

    /// `agent.systemPromptMode`.
    pub fn system_prompt_mode(&self) -> PromptMode {
        self.choice("agent.systemPromptMode").unwrap_or_default()
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
