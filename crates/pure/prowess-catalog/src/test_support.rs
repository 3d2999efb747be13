//! Skills, origins and prompt entries with nothing special about them, for tests to change.

use std::path::{Path, PathBuf};

use prowess_types::{ContentHash, OfferMode, Origin, Skill, Tier};
use sha2::{Digest as _, Sha256};

use crate::PromptEntry;

pub(crate) fn skill(name: &str) -> Skill {
    Skill {
        id: name.to_owned(),
        name: name.to_owned(),
        description: format!("About {name}"),
        display_name: name.to_owned(),
        content_hash: hash_of(name),
        ..Skill::default()
    }
}

pub(crate) fn origin(tier: Tier, root: &str, folder: &str) -> Origin {
    let base = Path::new(root).join(folder);
    Origin {
        tier,
        source: format!("{tier:?}").to_lowercase(),
        root: PathBuf::from(root),
        file: base.join("SKILL.md"),
        real_file: base.join("SKILL.md"),
        base,
        plugin: None,
    }
}

pub(crate) fn entry(name: &str, description: &str) -> PromptEntry {
    PromptEntry {
        name: name.to_owned(),
        description: description.to_owned(),
        location: format!("/skills/{name}/SKILL.md"),
        location_note: None,
        mode: OfferMode::Auto,
        hints: Vec::new(),
    }
}

/// The hash of a text that stands for a skill's.
pub(crate) fn hash_of(text: &str) -> ContentHash {
    ContentHash(Sha256::digest(text.as_bytes()).into())
}
