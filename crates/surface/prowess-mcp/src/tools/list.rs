//! `skill_list`: the skills, and whether they are ready.

use std::collections::BTreeMap;

use prowess_inventory::SkillEntry;
use prowess_types::OfferMode;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::looks;
use crate::ask::Outcome;
use crate::core::Desk;
use crate::page::{self, PAGE};
use crate::tool_answer::ToolAnswer;
use crate::uri::of_skill;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Also those that cannot be used yet, with what they lack.
    #[serde(default)]
    all: bool,
    /// The start of the page: `nextCursor` of the page before.
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The skills, by their names.
    skills: Vec<Listed>,
    /// There are more: call again with it as `cursor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Listed {
    /// Its name.
    name: String,
    /// Its purpose.
    description: String,
    /// Its text, as a resource.
    uri: String,
    /// Its source.
    source: String,
    /// True if it can be used now.
    ready: bool,
    /// The reason against it.
    reasons: Vec<String>,
}

pub(super) fn tool() -> Tool {
    super::tool::<Input, Output>(
        "skill_list",
        "List skills",
        "Lists the skills by name, with what each is for and whether it is ready. To find one for a task, `skill_search` is \
         better.",
        looks(),
    )
}

/// Returns true if models see a skill once it is ready.
pub(super) fn is_for_models(entry: &SkillEntry) -> bool {
    entry.allowed && !entry.skill.invocation.disable_model_invocation && entry.mode != OfferMode::Manual
}

pub(super) fn run(desk: &Desk, input: Input) -> Outcome {
    let after = page::after(input.cursor.as_deref()).map_err(|fault| fault.to_string())?;
    let mut entries: BTreeMap<&str, &SkillEntry> = BTreeMap::new();
    for entry in desk.inventory().entries.iter().filter(|entry| is_for_models(entry)) {
        if input.all || entry.is_usable() {
            entries.entry(&entry.skill.name).or_insert(entry);
        }
    }
    let listed = entries.into_iter().filter(|(name, _)| *name > after).map(|(name, entry)| {
        let listed = Listed {
            name: name.to_owned(),
            description: entry.skill.description.clone(),
            uri: of_skill(name),
            source: desk.engine.profile().source_name(&entry.origin.source).to_owned(),
            ready: entry.is_usable(),
            reasons: entry.verdict.reasons.clone(),
        };
        (name.to_owned(), listed)
    });
    let page = page::cut(listed, PAGE);
    let output = Output { skills: page.items, next_cursor: page.next };
    Ok(ToolAnswer::plain(&output))
}
