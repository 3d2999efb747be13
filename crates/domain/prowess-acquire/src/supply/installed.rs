//! The skills that are already installed from a registry.

use std::path::Path;

use prowess_context::{Context, ContextError};
use prowess_install::{Home, LockFile};
use prowess_registry::protocol::SearchHit;
use prowess_registry::{ClawhubLock, RegistryReference, SourceReference, is_same_origin};
use serde::Serialize;

/// Far beyond what a lock file holds.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// A skill that came from a registry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistrySkill {
    /// Its slug.
    pub slug: String,
    /// Its publisher, if that was written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Its version, if that was written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The registry, if that was written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registry: Option<String>,
}

impl RegistrySkill {
    /// Returns true if it is the same as a search hit of a registry. Facts that were not recorded are ignored.
    pub fn is(&self, hit: &SearchHit, registry: &str) -> bool {
        let owner = hit.owner_handle.as_deref().or_else(|| hit.owner.as_ref()?.handle.as_deref());
        let is_same = |one: Option<&str>, other: Option<&str>| match (one, other) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            _ => true,
        };
        hit.slug.as_deref() == Some(self.slug.as_str())
            && is_same(self.owner.as_deref(), owner)
            && self.registry.as_deref().is_none_or(|own| is_same_origin(own, registry))
    }
}

/// The skills of an agent's workspace and of the user that came from a registry, as lock files have it. A lock
/// file that cannot be read has none.
pub fn installed_from_registries(
    context: &Context,
    agent: Option<&str>,
) -> Result<Vec<RegistrySkill>, ContextError> {
    let workspace = context.workspace(agent)?;
    let homes = [
        Home::new(workspace.join("skills"), workspace.join(".prowess")),
        Home::new(context.places().managed(), context.places().state.clone()),
    ];
    let mut installed: Vec<RegistrySkill> =
        homes.iter().filter_map(|home| LockFile::read(home).ok()).flat_map(of_lock).collect();
    installed.extend(of_clawhub(&workspace));
    Ok(installed)
}

fn of_lock(lock: LockFile) -> Vec<RegistrySkill> {
    let skill = |entry: prowess_install::LockEntry| {
        let from = entry.provenance;
        let Ok(SourceReference::Registry(RegistryReference { owner, slug, .. })) =
            SourceReference::parse(&from.source)
        else {
            return None;
        };
        Some(RegistrySkill {
            slug,
            owner: from.owner.or(owner),
            version: from.version,
            registry: from.registry,
        })
    };
    lock.skills.into_values().filter_map(skill).collect()
}

fn of_clawhub(workspace: &Path) -> Vec<RegistrySkill> {
    let lock = [ClawhubLock::PLACE, ClawhubLock::OLD_PLACE].iter().find_map(|place| {
        let bytes = prowess_fs::read_file(&workspace.join(place), MAX_BYTES).ok()?;
        ClawhubLock::parse(&String::from_utf8_lossy(&bytes)).ok()
    });
    let skill = |(key, entry): (&str, prowess_registry::ClawhubEntry)| {
        let Ok(SourceReference::Registry(RegistryReference { owner, slug, .. })) =
            SourceReference::parse(key)
        else {
            return None;
        };
        let owner = entry.owner_handle.or(owner);
        Some(RegistrySkill { slug, owner, version: entry.version, registry: None })
    };
    lock.iter().flat_map(ClawhubLock::entries).filter_map(skill).collect()
}
