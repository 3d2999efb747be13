//! The three profiles. One mechanism reads them, so a difference between engines is a row here.

use prowess_types::LinkPolicy::{self, Anywhere, Contained, ContainedOrAllowed};
use prowess_types::{
    BinRule, Budget, CommandSpelling, ConflictPolicy, Descent, Dialect, EntryOrder, GateOrder, GateRules,
    LinkLoop, MergeKey, OsRule, ProfileName, PromptRules, PromptWording, SpecMode, Tier,
};

use crate::SkillLimits;
use crate::commands::{OPENCLAW_COMMANDS, OWN_COMMANDS};
use crate::profile::{
    BlankVariable, FileNameMatch, Place, PlaceRules, Profile, RelativeTo, RootSpec, SpecModeRule, Workspaces,
};

/// How deep the folder of a skill may lie below its root.
const DEPTH: usize = 6;
/// OpenPocket has no bound; this one is beyond any real tree.
const SAFETY_DEPTH: usize = 64;

/// The profile of that name.
pub fn profile(name: ProfileName) -> &'static Profile {
    match name {
        ProfileName::Prowess => &PROWESS,
        ProfileName::Openclaw => &OPENCLAW,
        ProfileName::Openpocket => &OPENPOCKET,
    }
}

const fn root(tier: Tier, label: &'static str, place: Place, links: LinkPolicy) -> RootSpec {
    RootSpec {
        tier,
        label,
        place,
        links,
        hard_links_allowed: matches!(place, Place::Bundled | Place::Custodian),
        max_depth: match place {
            Place::ExtraDirs | Place::Plugins => 2,
            _ => DEPTH,
        },
        max_depth_in_skills_folder: DEPTH,
    }
}

/// A root of OpenPocket, which neither follows links nor bounds anything.
const fn pocket_root(tier: Tier, label: &'static str, place: Place) -> RootSpec {
    RootSpec {
        tier,
        label,
        place,
        links: LinkPolicy::Ignored,
        hard_links_allowed: true,
        max_depth: SAFETY_DEPTH,
        max_depth_in_skills_folder: SAFETY_DEPTH,
    }
}

const EXTRA: RootSpec = root(Tier::Extra, "openclaw-extra", Place::ExtraDirs, ContainedOrAllowed);
const PLUGINS: RootSpec = root(Tier::Extra, "openclaw-extra", Place::Plugins, ContainedOrAllowed);
/// OpenClaw publishes the folder itself or those directly in it, and no links.
const OPENCLAW_PLUGINS: RootSpec =
    RootSpec { links: LinkPolicy::Ignored, max_depth: 1, max_depth_in_skills_folder: 1, ..PLUGINS };
const BUNDLED: RootSpec = root(Tier::Bundled, "openclaw-bundled", Place::Bundled, Contained);
const CUSTODIAN: RootSpec = root(Tier::Bundled, "openclaw-custodian", Place::Custodian, Contained);
const WORKSHOP: RootSpec = root(Tier::Workshop, "openclaw-workshop", Place::Workshop, Contained);
const MANAGED: RootSpec = root(Tier::Managed, "openclaw-managed", Place::Managed, Anywhere);
const PERSONAL: RootSpec = root(Tier::Personal, "agents-skills-personal", Place::Personal, Anywhere);
const PROJECT: RootSpec = root(Tier::Project, "agents-skills-project", Place::Project, ContainedOrAllowed);
const WORKSPACE: RootSpec = root(Tier::Workspace, "openclaw-workspace", Place::Workspace, ContainedOrAllowed);

const fn limits(max_skills_prompt_chars: usize) -> SkillLimits {
    SkillLimits {
        max_candidates_per_root: 300,
        max_skills_loaded_per_source: 200,
        max_skills_in_prompt: 150,
        max_skills_prompt_chars,
        max_skill_file_bytes: 256_000,
    }
}

const fn budget(limits: SkillLimits) -> Budget {
    Budget { max_skills: limits.max_skills_in_prompt, max_chars: limits.max_skills_prompt_chars }
}

const PROWESS_LIMITS: SkillLimits = limits(30_000);
/// The most skills of one agent. Far beyond any real collection, so that only a mistake reaches it.
const PROWESS_LOAD_CAP: usize = 10_000;

static PROWESS: Profile = Profile {
    name: ProfileName::Prowess,
    // The labels are OpenClaw's, because its clients know them.
    roots: &[EXTRA, PLUGINS, BUNDLED, MANAGED, PERSONAL, PROJECT, WORKSPACE],
    conflict: ConflictPolicy::LastWins,
    merge_key: MergeKey::Name,
    order: EntryOrder::ByName,
    gate: GateRules {
        bins: BinRule::ExecutableFile,
        any_bins_and_always: true,
        order: GateOrder::AfterMerge,
        os: OsRule::Tolerant,
    },
    descent: Descent::StopAtSkill,
    link_loops: LinkLoop::PassedOver,
    skill_file: FileNameMatch::Exact,
    raw_entry_cap: 10_000,
    spec_mode: SpecModeRule::Default(SpecMode::Mixed),
    dialect: Dialect::Prowess,
    prompt: PromptRules {
        wording: PromptWording::Mandatory,
        budget: budget(PROWESS_LIMITS),
        compact_fallback: false,
        omit_when_minimal: true,
    },
    prompt_select: "message",
    limits: PROWESS_LIMITS,
    load_cap: Some(PROWESS_LOAD_CAP),
    config_file: "prowess.json",
    places: PlaceRules {
        state_env: "PROWESS_HOME",
        state_folder: ".prowess",
        home_env: None,
        no_home: &[],
        config_env: Some("PROWESS_CONFIG"),
        state_follows_config: false,
        bundled_env: &["PROWESS_BUNDLED_SKILLS_DIR", "OPENCLAW_BUNDLED_SKILLS_DIR"],
        personal_needs_default_state: false,
        relative_to: RelativeTo::ConfigFile,
    },
    workspaces: Workspaces::WorkingDirectory,
    command_spelling: CommandSpelling::Folded,
    blank_variable: BlankVariable::Absent,
    placeholder: "__PROWESS_REDACTED__",
    audit_command: "prowess check",
    reserved_commands: OWN_COMMANDS,
    plugin_links: None,
    plugin_folders: &["extensions", "plugins"],
    workspace_plugin_folders: &[".openclaw/extensions", ".prowess/plugins"],
};

