use std::sync::Arc;

use prowess_types::Tier;

use super::*;
use crate::test_support::{hash_of, origin, skill};

const OPENCLAW: MergeRules =
    MergeRules { conflict: ConflictPolicy::LastWins, key: MergeKey::Name, order: EntryOrder::ByName };
const OPENPOCKET: MergeRules = MergeRules {
    conflict: ConflictPolicy::FirstWins,
    key: MergeKey::Id,
    order: EntryOrder::BySourceThenName,
};

/// A candidate of the tier's own root, ranked as tiers are, with a text of its own.
fn found(tier: Tier, folder: &str, name: &str) -> MergeCandidate {
    let root = format!("/{tier:?}").to_lowercase();
    let mut skill = skill(name);
    skill.id = folder.rsplit('/').next().unwrap_or(folder).to_owned();
    skill.content_hash = hash_of(&format!("{root}/{folder}"));
    MergeCandidate {
        skill: Arc::new(skill),
        origin: Arc::new(origin(tier, &root, folder)),
        rank: tier as usize,
        relative: folder.to_owned(),
    }
}

fn kept(merged: &CatalogMerge) -> Vec<String> {
    let files = merged.winners.iter().map(|winner| winner.candidate.origin.base.display());
    files.map(|file| file.to_string()).collect()
}

#[test]
fn the_highest_tier_wins_and_the_others_stay_visible() {
    let candidates = vec![
        found(Tier::Workspace, "dup", "dup"),
        found(Tier::Extra, "dup", "dup"),
        found(Tier::Managed, "dup", "dup"),
        found(Tier::Bundled, "only", "only"),
    ];
    let merged = merge(candidates, &OPENCLAW);
    assert_eq!(kept(&merged), ["/workspace/dup", "/bundled/only"]);
    let shadowed = merged.winners[0].shadowed.iter().map(|lost| lost.origin.tier);
    assert_eq!(shadowed.collect::<Vec<_>>(), [Tier::Managed, Tier::Extra]);
    assert_eq!(
        merged.losses[0].message,
        "Skill precedence collision: skill=\"dup\" winner=workspace:/workspace/dup/SKILL.md \
         loser=managed:/managed/dup/SKILL.md"
    );
    assert_eq!(merged.losses[0].reason, LossReason::Shadowed);
    assert_eq!(merged.losses[0].winner.as_deref(), Some(Path::new("/workspace/dup/SKILL.md")));
    assert_eq!(merged.losses.len(), 2);
}

#[test]
fn inside_one_root_the_later_folder_wins_in_whatever_order_they_come() {
    let folders = ["a", "b", "A", "group/z", "10", "9"];
    let candidates = |folders: &[&str]| {
        let found = folders.iter().map(|folder| found(Tier::Workspace, folder, "same"));
        found.collect::<Vec<_>>()
    };
    let mut reversed = folders;
    reversed.reverse();
    for folders in [folders, reversed] {
        assert_eq!(kept(&merge(candidates(&folders), &OPENCLAW)), ["/workspace/group/z"]);
    }
    assert_eq!(kept(&merge(candidates(&["10", "9"]), &OPENCLAW)), ["/workspace/9"]);
    assert_eq!(kept(&merge(candidates(&["A", "a"]), &OPENCLAW)), ["/workspace/A"]);
}

#[test]
fn names_are_compared_exactly_and_sorted_by_collation() {
    let names = ["b", "B", "a", "-m", "ä", "_u", "A"];
    let candidates =
        names.iter().enumerate().map(|(place, name)| found(Tier::Workspace, &format!("d{place}"), name));
    let merged = merge(candidates.collect(), &OPENCLAW);
    let sorted = merged.winners.iter().map(|winner| winner.candidate.skill.name.as_str());
    assert_eq!(sorted.collect::<Vec<_>>(), ["_u", "-m", "a", "A", "ä", "b", "B"]);
    assert!(merged.losses.is_empty());
}

#[test]
fn an_identical_copy_is_noted_as_such() {
    let mut copy = found(Tier::Managed, "dup", "dup");
    let original = found(Tier::Workspace, "dup", "dup");
    copy.skill = Arc::clone(&original.skill);
    let merged = merge(vec![copy, original], &OPENCLAW);
    assert!(merged.losses[0].message.starts_with("Identical copy of a skill: skill=\"dup\""));
}

#[test]
fn openpocket_keeps_the_first_of_an_id() {
    // Tiers stand for the three sources here; bundled is listed first.
    let candidates = vec![
        found(Tier::Workspace, "dup", "Workspace's"),
        found(Tier::Bundled, "dup", "Bundled one"),
        found(Tier::Managed, "dup", "Local one"),
        found(Tier::Managed, "z", "z"),
        found(Tier::Workspace, "x/tool", "Zeta"),
        found(Tier::Workspace, "y/tool", "Alpha"),
        found(Tier::Workspace, "other", "Bundled one"),
    ];
    let merged = merge(candidates, &OPENPOCKET);
    assert_eq!(kept(&merged), ["/bundled/dup", "/managed/z", "/workspace/y/tool", "/workspace/other"]);
    let tool = &merged.losses[2];
    assert_eq!(
        tool.message,
        "Skill precedence collision: skill=\"tool\" winner=workspace:/workspace/y/tool/SKILL.md \
         loser=workspace:/workspace/x/tool/SKILL.md"
    );
    assert_eq!(tool.name.as_deref(), Some("Zeta"));
}

#[test]
fn nothing_in_nothing_out() {
    let merged = merge(Vec::new(), &OPENCLAW);
    assert!(merged.winners.is_empty() && merged.losses.is_empty());
}
