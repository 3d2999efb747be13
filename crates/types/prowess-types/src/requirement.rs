//! What a skill needs, what the machine has, and what follows from both.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What a skill needs. Also the shape of what is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Requirements {
    /// Every one must be found.
    pub bins: Vec<String>,
    /// At least one must be found.
    pub any_bins: Vec<String>,
    /// Every one must be set.
    pub env: Vec<String>,
    /// Every one must be truthy in the config.
    pub config: Vec<String>,
    /// The platform must be one of them.
    pub os: Vec<String>,
}

impl Requirements {
    /// Returns true if nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.bins.is_empty()
            && self.any_bins.is_empty()
            && self.env.is_empty()
            && self.config.is_empty()
            && self.os.is_empty()
    }
}

/// Another machine that reports what it can do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RemoteNode {
    /// Its platform, as Node names it (`darwin`).
    pub platform: String,
    /// Binaries it has.
    pub bins: BTreeSet<String>,
    /// What the prompt should say about it.
    pub note: Option<String>,
}

/// What the machine has, gathered once at the edge and passed in.
#[derive(Clone, Default)]
pub struct Facts {
    /// The platform, as Node names it: `linux`, `darwin`, `win32`.
    pub platform: String,
    /// The binaries that were looked for and found.
    pub bins: BTreeSet<String>,
    /// Names of environment variables with a non-blank value.
    pub env: BTreeSet<String>,
    /// The config with its defaults filled in; only its truthiness is looked at.
    pub config: serde_json::Value,
    /// Other machines that count.
    pub remotes: Vec<RemoteNode>,
}

/// The config may hold secrets, so it is not printed.
impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facts")
            .field("platform", &self.platform)
            .field("bins", &self.bins)
            .field("env", &self.env)
            .field("remotes", &self.remotes)
            .finish_non_exhaustive()
    }
}

/// Whether one config path is satisfied. Never carries the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ConfigCheck {
    /// Dotted path.
    pub path: String,
    /// True if it is truthy.
    pub satisfied: bool,
}

/// What a rule said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckOutcome {
    /// The rule lets the skill through.
    Pass,
    /// The rule stops the skill.
    Fail,
    /// The rule did not apply, or an earlier one made it moot.
    Skip,
}

/// One rule of the gate, in the order in which they are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Check")]
pub struct GateCheck {
    /// Stable id such as `os` or `bins`.
    pub rule: String,
    /// Its output.
    pub outcome: CheckOutcome,
    /// Why, for people.
    pub detail: String,
}

/// Whether a skill can run here. Says nothing about whether an agent may use it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// It can run.
    pub eligible: bool,
    /// Switched off in the config.
    pub disabled: bool,
    /// Bundled, and not on the list of allowed bundled skills.
    pub blocked_by_allowlist: bool,
    /// Made for another operating system.
    pub platform_incompatible: bool,
    /// Everything that is missing, whether or not it decided.
    pub missing: Requirements,
    /// Each config path that is asked for.
    pub config_checks: Vec<ConfigCheck>,
    /// Every reason against it, the operating system first; empty when eligible.
    pub reasons: Vec<String>,
    /// Every rule in order; empty where only the verdict was asked for.
    pub checks: Vec<GateCheck>,
}

/// How a skill is offered, per scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Mode")]
pub enum OfferMode {
    /// First in the catalogue, and never cut for size before others.
    Pinned,
    /// The default.
    #[default]
    Auto,
    /// Listed by name, without its description.
    NameOnly,
    /// Not shown to the model; a person can call it.
    Manual,
    /// Off.
    Disabled,
}

/// Which scope set a mode; later ones win.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ModeScope {
    /// The user's config.
    User,
    /// The workspace's config.
    Project,
    /// One agent's entry.
    Agent,
}
