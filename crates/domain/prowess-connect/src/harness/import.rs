//! The skills of another program that can be imported.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use prowess_context::Context;
use prowess_fs::EntryKind;
use prowess_harness::{SkillFormat, ViewScope, rule, settle};
use prowess_inventory::view_records;
use prowess_types::{ProfileName, Tier};
use serde::Serialize;

use super::{ConnectError, find, ground};

/// The harness that has a config which says where its skills are.
pub(super) const OPENCLAW: &str = "openclaw";
/// Rules that are looked at.
const MAX_RULES: usize = 10_000;

/// A skill that another program has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Importable {
    /// Its name there.
    pub name: String,
    /// Its path.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// Its kind.
    pub kind: ImportableKind,
}

/// The kinds of skills that can be imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ImportableKind {
    /// A folder with `SKILL.md`.
    Skill,
    /// A rule of Cursor, by its place below the folder of rules.
    Rule(String),
}

/// The importable skills of another program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Importables {
    /// The importable ones, the workspace's first; of one name only the first counts.
    pub skills: Vec<Importable>,
    /// The skipped ones, each with the reason.
    pub passed_over: Vec<(String, String)>,
}

/// The skills that a harness reads from folders of its own, without those that came from here.
pub fn importable(
    context: &Context,
    harness: &str,
    agent: Option<&str>,
) -> Result<Importables, ConnectError> {
    let harness = find(harness)?;
    let workspace = context.workspace(agent)?;
    let ground = ground(context, &workspace);
    let own: Vec<PathBuf> = prowess_inventory::blueprint(context, agent, &mut None)?
        .plans
        .iter()
        .map(|plan| settle(&plan.source.root))
        .collect();
    let mut found = Importables::default();
    let scopes = [ViewScope::Project, ViewScope::User];
    let mut folders: Vec<PathBuf> =
        scopes.into_iter().flat_map(|scope| ground.folders(harness, scope)).collect();
    if harness.id == OPENCLAW {
        folders.extend(openclaw_folders(context));
    }
    let mut seen = HashSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    for folder in folders {
        match harness.format {
            SkillFormat::AgentsMd => return Err(ConnectError::NothingToImport(harness.id.clone())),
            SkillFormat::CursorRules => rules_in(context, &folder, &mut found),
            SkillFormat::Skills if own.contains(&folder) => {}
            SkillFormat::Skills => skills_in(context, &folder, &own, &mut found),
        }
    }
    Ok(found)
}

/// The folders of skills that OpenClaw's own config names: workspaces of agents, and others.
fn openclaw_folders(context: &Context) -> Vec<PathBuf> {
    let Ok(theirs) = context.of_profile(ProfileName::Openclaw) else { return Vec::new() };
    let mut folders = Vec::new();
    for agent in theirs.config().agent_ids() {
        let plans =
            prowess_inventory::blueprint(&theirs, Some(&agent), &mut None).map(|blueprint| blueprint.plans);
        let plans = plans.unwrap_or_default();
        let own = plans.iter().filter(|plan| plan.source.tier != Tier::Bundled);
        folders.extend(own.map(|plan| settle(&plan.source.root)));
    }
    folders
}

fn skills_in(context: &Context, folder: &Path, own: &[PathBuf], found: &mut Importables) {
    let made = view_records(context).read(folder).unwrap_or_default();
    for (name, real) in prowess_harness::skill_folders(folder) {
        let reason = if made.has(&name) {
            Some("it was made by `prowess sync`")
        } else if own.iter().any(|root| real.starts_with(root)) {
            Some("it is a link to a skill that is here already")
        } else if found.skills.iter().any(|skill| skill.name == name) {
            Some("another one of the same name comes first")
        } else {
            None
        };
        match reason {
            Some(reason) => {
                let path = folder.join(name).display().to_string();
                found.passed_over.push((path, reason.to_owned()));
            }
            None => {
                found.skills.push(Importable { name, path: real, kind: ImportableKind::Skill });
            }
        }
    }
}

fn rules_in(context: &Context, folder: &Path, found: &mut Importables) {
    let made = view_records(context).read(folder).unwrap_or_default();
    let listing = prowess_fs::list_all(folder, MAX_RULES, 8);
    for entry in listing.entries {
        let Some(name) = entry.relative.strip_suffix(rule::EXTENSION).map(str::to_owned) else {
            continue;
        };
        let reason = match entry.kind {
            _ if made.has(&entry.relative) => "it was made by `prowess sync`",
            EntryKind::File { .. } if entry.is_text_name => {
                let kind = ImportableKind::Rule(entry.relative);
                found.skills.push(Importable { name, path: entry.path, kind });
                continue;
            }
            _ => "it is not a regular file",
        };
        found.passed_over.push((entry.path.display().to_string(), reason.to_owned()));
    }
}