const OPENCLAW_LIMITS: SkillLimits = limits(18_000);

static OPENCLAW: Profile = Profile {
    name: ProfileName::Openclaw,
    roots: &[EXTRA, OPENCLAW_PLUGINS, BUNDLED, CUSTODIAN, WORKSHOP, MANAGED, PERSONAL, PROJECT, WORKSPACE],
    conflict: ConflictPolicy::LastWins,
    merge_key: MergeKey::Name,
    order: EntryOrder::ByName,
    gate: GateRules {
        bins: BinRule::ExecutableAnything,
        any_bins_and_always: true,
        order: GateOrder::AfterMerge,
        os: OsRule::ExactInPrompt,
    },
    descent: Descent::StopAtSkill,
    link_loops: LinkLoop::Followed,
    skill_file: FileNameMatch::Exact,
    raw_entry_cap: 10_000,
    spec_mode: SpecModeRule::Always(SpecMode::SkillMdOnly),
    dialect: Dialect::Openclaw,
    prompt: PromptRules {
        wording: PromptWording::Openclaw,
        budget: budget(OPENCLAW_LIMITS),
        compact_fallback: true,
        omit_when_minimal: true,
    },
    prompt_select: "all",
    limits: OPENCLAW_LIMITS,
    load_cap: None,
    config_file: "openclaw.json",
    places: PlaceRules {
        state_env: "OPENCLAW_STATE_DIR",
        state_folder: ".openclaw",
        home_env: Some("OPENCLAW_HOME"),
        no_home: &["undefined", "null"],
        config_env: Some("OPENCLAW_CONFIG_PATH"),
        state_follows_config: true,
        bundled_env: &["OPENCLAW_BUNDLED_SKILLS_DIR", "PROWESS_BUNDLED_SKILLS_DIR"],
        personal_needs_default_state: true,
        relative_to: RelativeTo::WorkingDirectory,
    },
    workspaces: Workspaces::PerAgent,
    command_spelling: CommandSpelling::Exact,
    blank_variable: BlankVariable::Set,
    placeholder: "__OPENCLAW_REDACTED__",
    audit_command: "openclaw skills check",
    reserved_commands: OPENCLAW_COMMANDS,
    plugin_links: Some("plugin-skills"),
    plugin_folders: &["extensions"],
    workspace_plugin_folders: &[".openclaw/extensions"],
};

const OPENPOCKET_LIMITS: SkillLimits = SkillLimits {
    max_candidates_per_root: usize::MAX,
    max_skills_loaded_per_source: usize::MAX,
    max_skills_in_prompt: usize::MAX,
    max_skills_prompt_chars: 12_000,
    max_skill_file_bytes: usize::MAX,
};

static OPENPOCKET: Profile = Profile {
    name: ProfileName::Openpocket,
    roots: &[
        pocket_root(Tier::Bundled, "bundled", Place::Bundled),
        pocket_root(Tier::Managed, "local", Place::Local),
        pocket_root(Tier::Workspace, "workspace", Place::Workspace),
    ],
    conflict: ConflictPolicy::FirstWins,
    merge_key: MergeKey::Id,
    order: EntryOrder::BySourceThenName,
    gate: GateRules {
        bins: BinRule::Exists,
        any_bins_and_always: false,
        order: GateOrder::BeforeMerge,
        os: OsRule::Tolerant,
    },
    descent: Descent::Everywhere,
    link_loops: LinkLoop::PassedOver,
    skill_file: FileNameMatch::AnyCase,
    raw_entry_cap: usize::MAX,
    spec_mode: SpecModeRule::Default(SpecMode::Mixed),
    dialect: Dialect::Openpocket,
    prompt: PromptRules {
        wording: PromptWording::Openpocket,
        budget: budget(OPENPOCKET_LIMITS),
        compact_fallback: false,
        omit_when_minimal: false,
    },
    prompt_select: "all",
    limits: OPENPOCKET_LIMITS,
    load_cap: None,
    config_file: "config.json",
    places: PlaceRules {
        state_env: "OPENPOCKET_HOME",
        state_folder: ".openpocket",
        home_env: None,
        no_home: &[],
        config_env: None,
        state_follows_config: false,
        bundled_env: &["PROWESS_BUNDLED_SKILLS_DIR", "OPENCLAW_BUNDLED_SKILLS_DIR"],
        personal_needs_default_state: false,
        relative_to: RelativeTo::WorkingDirectory,
    },
    workspaces: Workspaces::WorkspaceDir,
    command_spelling: CommandSpelling::Exact,
    blank_variable: BlankVariable::Set,
    placeholder: "__PROWESS_REDACTED__",
    audit_command: "prowess check",
    reserved_commands: OWN_COMMANDS,
    plugin_links: None,
    plugin_folders: &[],
    workspace_plugin_folders: &[],
};

#[cfg(test)]
#[path = "profiles_tests.rs"]
mod tests;
