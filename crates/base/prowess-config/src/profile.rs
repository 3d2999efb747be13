//! What a profile is: the choices in which one engine differs from another, as data.

use prowess_types::{
    CommandSpelling, ConflictPolicy, Descent, Dialect, EntryOrder, GateRules, LinkLoop, LinkPolicy, MergeKey,
    ProfileName, PromptRules, SpecMode, Tier,
};

use crate::{Env, SkillLimits};

/// The choices in which one engine differs from another.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    /// Which one it is.
    pub name: ProfileName,
    /// Where skills are looked for, the lowest rank first.
    pub roots: &'static [RootSpec],
    /// Who wins when two roots have the same key.
    pub conflict: ConflictPolicy,
    /// What makes two skills the same.
    pub merge_key: MergeKey,
    /// In which order skills are listed.
    pub order: EntryOrder,
    /// What the gate knows.
    pub gate: GateRules,
    /// The rule for walking on below a skill's own folder.
    pub descent: Descent,
    /// The treatment of links that lead in circles.
    pub link_loops: LinkLoop,
    /// Whether `skill.md` counts as `SKILL.md`.
    pub skill_file: FileNameMatch,
    /// Entries of one folder that are read at all.
    pub raw_entry_cap: usize,
    /// The rule for files that count as skills.
    pub spec_mode: SpecModeRule,
    /// How `SKILL.md` is read.
    pub dialect: Dialect,
    /// How the list in the prompt is rendered unless the config says otherwise.
    pub prompt: PromptRules,
    /// How runs tell the model about skills unless the config says otherwise: a value of `skills.prompt.select`.
    pub prompt_select: &'static str,
    /// The limits unless the config says otherwise.
    pub limits: SkillLimits,
    /// The most skills that are loaded for one agent. With it, the limits of candidates and of skills per source bound
    /// only the list in the prompt; without it, they bound what is loaded.
    pub load_cap: Option<usize>,
    /// The name of the config file in the state directory.
    pub config_file: &'static str,
    /// The rules for the places of its files.
    pub places: PlaceRules,
    /// The workspace of an agent that has none of its own.
    pub workspaces: Workspaces,
    /// The spellings of its name that call a skill.
    pub command_spelling: CommandSpelling,
    /// The meaning of a variable of the user's environment without a value.
    pub blank_variable: BlankVariable,
    /// What is shown in the place of a secret.
    pub placeholder: &'static str,
    /// The command that a truncated list in the prompt names.
    pub audit_command: &'static str,
    /// Names that the slash commands of skills may not take.
    pub reserved_commands: &'static [&'static str],
    /// The folder below the state directory with a link to every skill of a plugin, where the program makes such links.
    pub plugin_links: Option<&'static str>,
    /// Folders of plugins below the state directory.
    pub plugin_folders: &'static [&'static str],
    /// Folders of plugins below a workspace; these came with somebody's repository.
    pub workspace_plugin_folders: &'static [&'static str],
}

impl Profile {
    /// The name of a source for people. Our own profile keeps OpenClaw's labels for the clients that know them, and shows
    /// them without its name.
    ///
    /// ```
    /// use prowess_types::ProfileName;
    /// let name = |profile| prowess_config::profile(profile).source_name("openclaw-bundled");
    /// assert_eq!(name(ProfileName::Prowess), "bundled");
    /// assert_eq!(name(ProfileName::Openclaw), "openclaw-bundled");
    /// ```
    pub fn source_name<'l>(&self, label: &'l str) -> &'l str {
        match self.name {
            ProfileName::Prowess => label.strip_prefix("openclaw-").unwrap_or(label),
            ProfileName::Openclaw | ProfileName::Openpocket => label,
        }
    }
}

/// One root, before its path is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootSpec {
    /// Its rank.
    pub tier: Tier,
    /// The label peers know it by.
    pub label: &'static str,
    /// Its place.
    pub place: Place,
    /// What links in it may point to.
    pub links: LinkPolicy,
    /// True if a `SKILL.md` may have several hard links.
    pub hard_links_allowed: bool,
    /// How deep the folder of a skill may lie.
    pub max_depth: usize,
    /// The same where the root is called `skills`.
    pub max_depth_in_skills_folder: usize,
}

/// What kind of place a root is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Each of `skills.load.extraDirs`, the first one lowest.
    ExtraDirs,
    /// The skill folders of enabled plugins.
    Plugins,
    /// Shipped with the engine.
    Bundled,
    /// Shipped for the system agent only (OpenClaw).
    Custodian,
    /// Drafted by an agent for itself (OpenClaw).
    Workshop,
    /// `skills` in the state directory.
    Managed,
    /// `~/.agents/skills`.
    Personal,
    /// `.agents/skills` in the workspace.
    Project,
    /// `skills` in the workspace.
    Workspace,
    /// `skills` in OpenPocket's home.
    Local,
}

/// How a file name is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileNameMatch {
    /// Letter by letter.
    Exact,
    /// Without regard to case.
    AnyCase,
}

/// Whether `agent.skillsSpecMode` has a say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecModeRule {
    /// It has; this one holds where it is silent.
    Default(SpecMode),
    /// It has none.
    Always(SpecMode),
}

/// How the files of an engine are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceRules {
    /// The variable that moves the state directory.
    pub state_env: &'static str,
    /// The name of the state directory in the user's home.
    pub state_folder: &'static str,
    /// A variable that replaces the user's home, but not for the personal root.
    pub home_env: Option<&'static str>,
    /// Values of variables that name a home which count as not set.
    pub no_home: &'static [&'static str],
    /// The variable that moves the config file.
    pub config_env: Option<&'static str>,
    /// True if the state directory follows a config file that was moved.
    pub state_follows_config: bool,
    /// The variables that name the bundled skills, the first one that is set counts.
    pub bundled_env: &'static [&'static str],
    /// True if the personal root is left out when the state directory was moved.
    pub personal_needs_default_state: bool,
    /// The base of relative paths in the config.
    pub relative_to: RelativeTo,
}

/// The base of relative paths in the config.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelativeTo {
    /// The folder of the config file.
    ConfigFile,
    /// The working directory of the process.
    WorkingDirectory,
}

/// The meaning of a variable of the user's environment whose value is empty or blank, where a skill's key is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlankVariable {
    /// It is not set: the configured key is used.
    Absent,
    /// It is set, and no skill may replace it.
    Set,
}

impl BlankVariable {
    /// Returns true if the user has set the variable.
    ///
    /// ```
    /// use prowess_config::{BlankVariable, Env};
    /// let env = Env::new([("MY_KEY".to_owned(), " ".to_owned())], "/");
    /// assert!(BlankVariable::Set.is_set(&env, "MY_KEY") && !BlankVariable::Absent.is_set(&env, "MY_KEY"));
    /// ```
    pub fn is_set(self, env: &Env, name: &str) -> bool {
        match self {
            Self::Absent => env.trimmed(name).is_some(),
            Self::Set => env.get(name).is_some(),
        }
    }
}

/// The workspace of an agent that has none of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Workspaces {
    /// In `agents.defaults.workspace`, else in the working directory.
    WorkingDirectory,
    /// The default agent in `agents.defaults.workspace`, else in `workspace` in the state directory;
    /// any other agent in a folder of its own beside it.
    PerAgent,
    /// In `workspaceDir`, else in `workspace` in the state directory.
    WorkspaceDir,
}
