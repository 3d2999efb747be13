//! Slash commands: one for every skill that a person may call.
//!
//! Invariant: names are unique, at most 32 characters of `a-z0-9_`, and never those of a built-in command.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use prowess_types::{Dispatch, Skill, Tier};
use serde::{Deserialize, Serialize};

/// The longest name that every chat surface takes.
const MAX_NAME: usize = 32;

/// The name of a skill whose own has no usable character. It is a built-in command, so it gets a number.
const FALLBACK: &str = "skill";

/// Numbers are tried up to here.
const LAST_NUMBER: usize = 999;

/// The source of a command's skill, in the three words that clients know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CommandSource {
    /// Shipped with the engine.
    Bundled,
    /// From any folder of the user's: workspace, project, personal, managed, workshop, extra.
    Workspace,
    /// From elsewhere, such as another machine.
    Unknown,
}

impl From<Tier> for CommandSource {
    fn from(tier: Tier) -> Self {
        match tier {
            Tier::Bundled => Self::Bundled,
            Tier::Extra
            | Tier::Workshop
            | Tier::Managed
            | Tier::Personal
            | Tier::Project
            | Tier::Workspace => Self::Workspace,
        }
    }
}

/// A skill that may become a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandCandidate<'a> {
    /// The skill; left out if people may not call it.
    pub skill: &'a Skill,
    /// Its file with every link resolved.
    pub file: &'a Path,
    /// Its source.
    pub source: CommandSource,
    /// True if the model sees it too.
    pub model_visible: bool,
}

/// A slash command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandSpec {
    /// What follows the slash.
    pub name: String,
    /// For display.
    pub display_name: String,
    /// The skill's file with every link resolved.
    pub skill_file: String,
    /// The skill's name.
    pub skill_name: String,
    /// Its purpose.
    pub description: String,
    /// True if the model sees the skill too.
    pub model_visible: bool,
    /// The source of the skill.
    pub skill_source: CommandSource,
    /// What it does without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispatch: Option<Dispatch>,
}

/// The commands for `skills`, in their order. Earlier skills keep the plain name.
pub fn command_specs(skills: &[CommandCandidate<'_>], reserved: &[&str]) -> Vec<CommandSpec> {
    let mut names = Names::reserving(reserved);
    let callable = skills.iter().filter(|input| input.skill.invocation.user_invocable);
    callable
        .map(|input| {
            let skill = input.skill;
            let description = match skill.description.trim() {
                "" => &skill.name,
                text => text,
            };
            CommandSpec {
                name: names.claim(sanitised(&skill.name)),
                display_name: skill.display_name.clone(),
                skill_file: input.file.to_string_lossy().into_owned(),
                skill_name: skill.name.clone(),
                description: description.to_owned(),
                model_visible: input.model_visible,
                skill_source: input.source,
                dispatch: skill.invocation.dispatch.clone(),
            }
        })
        .collect()
}

/// A skill's name as a command: lower case, every run of other characters one underscore.
pub(crate) fn sanitised(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|character: char| !matches!(character, 'a'..='z' | '0'..='9'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut name = words.join("_");
    name.truncate(MAX_NAME);
    if name.is_empty() { FALLBACK.to_owned() } else { name }
}

/// The names that are gone.
struct Names {
    taken: HashSet<String>,
    /// For each base, the variant that was given out last: all before it are gone.
    last: HashMap<String, usize>,
}

impl Names {
    fn reserving(reserved: &[&str]) -> Self {
        let reserved = reserved.iter().map(|name| name.to_lowercase());
        Self { taken: reserved.chain([FALLBACK.to_owned()]).collect(), last: HashMap::new() }
    }

    /// Gives out the first free variant of a base.
    fn claim(&mut self, base: String) -> String {
        let mut number = self.last.get(&base).copied().unwrap_or(1);
        let mut name = variant(&base, number);
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = variant(&base, number);
        }
        self.last.insert(base, number);
        name
    }
}

/// The plain name, then `_2` and so on. More than a thousand of one name are a mistake, but they still
/// get a name each.
fn variant(base: &str, number: usize) -> String {
    match number {
        ..=1 => base.to_owned(),
        2..=LAST_NUMBER => with_suffix(base, &format!("_{number}")),
        1000 => with_suffix(base, "_x"),
        _ => with_suffix(base, &format!("_x{}", number - LAST_NUMBER)),
    }
}

fn with_suffix(base: &str, suffix: &str) -> String {
    let kept = base.len().min(MAX_NAME.saturating_sub(suffix.len()));
    format!("{}{suffix}", &base[..kept])
}

#[cfg(test)]
#[path = "commands_tests.rs"]
mod tests;
