//! Profiles are data: the choices in which one engine differs from another.

use serde::{Deserialize, Serialize};

/// Which engine's places and rules are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProfileName {
    /// Our own defaults.
    #[default]
    Prowess,
    /// An existing OpenClaw installation, as its latest release behaves.
    Openclaw,
    /// An existing OpenPocket installation.
    Openpocket,
}

/// How `SKILL.md` is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// OpenClaw's rules with the known surprises repaired.
    #[default]
    Prowess,
    /// OpenClaw's rules to the letter.
    Openclaw,
    /// OpenPocket's line parser.
    Openpocket,
}

/// The spellings of its name that call a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommandSpelling {
    /// `/name` is the command's own name, in any case.
    Exact,
    /// Hyphens, underscores and case make no difference.
    Folded,
}

/// The files that are skills (`agent.skillsSpecMode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpecMode {
    /// Lone `.md` files too, and what a skill leaves out is derived from its text.
    Legacy,
    /// Lone `.md` files too; a `SKILL.md` must describe itself.
    #[default]
    Mixed,
    /// Only `SKILL.md` files that follow the specification.
    Strict,
    /// Only `SKILL.md` files, read leniently (what OpenClaw does).
    SkillMdOnly,
}

/// Who wins when two sources have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Conflict")]
pub enum ConflictPolicy {
    /// The source listed last.
    LastWins,
    /// The source listed first.
    FirstWins,
}

/// What makes two skills the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub enum MergeKey {
    /// Their exact name.
    Name,
    /// Their folder or file name.
    Id,
}

/// In which order skills are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub enum EntryOrder {
    /// By name.
    ByName,
    /// By the place of their source, then by name.
    BySourceThenName,
}

/// Whether a skill that cannot run still hides others of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub enum GateOrder {
    /// It does.
    AfterMerge,
    /// It does not.
    BeforeMerge,
}

/// True if the walk continues below a skill's own folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub enum Descent {
    /// A skill's folder is a leaf; depth is bounded.
    StopAtSkill,
    /// Every folder is walked to any depth (a safety bound applies).
    Everywhere,
}

/// What a symbolic link in a root may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub enum LinkPolicy {
    /// Inside the root, or inside one of `skills.load.allowSymlinkTargets`.
    ContainedOrAllowed,
    /// Inside the root only.
    Contained,
    /// Anywhere; the skill is reported under its real path.
    Anywhere,
    /// Links are neither followed nor loaded.
    Ignored,
}

/// When a binary counts as present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub enum BinRule {
    /// A regular file on `PATH` that may be executed.
    ExecutableFile,
    /// Anything on `PATH` with an execute bit, folders included (OpenClaw).
    ExecutableAnything,
    /// Anything on `PATH` or at an absolute path (OpenPocket).
    Exists,
}

/// The places in which the operating systems of a skill are compared exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub enum OsRule {
    /// Nowhere: case does not count, and the usual other names do.
    Tolerant,
    /// In the prompt, the commands and the snapshot, and for install options; not in the report (OpenClaw).
    ExactInPrompt,
}

/// The treatment of a link that leads back to a folder the walk came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub enum LinkLoop {
    /// It is passed over; what it leads to is being read already.
    PassedOver,
    /// It is followed as deep as any folder (OpenClaw).
    Followed,
}

/// Which requirements the gate knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GateRules {
    /// When a binary counts.
    pub bins: BinRule,
    /// True if `anyBins` and `always` are honoured (OpenPocket ignores both).
    pub any_bins_and_always: bool,
    /// Before or after the merge.
    pub order: GateOrder,
    /// The places in which operating systems are compared exactly.
    pub os: OsRule,
}

/// How much of a section a system prompt gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromptMode {
    /// The main agent: everything.
    #[default]
    Full,
    /// A sub-agent.
    Minimal,
    /// No system prompt at all.
    None,
}

/// The words that stand around the list of skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PromptWording {
    /// `## Skills (mandatory)` and its rules.
    Mandatory,
    /// `## Skills` and a short instruction, as OpenClaw's latest release.
    Openclaw,
    /// `## Skills` and OpenPocket's five lines.
    Openpocket,
    /// The bare element that `skills-ref to-prompt` prints.
    SkillsRef,
}

/// How large the list may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Budget {
    /// `maxSkillsInPrompt`.
    pub max_skills: usize,
    /// `maxSkillsPromptChars`, in UTF-16 units.
    pub max_chars: usize,
}

/// How the list is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromptRules {
    /// The words around it.
    pub wording: PromptWording,
    /// Its size.
    pub budget: Budget,
    /// True if descriptions may be shortened or left out before skills are.
    pub compact_fallback: bool,
    /// True if the section is left out for sub-agents (`minimal`).
    pub omit_when_minimal: bool,
}
