//! Copies that were made for other programs, in folders that the engine reads, too.
//!
//! `.agents/skills` is such a folder. Its tier is higher than that of the store, so without this a copy would hide the
//! skill it was made of, and would not be trusted in a cloned repository.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use prowess_catalog::MergeCandidate;
use prowess_context::Context;
use prowess_harness::{Record, Records, settle};
use prowess_types::{Loss, LossReason, MergeKey};

use crate::load::Loaded;

/// The records of what was made for other programs; in our own home whichever profile is followed.
pub fn view_records(context: &Context) -> Records {
    let cache = &context.places().cache;
    Records::at(cache.parent().unwrap_or(cache).join("views"))
}

/// The records of the folders that the engine reads.
pub(crate) struct Copies {
    records: Records,
    known: HashMap<PathBuf, Option<Record>>,
}

impl Copies {
    pub(crate) fn new(context: &Context) -> Self {
        Self { records: view_records(context), known: HashMap::new() }
    }

    /// Returns true if a skill was made as a copy of another.
    pub(crate) fn has(&mut self, candidate: &MergeCandidate) -> bool {
        let base = &candidate.origin.base;
        let (Some(folder), Some(name)) = (base.parent(), base.file_name()) else { return false };
        let records = &self.records;
        let record = self.known.entry(folder.to_owned()).or_insert_with(|| {
            let folder: &Path = &settle(folder);
            records.has(folder).then(|| records.read(folder).ok()).flatten()
        });
        record.as_ref().is_some_and(|record| record.has(&name.to_string_lossy()))
    }
}

/// Takes copies out where the skill is there that they were made of.
pub(crate) fn without_copies(context: &Context, mut loaded: Loaded, losses: &mut Vec<Loss>) -> Loaded {
    if view_records(context).is_empty() {
        return loaded;
    }
    let mut copies = Copies::new(context);
    let (made, own): (Vec<_>, Vec<_>) =
        loaded.candidates.into_iter().partition(|candidate| copies.has(candidate));
    loaded.candidates = own;
    for copy in made {
        let is_same = |other: &&MergeCandidate| match context.profile().merge_key {
            MergeKey::Name => other.skill.name == copy.skill.name,
            MergeKey::Id => other.skill.id == copy.skill.id,
        };
        match loaded.candidates.iter().find(is_same) {
            Some(source) => losses.push(Loss {
                name: Some(copy.skill.name.clone()),
                source: copy.origin.source.clone(),
                path: copy.origin.file.clone(),
                reason: LossReason::Shadowed,
                message: "it is a copy that `prowess sync` made for other programs".to_owned(),
                winner: Some(source.origin.file.clone()),
                diagnostics: Vec::new(),
            }),
            None => loaded.candidates.push(copy),
        }
    }
    loaded
}
