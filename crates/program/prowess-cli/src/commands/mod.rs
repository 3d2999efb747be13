//! One module per command.

pub(crate) mod acquire;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod cortex;
pub(crate) mod demo;
pub(crate) mod deps;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod forge;
pub(crate) mod gateway;
pub(crate) mod generate;
pub(crate) mod hook;
pub(crate) mod hub;
pub(crate) mod import;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod matching;
pub(crate) mod mcp;
pub(crate) mod new;
pub(crate) mod node;
pub(crate) mod openpocket;
pub(crate) mod overlap;
pub(crate) mod prompt;
pub(crate) mod registry;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod sandbox;
pub(crate) mod scan;
pub(crate) mod schema;
pub(crate) mod secret;
pub(crate) mod sessions;
pub(crate) mod slash;
pub(crate) mod status;
pub(crate) mod sync;
pub(crate) mod trust;
pub(crate) mod usage;
pub(crate) mod validate;
pub(crate) mod watch;
pub(crate) mod why;

use std::path::Path;

use prowess_inventory::{Inventory, NameLookup, SkillEntry};
use prowess_text::{plural as count, printable};
use prowess_types::{ErrorKind, OfferMode, RefusedInstall, Requirements};

use crate::failure::Failure;
use crate::output::{BAD, Cell, DIM, GOOD, WARN, paint};

/// The state of a skill in a word, as it is shown everywhere.
fn state(entry: &SkillEntry) -> Cell {
    let verdict = &entry.verdict;
    if verdict.disabled {
        Cell::styled(DIM, "⏸ disabled")
    } else if verdict.blocked_by_allowlist {
        Cell::styled(BAD, "🚫 blocked")
    } else if verdict.platform_incompatible {
        Cell::styled(DIM, "✗ not supported")
    } else if !entry.trust().allows() {
        Cell::styled(WARN, "△ not trusted")
    } else if !verdict.eligible {
        Cell::styled(WARN, "△ needs setup")
    } else if !entry.allowed {
        Cell::styled(BAD, "🚫 excluded")
    } else if entry.mode == OfferMode::Manual || entry.skill.invocation.disable_model_invocation {
        Cell::styled(GOOD, "✓ ready (hidden)")
    } else {
        Cell::styled(GOOD, "✓ ready")
    }
}

/// A skill's name with its emoji.
fn title(entry: &SkillEntry) -> String {
    let name = printable(&entry.skill.name);
    match &entry.skill.metadata.emoji {
        Some(emoji) => format!("{} {name}", printable(emoji)),
        None => name,
    }
}

/// A path, safe for a terminal whatever its folders are called.
fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// An install option that cannot be used: the reason, and the remedy.
fn refused_install(refused: &RefusedInstall) -> String {
    let help = paint(DIM, printable(&refused.help));
    format!("  {} {}\n      {help}\n", paint(BAD, "✗"), printable(&refused.to_string()))
}

/// What is missing, in one line.
fn missing(requirements: &Requirements) -> String {
    let kinds = [
        ("os", &requirements.os),
        ("bins", &requirements.bins),
        ("anyBins", &requirements.any_bins),
        ("env", &requirements.env),
        ("config", &requirements.config),
    ];
    let parts = kinds.iter().filter(|(_, list)| !list.is_empty());
    parts
        .map(|(kind, list)| format!("{kind}: {}", printable(&list.join(", "))))
        .collect::<Vec<_>>()
        .join("; ")
}

/// Finds a skill, or says what else might be meant.
fn find<'a>(inventory: &'a Inventory, name: &str) -> Result<&'a SkillEntry, Failure> {
    match inventory.find(name) {
        NameLookup::Found(entry) => Ok(entry),
        NameLookup::Ambiguous(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            Err(Failure::new(ErrorKind::Ambiguous, format!("`{name}` could be {}", names.join(" or "))))
        }
        NameLookup::Missing => Err(Failure::not_found(format!("Skill \"{name}\" not found."))
            .hint("`prowess list --all` shows everything that was found")),
    }
}
