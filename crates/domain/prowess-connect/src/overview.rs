//! The first look: what is ready, what is nearly ready, and what other programs have here.

use std::path::PathBuf;

use prowess_context::Context;
use prowess_inventory::{Inventory, SkillEntry};
use prowess_match::AgentView;
use prowess_types::Requirements;
use serde::Serialize;

use crate::harness::{ConnectError, SkillFormat, importable, known_harnesses};

/// The number of skills that are named because they need little.
const NEAREST: usize = 3;

/// What somebody sees first.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The agent whose skills were looked at.
    pub agent: String,
    /// Skills that were found.
    pub total: usize,
    /// Skills that can be used now.
    pub ready: usize,
    /// Skills that need something first.
    pub needs_setup: usize,
    /// Those of them that need least.
    pub nearest: Vec<NearlyReady>,
    /// Other agent programs on this machine.
    pub programs: Vec<FoundProgram>,
}

/// A skill that needs something.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NearlyReady {
    /// Its name.
    pub name: String,
    /// What it needs.
    pub missing: Requirements,
    /// What to type.
    pub command: String,
}

/// Another agent program, of which nothing was imported.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundProgram {
    /// Its id.
    pub id: String,
    /// What its makers call it.
    pub name: String,
    /// The folders that it reads skills from, as far as they are there.
    #[schemars(with = "Vec<String>")]
    pub folders: Vec<PathBuf>,
    /// Skills that could be imported.
    pub skills: usize,
    /// What to type to see them; none if there is nothing to see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// Looks around without changing anything.
pub fn overview(context: &Context, view: &AgentView) -> Result<Overview, ConnectError> {
    let (inventory, agent) = (view.inventory(), Some(view.agent().id.as_str()));
    let mut programs = Vec::new();
    for known in known_harnesses(context, agent)? {
        if !known.is_installed || known.harness.format != SkillFormat::Skills {
            continue;
        }
        let id = known.harness.id.clone();
        let skills = importable(context, &id, agent)?.skills.len();
        let command = (skills > 0).then(|| format!("prowess import --from {id} --dry-run"));
        let mut folders = known.project;
        folders.extend(known.user);
        folders.retain(|folder| prowess_fs::is_taken(folder));
        programs.push(FoundProgram { id, name: known.harness.name.clone(), folders, skills, command });
    }
    Ok(Overview {
        agent: inventory.agent_id.clone(),
        total: inventory.entries.len(),
        ready: inventory.entries.iter().filter(|entry| entry.is_usable()).count(),
        needs_setup: inventory.entries.iter().filter(|entry| can_be_set_up(entry)).count(),
        nearest: nearest(inventory),
        programs,
    })
}

/// Returns true if requirements are missing and nothing else blocks it.
fn can_be_set_up(entry: &SkillEntry) -> bool {
    let verdict = &entry.verdict;
    !verdict.eligible
        && !verdict.disabled
        && !verdict.blocked_by_allowlist
        && !verdict.platform_incompatible
        && entry.trust().allows()
        && !verdict.missing.is_empty()
}

fn nearest(inventory: &Inventory) -> Vec<NearlyReady> {
    let mut entries: Vec<&SkillEntry> =
        inventory.entries.iter().filter(|entry| can_be_set_up(entry)).collect();
    entries.sort_by_key(|entry| weight(&entry.verdict.missing));
    entries.truncate(NEAREST);
    entries
        .into_iter()
        .map(|entry| NearlyReady {
            name: entry.skill.name.clone(),
            missing: entry.verdict.missing.clone(),
            command: command(entry),
        })
        .collect()
}

/// Returns the number of missing requirements. Of several programs one is enough.
fn weight(missing: &Requirements) -> usize {
    missing.bins.len() + usize::from(!missing.any_bins.is_empty()) + missing.env.len() + missing.config.len()
}

/// The first step.
fn command(entry: &SkillEntry) -> String {
    let (name, missing) = (&entry.skill.name, &entry.verdict.missing);
    let has_programs = !missing.bins.is_empty() || !missing.any_bins.is_empty();
    match (missing.env.first(), missing.config.first()) {
        _ if has_programs => format!("prowess deps {name}"),
        (Some(variable), _) if entry.skill.metadata.primary_env.as_ref() == Some(variable) => {
            format!("prowess secret set {name}")
        }
        (Some(variable), _) => format!("prowess secret set {name} --env {variable}"),
        (None, Some(key)) => format!("prowess config set {key} true"),
        (None, None) => format!("prowess why {name}"),
    }
}
