//! An engine over a throw-away tree.

use std::path::Path;

use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_context::Caching;
use prowess_inventory::{Inventory, SkillEntry};
use prowess_testkit::{SkillFile, Tree};
use prowess_types::{Loss, LossReason, ProfileName};
use serde_json::Value;

/// `HOME` is `home/`, the workspace `ws/`, bundled skills `bundled/`, programs `bin/`.
pub(crate) fn options(tree: &Tree, profile: ProfileName, vars: &[(&str, &str)]) -> EngineOptions {
    let path = |relative: &str| tree.path(relative).display().to_string();
    let own = [("HOME", path("home")), ("PATH", path("bin"))];
    let given = vars.iter().map(|(name, value)| ((*name).to_owned(), tree.expand(value)));
    let vars = own.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(given);
    EngineOptions {
        profile,
        env: Env::new(vars, tree.path("ws")),
        overrides: Overrides {
            workspace: Some(tree.path("ws")),
            bundled: Some(tree.path("bundled")),
            ..Overrides::default()
        },
        cache: Caching::Off,
        ..EngineOptions::default()
    }
}

pub(crate) fn engine_with(
    tree: &Tree,
    profile: ProfileName,
    vars: &[(&str, &str)],
    cache: Caching,
) -> Engine {
    Engine::open(EngineOptions { cache, ..options(tree, profile, vars) }).expect("the engine opens")
}

pub(crate) fn engine(tree: &Tree) -> Engine {
    engine_with(tree, ProfileName::Prowess, &[], Caching::Off)
}

pub(crate) fn inventory(tree: &Tree) -> Inventory {
    engine(tree).inventory(None).expect("an inventory")
}

pub(crate) fn inventory_under(tree: &Tree, profile: ProfileName) -> Inventory {
    engine_with(tree, profile, &[], Caching::Off).inventory(None).expect("an inventory")
}

/// Writes the user's config; `$ROOT` is the tree.
pub(crate) fn configure(tree: &Tree, text: &str) {
    tree.write("home/.prowess/prowess.json", tree.expand(text));
}

pub(crate) fn names(inventory: &Inventory) -> Vec<&str> {
    inventory.entries.iter().map(|entry| entry.skill.name.as_str()).collect()
}

pub(crate) fn entry<'a>(inventory: &'a Inventory, name: &str) -> &'a SkillEntry {
    let found = inventory.entries.iter().find(|entry| entry.skill.name == name);
    found.unwrap_or_else(|| panic!("no skill `{name}` among {:?}", names(inventory)))
}

/// The loss at a path of the tree.
pub(crate) fn loss<'a>(inventory: &'a Inventory, path: &Path) -> &'a Loss {
    let found = inventory.losses.iter().find(|loss| loss.path == path);
    found.unwrap_or_else(|| panic!("no loss at {} among {:#?}", path.display(), inventory.losses))
}

/// What was lost: path below the tree, and reason.
pub(crate) fn losses(tree: &Tree, inventory: &Inventory) -> Vec<(String, LossReason)> {
    let relative = |path: &Path| path.strip_prefix(tree.root()).unwrap_or(path).display().to_string();
    inventory.losses.iter().map(|loss| (relative(&loss.path), loss.reason)).collect()
}

/// A skill in the full report, as clients see it.
pub(crate) fn status_of(inventory: &Inventory, name: &str) -> Value {
    serde_json::to_value(inventory.skill_status(entry(inventory, name))).expect("JSON")
}

/// A small valid skill.
pub(crate) fn skill(name: &str, fields: &str) -> String {
    SkillFile::new(name).fields(fields).body("Body.\n").text()
}

/// Writes a small valid skill at `folder/SKILL.md`.
pub(crate) fn write_skill(tree: &Tree, folder: &str, name: &str) {
    tree.write(&format!("{folder}/SKILL.md"), skill(name, ""));
}
