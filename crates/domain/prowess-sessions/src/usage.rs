//! The usage of every skill: shown, loaded, followed, succeeded, and its cost.
//!
//! Everything is counted from records: the traces of sessions, imported ones included, and what hooks put into
//! contexts. What no record tells is said to be unknown; nothing is guessed from what happens to be true today, except
//! where a verdict explains why a skill was never shown.

mod gather;
mod signs;
mod verdict;

use std::collections::BTreeMap;

use prowess_context::Context;
use prowess_inventory::Inventory;
use prowess_match::AgentView;
use serde::Serialize;

use crate::sessions::Sessions;

/// A skill that was shown so often and never loaded is dead.
pub const DEAD_AFTER: usize = 10;

/// The filter of the records that count.
#[derive(Clone, Debug, Default)]
pub struct UsageFilter<'a> {
    /// Only what happened since then, in milliseconds since 1970.
    pub since: Option<u64>,
    /// Only sessions of this agent or harness.
    pub agent: Option<&'a str>,
}

/// What became of every skill.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
    /// Sessions that were looked at.
    pub sessions: usize,
    /// Runs in them.
    pub runs: usize,
    /// Runs of which no record tells what the model was told about skills.
    pub runs_without_catalogue: usize,
    /// Runs of which no record tells what the selector said.
    pub runs_without_selection: usize,
    /// Messages that a hook answered.
    pub hook_messages: usize,
    /// Those of them whose session was not imported, so that nobody knows what came of them.
    pub hook_messages_without_run: usize,
    /// Sessions that cannot be read, and why.
    pub unread: Vec<String>,
    /// The skills, those that were loaded most first.
    pub skills: Vec<SkillUsage>,
}

/// What became of one skill.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillUsage {
    /// Its name.
    pub name: String,
    /// Its file, if the agent has it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Messages for which the model was told about it.
    pub shown: usize,
    /// Messages for which its text came into the context.
    pub loaded: usize,
    /// Of those, where the agent then used its programs or files; none if it has neither, so that nobody can tell.
    pub followed: Option<usize>,
    /// Of those, where the task was done.
    pub succeeded: usize,
    /// Of those, where it was not.
    pub failed: usize,
    /// Of those, where nobody knows.
    pub outcome_unknown: usize,
    /// Messages that asked for it and for which it was not loaded.
    pub missed: usize,
    /// An estimate of the tokens that showing and loading it cost.
    pub tokens: usize,
    /// How often it was loaded with a text that is not known any more, which is not in `tokens`.
    pub loads_of_unknown_size: usize,
    /// When it was loaded last, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_loaded: Option<u64>,
    /// What that comes to.
    pub verdicts: Vec<UsageVerdict>,
    /// Why it never had a chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What the numbers come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UsageVerdict {
    /// Shown at least [`DEAD_AFTER`] times and never loaded.
    Dead,
    /// At least one message asked for it and it was not loaded.
    Missed,
    /// Never shown and never loaded, because it could not be.
    NeverHadAChance,
}

/// Returns the usage of every skill of an agent, as far as it is recorded.
pub fn usage(context: &Context, view: &AgentView, filter: &UsageFilter<'_>) -> UsageReport {
    let inventory = view.inventory();
    let mut report = UsageReport::default();
    let mut skills = gather::gather(&Sessions::of(context), filter, inventory, &mut report);
    for entry in &inventory.entries {
        skills.entry(entry.skill.name.clone()).or_default();
    }
    report.skills = verdict::judged(skills, inventory, &report);
    report
}

/// The counts, by the name of the skill.
type Tallies = BTreeMap<String, SkillUsage>;

/// The name of a skill as this agent has it: a harness says `plugin:skill`, or the name of the folder.
fn own_name(name: &str, inventory: &Inventory) -> String {
    let short = name.rsplit(':').next().unwrap_or(name);
    let entries = || inventory.entries.iter().map(|entry| &entry.skill);
    let named = entries().find(|skill| skill.name == name || skill.name == short);
    let named = named.or_else(|| entries().find(|skill| skill.id == short));
    named.map_or_else(|| short.to_owned(), |skill| skill.name.clone())
}
