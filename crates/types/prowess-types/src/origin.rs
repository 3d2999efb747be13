//! The source of a skill. A name is a label; an origin is an identity.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The rank of a source. Later tiers beat earlier ones under the last-wins rule.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Configured extra folders and the folders of plugins.
    Extra,
    /// Shipped with the engine.
    Bundled,
    /// Drafted by an agent for itself (OpenClaw's workshop).
    Workshop,
    /// Installed for all workspaces of this user.
    Managed,
    /// The user's own, shared by every agent harness.
    Personal,
    /// Checked in with the project, shared by every agent harness.
    Project,
    /// The workspace's own.
    Workspace,
}

/// A root folder with a tier.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// Its rank.
    pub tier: Tier,
    /// The label peers know it by, such as `openclaw-workspace`.
    pub label: String,
    /// The folder, as configured (not resolved).
    #[serde(serialize_with = "crate::path_text::serialize")]
    pub root: PathBuf,
    /// The plugin that contributed it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
}

/// The identity of a skill on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The rank of its source.
    pub tier: Tier,
    /// The label of its source.
    pub source: String,
    /// The root folder of its source.
    #[serde(serialize_with = "crate::path_text::serialize")]
    pub root: PathBuf,
    /// The file as reported to people and models.
    #[serde(serialize_with = "crate::path_text::serialize")]
    pub file: PathBuf,
    /// The folder that relative paths in the skill are resolved against.
    #[serde(serialize_with = "crate::path_text::serialize")]
    pub base: PathBuf,
    /// The file with every link resolved.
    #[serde(serialize_with = "crate::path_text::serialize")]
    pub real_file: PathBuf,
    /// The plugin that contributed it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
}

/// Something that was found but is not in the result, and why. Nothing is dropped in silence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Loss {
    /// The name, when it got far enough to have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The label of the source.
    pub source: String,
    /// The file or folder.
    #[serde(serialize_with = "crate::path_text::serialize")]
    pub path: PathBuf,
    /// The reason why it lost.
    pub reason: LossReason,
    /// The same for people, with the values that decided.
    pub message: String,
    /// The file that won, for a shadowed skill.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "crate::path_text::serialize_option"
    )]
    pub winner: Option<PathBuf>,
    /// The problem in it, for an invalid skill.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<crate::Diagnostic>,
}

/// The reason why something that was found is not in the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LossReason {
    /// A skill of the same name has precedence.
    Shadowed,
    /// More folders in one directory than `maxCandidatesPerRoot`, or more entries than are read.
    OverCandidateLimit,
    /// More skills in one root than `maxSkillsLoadedPerSource`.
    OverSourceLimit,
    /// Deeper than the walk goes.
    TooDeep,
    /// Larger than `maxSkillFileBytes`.
    Oversize,
    /// The folder is a link that leaves its root.
    SymlinkEscape,
    /// `SKILL.md` resolves outside its own folder.
    PathEscape,
    /// A link in the bundled folder leaves it.
    BundledSymlinkEscape,
    /// The bundled folder's file resolves outside the bundled root.
    BundledRootEscape,
    /// `SKILL.md` has more than one hard link.
    HardLink,
    /// A link, where the profile does not follow links.
    Link,
    /// A link that points nowhere or to itself.
    BrokenLink,
    /// Permission or I/O error.
    Unreadable,
    /// Something called `SKILL.md` that is not a file.
    NotAFile,
    /// The parser refused it.
    Invalid,
    /// A plugin named a folder that does not exist.
    PluginPathMissing,
    /// A plugin named a folder outside itself.
    PluginPathEscape,
    /// A plugin's manifest cannot be used.
    PluginInvalid,
    /// Gated out before the merge, in profiles that gate first.
    Gated,
}
