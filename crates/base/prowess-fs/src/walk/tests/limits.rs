use prowess_types::LossReason;

use super::{Tree, found, loss, rules, skipped};
use crate::WalkRules;

#[test]
fn children_beyond_the_limit_are_counted() {
    let tree = Tree::with_skills(&["ws/m0", "ws/m1", "ws/m2", "ws/m3", "ws/z"]);
    tree.file("ws/a0/x").file("ws/a1/x").file("ws/0-file");
    let walk = tree.walk("ws", &WalkRules::stop_at_skill(4));
    assert_eq!(found(&walk), ["m0", "m1"]);
    assert_eq!(skipped(&walk, &tree.root), [loss("ws", LossReason::OverCandidateLimit)]);
    assert_eq!(walk.skipped[0].message, "looked at 4 of 7 folders (limit 4)");
}

#[test]
fn the_limit_holds_in_every_folder() {
    let tree = Tree::with_skills(&["ws/g/a", "ws/g/b", "ws/g/c", "ws/h"]);
    let walk = tree.walk("ws", &WalkRules::stop_at_skill(2));
    assert_eq!(found(&walk), ["g/a", "g/b", "h"]);
    assert_eq!(skipped(&walk, &tree.path("ws")), [loss("g", LossReason::OverCandidateLimit)]);
}

#[test]
fn what_is_no_folder_does_not_use_up_the_limit() {
    let tree = Tree::with_skills(&["ws/y", "ws/z"]);
    tree.file("ws/a").link("ws/b", "a").link("ws/c", "nowhere").folder("ws/.d");
    let walk = tree.walk("ws", &WalkRules::stop_at_skill(2));
    assert_eq!(found(&walk), ["y", "z"]);
    assert_eq!(skipped(&walk, &tree.path("ws")), [loss("c", LossReason::BrokenLink)]);
}

#[test]
fn the_skills_folder_is_looked_at_in_any_case() {
    let tree = Tree::with_skills(&["ws/a", "ws/b", "ws/c", "ws/skills/nested", "ws/g/x"]);
    let walk = tree.walk("ws", &WalkRules::stop_at_skill(2));
    assert_eq!(found(&walk), ["a", "b", "skills/nested"]);
    assert_eq!(walk.skipped[0].message, "looked at 3 of 5 folders (limit 2)");
}

#[test]
fn entries_beyond_the_limit_are_not_read() {
    let tree = Tree::new();
    for number in 0..30 {
        tree.skill(&format!("ws/s{number}"));
    }
    let few = WalkRules { max_entries_per_folder: 10, ..rules() };
    let walk = tree.walk("ws", &few);
    assert_eq!(walk.found.len(), 10);
    assert_eq!(skipped(&walk, &tree.root), [loss("ws", LossReason::OverCandidateLimit)]);
    assert!(walk.skipped[0].message.contains("more than 10 entries"));
}

#[test]
fn folders_beyond_the_limit_are_not_read() {
    let tree = Tree::with_skills(&["ws/near", "ws/g1/a", "ws/g2/b", "ws/g3/c"]);
    let few = WalkRules { max_folders: 2, ..rules() };
    let walk = tree.walk("ws", &few);
    assert_eq!(found(&walk), ["g1/a", "near"]);
    assert_eq!(skipped(&walk, &tree.root), [loss("ws", LossReason::OverCandidateLimit)]);
    assert_eq!(walk.skipped[0].message, "read 2 folders, 2 more were not read");
}

#[test]
fn derived_limits_are_those_of_openclaw() {
    for (candidates, entries, folders) in [(1, 1_000, 6), (300, 3_000, 1_800), (5_000, 10_000, 30_000)] {
        let rules = WalkRules::stop_at_skill(candidates);
        assert_eq!(rules.max_entries_per_folder, entries);
        assert_eq!(rules.max_folders, folders);
    }
}

#[test]
fn a_web_of_links_ends() {
    let tree = Tree::new();
    for from in 0..12 {
        tree.skill(&format!("ws/g{from}/s"));
        for to in 0..12 {
            tree.link(&format!("ws/g{from}/to{to}"), &format!("../g{to}"));
        }
    }
    let walk = tree.walk("ws", &rules());
    assert!(found(&walk).contains(&"g11/s"));
    assert!(walk.skipped.iter().any(|skipped| skipped.reason == LossReason::OverCandidateLimit));
}
