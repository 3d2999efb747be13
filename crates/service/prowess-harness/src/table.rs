//! The table of agent programs, from `data/harnesses.json5`: one row and one id for each program, whatever is known of it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::ViewError;
use crate::command::HarnessCommand;
use crate::logs::SessionLogs;

/// A row of the table: an agent program, with a section for each use of it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentProgram {
    /// The name that commands, settings and records use.
    pub id: String,
    /// The name that its makers use.
    pub name: String,
    /// Other names that are accepted wherever an id is.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The folders it reads skills from.
    pub folders: Option<Harness>,
    /// The command line of one prompt.
    pub run: Option<HarnessCommand>,
    /// The files that its hooks stand in.
    pub hook: Option<HookFiles>,
    /// Its own session logs.
    pub logs: Option<SessionLogs>,
}

impl AgentProgram {
    /// Returns true for its id and its aliases, in any case.
    pub fn is_called(&self, name: &str) -> bool {
        let is_meant = |known: &String| known.eq_ignore_ascii_case(name.trim());
        is_meant(&self.id) || self.aliases.iter().any(is_meant)
    }
}

/// An agent program that reads skills from folders: the section `folders` of its row.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Harness {
    /// The id of the program in the table.
    #[serde(skip)]
    pub id: String,
    /// The name that its makers use.
    #[serde(skip)]
    pub name: String,
    /// Folders in a workspace that it reads, the one to fill first.
    pub project: Vec<String>,
    /// Folders of the user that it reads, the one to fill first.
    pub user: Vec<String>,
    /// It is installed if one of these exists.
    pub detect: Vec<String>,
    /// True if a skill's folder may be a link.
    #[serde(default)]
    pub links: bool,
    /// How many folders down it looks for skills.
    #[serde(default = "one")]
    pub depth: usize,
    /// What names it takes.
    #[serde(default)]
    pub name_rule: NameRule,
    /// The longest description it takes, in characters.
    #[serde(default)]
    pub max_description: Option<usize>,
    /// True if it checks itself what a skill requires.
    #[serde(default)]
    pub gates: bool,
    /// How it wants skills.
    #[serde(default)]
    pub format: SkillFormat,
    /// What else to know.
    #[serde(default)]
    pub note: Option<String>,
    /// The name of the set of fields.
    #[serde(rename = "fields", default = "spec")]
    set: String,
    /// The fields of the frontmatter that it knows.
    #[serde(skip)]
    pub fields: Vec<String>,
}

/// The files that the hooks of an agent program stand in: the section `hook` of its row.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookFiles {
    /// The file of the user.
    pub(crate) user: String,
    /// The file of a project.
    pub(crate) project: String,
    /// Advice after an installation.
    pub(crate) note: String,
}

/// The names that a harness accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameRule {
    /// Whatever a folder may be called.
    #[default]
    Any,
    /// Lower-case letters, digits and single hyphens, up to 64.
    Spec,
}

/// How a harness wants skills.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Format")]
pub enum SkillFormat {
    /// Folders with `SKILL.md`.
    #[default]
    Skills,
    /// One `.mdc` file each.
    CursorRules,
    /// A list in `AGENTS.md`.
    AgentsMd,
}

/// For whom views are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Scope")]
pub enum ViewScope {
    /// For one workspace.
    #[default]
    Project,
    /// For all workspaces of this user.
    User,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    inherit: Vec<String>,
    fields: BTreeMap<String, Vec<String>>,
    harnesses: Vec<AgentProgram>,
}

static TABLE: LazyLock<Vec<AgentProgram>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads it.
    let value = prowess_json5::to_value(include_str!("../data/harnesses.json5")).unwrap_or_default();
    let Table { inherit, fields, mut harnesses } = serde_json::from_value(value).unwrap_or_default();
    for program in &mut harnesses {
        if let Some(folders) = &mut program.folders {
            folders.id.clone_from(&program.id);
            folders.name.clone_from(&program.name);
            folders.fields = fields.get(&folders.set).cloned().unwrap_or_default();
        }
        if let Some(command) = &mut program.run {
            command.id.clone_from(&program.id);
            command.inherit.extend(inherit.iter().cloned());
        }
    }
    harnesses
});

/// Every agent program of the table.
pub fn programs() -> &'static [AgentProgram] {
    &TABLE
}

/// The agent program of an id or an alias, in any case.
///
/// ```
/// let claude = prowess_harness::program("claude").map(|program| program.id.as_str());
/// assert_eq!(claude, Some("claude-code"));
/// ```
pub fn program(name: &str) -> Option<&'static AgentProgram> {
    TABLE.iter().find(|program| program.is_called(name))
}

/// Every harness with folders that can be filled.
pub fn harnesses() -> impl Iterator<Item = &'static Harness> + Clone {
    TABLE.iter().filter_map(|program| program.folders.as_ref())
}

/// Every harness that can answer a prompt.
pub fn commands() -> impl Iterator<Item = &'static HarnessCommand> + Clone {
    TABLE.iter().filter_map(|program| program.run.as_ref())
}

/// The folders of the harness of an id or an alias, in any case.
///
/// ```
/// assert_eq!(prowess_harness::find("Claude-Code")?.project, [".claude/skills"]);
/// assert_eq!(prowess_harness::find("claude")?.id, "claude-code");
/// assert!(prowess_harness::find("claud-code").is_err_and(|error| error.to_string().ends_with("`claude-code`?")));
/// # Ok::<(), prowess_harness::ViewError>(())
/// ```
pub fn find(id: &str) -> Result<&'static Harness, ViewError> {
    let id = id.trim();
    program(id).and_then(|program| program.folders.as_ref()).ok_or_else(|| {
        let suggestion = harnesses().map(|harness| (likeness(&harness.id, id), &harness.id)).max();
        let suggestion = suggestion.filter(|(likeness, _)| *likeness > 2).map(|(_, id)| id.clone());
        ViewError::Unknown { name: id.to_owned(), suggestion }
    })
}

/// How many letters at the start and at the end two names share.
fn likeness(known: &str, asked: &str) -> usize {
    let asked = asked.to_lowercase();
    let same = |(one, other): &(char, char)| one == other;
    let start = known.chars().zip(asked.chars()).take_while(same).count();
    let end = known.chars().rev().zip(asked.chars().rev()).take_while(same).count();
    start + end
}

fn one() -> usize {
    1
}

fn spec() -> String {
    "spec".to_owned()
}

impl Harness {
    /// The folders that it reads, as the table writes them.
    pub fn places(&self, scope: ViewScope) -> &[String] {
        match scope {
            ViewScope::Project => &self.project,
            ViewScope::User => &self.user,
        }
    }

    /// Returns true if it knows a field of the frontmatter.
    pub fn knows(&self, field: &str) -> bool {
        self.fields.iter().any(|known| known == field)
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
