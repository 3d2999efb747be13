//! The counted content of another program on this machine: the parts that can come here, and the others with reasons.
//!
//! Looking changes nothing, and no value of a key gets into a survey: keys are named by where they stand.

mod claude_code;
mod openclaw;

use std::path::{Path, PathBuf};

use prowess_context::Context;
use serde::Serialize;
use serde_json::Value;

use super::import::OPENCLAW;
use super::{ConnectError, Importables, find, ground};

/// Files of one kind that are counted.
const MAX_FILES: usize = 100_000;
/// Folders within folders that are looked at.
const MAX_DEPTH: usize = 8;
/// A larger file is not a config.
const MAX_CONFIG_BYTES: u64 = 16 * 1024 * 1024;

/// What a program has.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Survey {
    /// The program's id.
    pub harness: String,
    /// What its makers call it.
    pub name: String,
    /// Its own folder, if it has one here.
    pub home: Option<PathBuf>,
    /// What was found, skills first; nothing is listed that there is none of.
    pub found: Vec<FoundThings>,
}

/// Things of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundThings {
    /// What they are.
    pub kind: FoundKind,
    /// How many.
    pub count: usize,
    /// What they are called; never what is in them.
    pub names: Vec<String>,
    /// Whether an import takes them over.
    pub is_imported: bool,
    /// Why not, or how.
    pub note: &'static str,
}

/// What another program can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FoundKind {
    /// Skills.
    Skills,
    /// Skills that are here already, or that another one of the same name hides.
    SkillsPassedOver,
    /// Bundles that the program manages itself.
    Plugins,
    /// Slash commands that are no skills.
    Commands,
    /// Agents with a folder of their own.
    Agents,
    /// Settings that have a meaning here.
    SettingsUnderstood,
    /// Settings that only the program understands.
    SettingsOfTheirs,
    /// Keys and logins.
    Keys,
    /// Programs that it starts by itself.
    Hooks,
    /// Logs of sessions.
    Sessions,
}

impl FoundKind {
    /// Returns the name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::SkillsPassedOver => "skills passed over",
            Self::Plugins => "plugins",
            Self::Commands => "commands",
            Self::Agents => "agents",
            Self::SettingsUnderstood => "settings understood",
            Self::SettingsOfTheirs => "settings of theirs",
            Self::Keys => "keys",
            Self::Hooks => "hooks",
            Self::Sessions => "sessions",
        }
    }
}

impl FoundThings {
    /// Things that stay where they are.
    fn left(kind: FoundKind, names: Vec<String>, note: &'static str) -> Self {
        Self { kind, count: names.len(), names, is_imported: false, note }
    }

    /// Things that are counted and not named.
    fn counted(kind: FoundKind, count: usize, note: &'static str) -> Self {
        Self { kind, count, names: Vec::new(), is_imported: false, note }
    }
}

/// Looks at what a program has, with the skills that [`importable`](Self::importable) found.
pub fn survey(
    context: &Context,
    harness: &str,
    agent: Option<&str>,
    skills: &Importables,
) -> Result<Survey, ConnectError> {
    let harness = find(harness)?;
    let workspace = context.workspace(agent)?;
    let ground = ground(context, &workspace);
    let home = harness.detect.iter().map(|place| ground.expand(place)).find(|place| is_folder(place));
    let mut found = vec![
        FoundThings {
            kind: FoundKind::Skills,
            count: skills.skills.len(),
            names: skills.skills.iter().map(|skill| skill.name.clone()).collect(),
            is_imported: true,
            note: "copied; each is scanned and shown first",
        },
        FoundThings::left(
            FoundKind::SkillsPassedOver,
            skills.passed_over.iter().map(|(path, _)| path.clone()).collect(),
            "they are here already, or another one has their name",
        ),
    ];
    if let Some(home) = &home {
        match harness.id.as_str() {
            OPENCLAW => found.extend(openclaw::look(context, home)),
            "claude-code" => found.extend(claude_code::look(home)),
            _ => {}
        }
    }
    found.retain(|things| things.count > 0);
    Ok(Survey { harness: harness.id.clone(), name: harness.name.clone(), home, found })
}

fn is_folder(path: &Path) -> bool {
    matches!(prowess_fs::is_folder(path), Ok(true))
}

/// A config, as far as it can be read.
fn config(file: &Path) -> Option<Value> {
    let bytes = prowess_fs::read_file(file, MAX_CONFIG_BYTES).ok()?;
    prowess_json5::to_value(&String::from_utf8_lossy(&bytes)).ok()
}

/// The places of files below a folder whose names end in a certain way.
fn files(folder: &Path, ending: &str) -> Vec<String> {
    let entries = prowess_fs::list_all(folder, MAX_FILES, MAX_DEPTH).entries;
    entries.into_iter().map(|entry| entry.relative).filter(|name| name.ends_with(ending)).collect()
}

/// The names of the members of an object.
fn member_names(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_object).map(|members| members.keys().cloned().collect()).unwrap_or_default()
}
