//! The table of harnesses, from `data/harnesses.json5`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::Error;

/// An agent program that reads skills from folders.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Harness {
    /// What the user calls it.
    pub id: String,
    /// What its makers call it.
    pub name: String,
    /// Folders in a workspace that it reads, the one to fill first.
    pub project: Vec<String>,
    /// Folders of the user that it reads, the one to fill first.
    pub user: Vec<String>,
    /// It is installed if one of these exists.
    pub detect: Vec<String>,
    /// Whether a skill's folder may be a link.
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
    /// Whether it checks itself what a skill requires.
    #[serde(default)]
    pub gates: bool,
    /// How it wants skills.
    #[serde(default)]
    pub format: Format,
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

/// Which names a harness takes.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Folders with `SKILL.md`.
    #[default]
    Skills,
    /// One `.mdc` file each.
    CursorRules,
    /// A list in `AGENTS.md`.
    AgentsMd,
}

/// For whom views are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// For one workspace.
    #[default]
    Project,
    /// For all workspaces of this user.
    User,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    fields: BTreeMap<String, Vec<String>>,
    harnesses: Vec<Harness>,
}

static TABLE: LazyLock<Vec<Harness>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads it.
    let value = prowess_json5::to_value(include_str!("../data/harnesses.json5")).unwrap_or_default();
    let Table { fields, mut harnesses } = serde_json::from_value(value).unwrap_or_default();
    for harness in &mut harnesses {
        harness.fields = fields.get(&harness.set).cloned().unwrap_or_default();
    }
    harnesses
});

/// Every harness that is known.
pub fn harnesses() -> &'static [Harness] {
    &TABLE
}

/// The harness of an id, whatever its case.
///
/// ```
/// assert_eq!(prowess_harness::find("Claude-Code")?.project, [".claude/skills"]);
/// assert!(prowess_harness::find("claud-code").is_err_and(|error| error.to_string().ends_with("`claude-code`?")));
/// # Ok::<(), prowess_harness::Error>(())
/// ```
pub fn find(id: &str) -> Result<&'static Harness, Error> {
    let id = id.trim();
    TABLE.iter().find(|harness| harness.id.eq_ignore_ascii_case(id)).ok_or_else(|| {
        let suggestion = TABLE.iter().map(|harness| (likeness(&harness.id, id), &harness.id)).max();
        let suggestion = suggestion.filter(|(likeness, _)| *likeness > 2).map(|(_, id)| id.clone());
        Error::Unknown { name: id.to_owned(), suggestion }
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

pub(crate) fn meant(suggestion: Option<&str>) -> String {
    suggestion.map(|id| format!("; did you mean `{id}`?")).unwrap_or_default()
}

fn one() -> usize {
    1
}

fn spec() -> String {
    "spec".to_owned()
}

impl Harness {
    /// The folders that it reads, as the table writes them.
    pub fn places(&self, scope: Scope) -> &[String] {
        match scope {
            Scope::Project => &self.project,
            Scope::User => &self.user,
        }
    }

    /// Whether it knows a field of the frontmatter.
    pub fn knows(&self, field: &str) -> bool {
        self.fields.iter().any(|known| known == field)
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
