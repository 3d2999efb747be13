//! Who wins when several sources have the same skill.
//!
//! Invariant: nothing is dropped in silence. Every candidate that goes in comes out either as a winner or
//! as a loss that names its winner.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use prowess_types::{ConflictPolicy, EntryOrder, Loss, LossReason, MergeKey, Origin, Skill};

use crate::order::{compare, sort_by_name};

/// A skill that was found, and where.
#[derive(Clone, Debug)]
pub struct MergeCandidate {
    /// The skill.
    pub skill: Arc<Skill>,
    /// Its source.
    pub origin: Arc<Origin>,
    /// The place of its source in the profile's list.
    pub rank: usize,
    /// The place at which it was met below its root, with `/` between names.
    pub relative: String,
}

/// How candidates are merged; part of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeRules {
    /// Who wins.
    pub conflict: ConflictPolicy,
    /// What makes two skills the same.
    pub key: MergeKey,
    /// How the winners are listed.
    pub order: EntryOrder,
}

/// A skill that stays, with those it hides.
#[derive(Clone, Debug)]
pub struct Winner {
    /// The skill that stays.
    pub candidate: MergeCandidate,
    /// Those it hides, the next in line first.
    pub shadowed: Vec<MergeCandidate>,
}

/// What a merge gives.
#[derive(Clone, Debug, Default)]
pub struct CatalogMerge {
    /// The skills that stay, sorted.
    pub winners: Vec<Winner>,
    /// One for each hidden skill.
    pub losses: Vec<Loss>,
}

/// Merges candidates.
///
/// Under [`ConflictPolicy::LastWins`] the source with the higher rank wins, and inside one root the folder that
/// sorts later. Under [`ConflictPolicy::FirstWins`] the source with the lower rank wins, and inside one source
/// the name that sorts earlier.
pub fn merge(candidates: Vec<MergeCandidate>, rules: &MergeRules) -> CatalogMerge {
    let mut winners = group_by_key(candidates, rules.key);
    for group in winners.iter_mut().filter(|group| !group.shadowed.is_empty()) {
        crown(group, rules.conflict);
    }
    let rank = |winner: &Winner| match rules.order {
        EntryOrder::ByName => 0,
        EntryOrder::BySourceThenName => winner.candidate.rank,
    };
    sort_by_name(&mut winners, rank, |winner| &winner.candidate.skill.name);
    let losses = winners.iter().flat_map(|winner| losses_of(winner, rules.key)).collect();
    CatalogMerge { winners, losses }
}

/// Candidates of one key together, keys in the order in which they first appear. Who wins is not settled yet.
fn group_by_key(candidates: Vec<MergeCandidate>, key: MergeKey) -> Vec<Winner> {
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(candidates.len());
    let groups: Vec<usize> = candidates
        .iter()
        .map(|candidate| {
            let next = places.len();
            *places.entry(key_of(candidate, key)).or_insert(next)
        })
        .collect();
    let mut winners: Vec<Winner> = Vec::with_capacity(places.len());
    for (candidate, group) in candidates.into_iter().zip(groups) {
        match winners.get_mut(group) {
            Some(winner) => winner.shadowed.push(candidate),
            None => winners.push(Winner { candidate, shadowed: Vec::new() }),
        }
    }
    winners
}

/// Puts the winner of a group first, the next in line after it.
fn crown(group: &mut Winner, conflict: ConflictPolicy) {
    let mut all = std::mem::take(&mut group.shadowed);
    all.push(group.candidate.clone());
    match conflict {
        ConflictPolicy::LastWins => {
            all.sort_by(|left, right| right.rank.cmp(&left.rank).then_with(|| by_folder(right, left)));
        }
        ConflictPolicy::FirstWins => {
            let by_name =
                |left: &MergeCandidate, right: &MergeCandidate| compare(&left.skill.name, &right.skill.name);
            all.sort_by(|left, right| left.rank.cmp(&right.rank).then_with(|| by_name(left, right)));
        }
    }
    group.candidate = all.remove(0);
    group.shadowed = all;
}

/// The order in which one root is walked.
fn by_folder(left: &MergeCandidate, right: &MergeCandidate) -> Ordering {
    compare(&left.relative, &right.relative)
}

fn key_of(candidate: &MergeCandidate, key: MergeKey) -> &str {
    match key {
        MergeKey::Name => &candidate.skill.name,
        MergeKey::Id => &candidate.skill.id,
    }
}

fn losses_of(winner: &Winner, key: MergeKey) -> impl Iterator<Item = Loss> + '_ {
    let kept = &winner.candidate;
    winner.shadowed.iter().map(move |lost| Loss {
        name: Some(lost.skill.name.clone()),
        source: lost.origin.source.clone(),
        path: lost.origin.file.clone(),
        reason: LossReason::Shadowed,
        message: collision(key_of(kept, key), kept, lost),
        winner: Some(kept.origin.file.clone()),
        diagnostics: Vec::new(),
    })
}

/// The peers' line for a collision. A copy with the same text is nothing to warn about, and says so.
fn collision(key: &str, winner: &MergeCandidate, loser: &MergeCandidate) -> String {
    let place = |candidate: &MergeCandidate| {
        let file: &Path = &candidate.origin.file;
        format!("{}:{}", candidate.origin.source, file.display())
    };
    let what = if winner.skill.content_hash == loser.skill.content_hash {
        "Identical copy of a skill"
    } else {
        "Skill precedence collision"
    };
    format!("{what}: skill=\"{key}\" winner={} loser={}", place(winner), place(loser))
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
