//! Who wins when several places have a skill of the same name, and where the others can be seen.

use prowess_testkit::Tree;
use prowess_types::{LossReason, ProfileName, Severity};
use serde_json::json;

use crate::support::{
    configure, engine, entry, inventory, inventory_under, loss, losses, names, skill, status_of, write_skill,
};

/// Folder and label of every tier, the weakest first.
const TIERS: [(&str, &str); 6] = [
    ("extra", "openclaw-extra"),
    ("bundled", "openclaw-bundled"),
    ("home/.prowess/skills", "openclaw-managed"),
    ("home/.agents/skills", "agents-skills-personal"),
    ("ws/.agents/skills", "agents-skills-project"),
    ("ws/skills", "openclaw-workspace"),
];

#[test]
fn every_tier_beats_all_those_below_it() {
    let tree = Tree::new();
    configure(&tree, "{skills: {load: {extraDirs: ['$ROOT/extra']}}}");
    for (folder, label) in TIERS {
        tree.write(&format!("{folder}/same/SKILL.md"), skill("same", &format!("license: {label}\n")));
    }
    for remaining in (1..=TIERS.len()).rev() {
        let inventory = inventory(&tree);
        assert_eq!(names(&inventory), ["same"]);
        let winner = entry(&inventory, "same");
        let (folder, label) = TIERS[remaining - 1];
        assert_eq!(winner.origin.source, label);
        assert_eq!(winner.origin.file, tree.path(&format!("{folder}/same/SKILL.md")));
        let hidden: Vec<&str> = winner.shadowed.iter().map(|origin| origin.source.as_str()).collect();
        let below: Vec<&str> = TIERS[..remaining - 1].iter().rev().map(|(_, label)| *label).collect();
        assert_eq!(hidden, below, "the next in line comes first");
        assert_eq!(inventory.losses.len(), remaining - 1);
        std::fs::remove_dir_all(tree.path(folder)).unwrap();
    }
    assert_eq!(names(&inventory(&tree)), [""; 0]);
}

#[test]
fn a_later_extra_folder_beats_an_earlier_one() {
    let tree = Tree::new();
    configure(&tree, "{skills: {load: {extraDirs: ['$ROOT/one', '$ROOT/two']}}}");
    write_skill(&tree, "one/same", "same");
    write_skill(&tree, "two/same", "same");
    let inventory = inventory(&tree);
    assert_eq!(entry(&inventory, "same").origin.file, tree.path("two/same/SKILL.md"));
    assert_eq!(losses(&tree, &inventory), [("one/same/SKILL.md".to_owned(), LossReason::Shadowed)]);
}

#[test]
fn in_one_root_the_folder_that_sorts_later_wins() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/first", "same");
    write_skill(&tree, "ws/skills/second", "same");
    let inventory = inventory(&tree);
    assert_eq!(entry(&inventory, "same").origin.file, tree.path("ws/skills/second/SKILL.md"));
    let lost = loss(&inventory, &tree.path("ws/skills/first/SKILL.md"));
    assert_eq!(lost.winner.as_deref(), Some(tree.path("ws/skills/second/SKILL.md").as_path()));
}

#[test]
fn names_are_compared_letter_by_letter() {
    let tree = Tree::new();
    write_skill(&tree, "bundled/same", "same");
    write_skill(&tree, "ws/skills/same", "Same");
    assert_eq!(names(&inventory(&tree)), ["same", "Same"]);
}

#[test]
fn hidden_copies_are_in_the_report_with_their_winner() {
    let tree = Tree::new();
    tree.write("bundled/same/SKILL.md", skill("same", "license: MIT\n"));
    write_skill(&tree, "ws/skills/same", "same");
    let inventory = inventory(&tree);
    let bundled = tree.path("bundled/same/SKILL.md");
    let own = tree.path("ws/skills/same/SKILL.md");
    assert_eq!(
        status_of(&inventory, "same")["shadowed"],
        json!([{
            "tier": "bundled",
            "source": "openclaw-bundled",
            "root": tree.path("bundled"),
            "file": bundled,
            "base": tree.path("bundled/same"),
            "realFile": bundled,
        }])
    );
    let report = serde_json::to_value(inventory.status()).unwrap();
    assert_eq!(
        report["notLoaded"],
        json!([{
            "name": "same",
            "source": "openclaw-bundled",
            "path": bundled,
            "reason": "shadowed",
            "message": format!(
                "Skill precedence collision: skill=\"same\" winner=openclaw-workspace:{} loser=openclaw-bundled:{}",
                own.display(),
                bundled.display()
            ),
            "winner": own,
        }])
    );
}

#[test]
fn a_copy_with_the_same_text_is_noted_and_harms_nobody() {
    let tree = Tree::new();
    write_skill(&tree, "bundled/same", "same");
    write_skill(&tree, "ws/skills/same", "same");
    let engine = engine(&tree);
    let inventory = engine.inventory(None).unwrap();
    let lost = loss(&inventory, &tree.path("bundled/same/SKILL.md"));
    assert_eq!(lost.reason, LossReason::Shadowed);
    assert!(lost.message.starts_with("Identical copy of a skill: skill=\"same\""), "{}", lost.message);
    let findings = engine.doctor(None).unwrap();
    assert!(findings.iter().all(|finding| finding.severity == Severity::Note), "{findings:#?}");

    tree.write("bundled/same/SKILL.md", skill("same", "license: MIT\n"));
    let findings = engine.doctor(None).unwrap();
    assert!(findings.iter().any(|finding| finding.severity == Severity::Warning), "{findings:#?}");
}

#[test]
fn a_copy_that_cannot_be_loaded_hides_nothing() {
    let tree = Tree::new();
    write_skill(&tree, "bundled/same", "same");
    tree.write("ws/skills/same/SKILL.md", "---\nname: same\n---\n");
    let inventory = inventory(&tree);
    assert_eq!(entry(&inventory, "same").origin.source, "openclaw-bundled");
    assert_eq!(loss(&inventory, &tree.path("ws/skills/same/SKILL.md")).reason, LossReason::Invalid);
}

#[test]
fn a_copy_that_cannot_run_still_hides_others() {
    let tree = Tree::new();
    write_skill(&tree, "bundled/same", "same");
    let needs = "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"no-such-program\"]}}}\n";
    tree.write("ws/skills/same/SKILL.md", skill("same", needs));
    let inventory = inventory(&tree);
    let winner = entry(&inventory, "same");
    assert_eq!(winner.origin.source, "openclaw-workspace");
    assert!(!winner.verdict.eligible);
    assert_eq!(winner.shadowed[0].source, "openclaw-bundled");
}

#[test]
fn under_openpocket_the_first_source_wins() {
    let tree = Tree::new();
    let folders = ["bundled", "home/.openpocket/skills", "ws/skills"];
    for folder in folders {
        write_skill(&tree, &format!("{folder}/same"), "same");
    }
    for (index, source) in ["bundled", "local", "workspace"].into_iter().enumerate() {
        let inventory = inventory_under(&tree, ProfileName::Openpocket);
        let winner = entry(&inventory, "same");
        assert_eq!(winner.origin.source, source);
        assert_eq!(winner.shadowed.len(), 2 - index);
        std::fs::remove_dir_all(tree.path(folders[index])).unwrap();
    }
}

#[test]
fn under_openpocket_ids_decide_and_names_may_repeat() {
    let tree = Tree::new();
    write_skill(&tree, "bundled/one", "same");
    write_skill(&tree, "ws/skills/two", "same");
    assert_eq!(names(&inventory_under(&tree, ProfileName::Openpocket)), ["same", "same"]);
}

#[test]
fn under_openpocket_a_skill_that_cannot_run_hides_nothing() {
    let tree = Tree::new();
    let needs = "metadata: {\"openclaw\":{\"requires\":{\"bins\":[\"no-such-program\"]}}}\n";
    tree.write("bundled/same/SKILL.md", skill("same", needs));
    write_skill(&tree, "ws/skills/same", "same");
    let inventory = inventory_under(&tree, ProfileName::Openpocket);
    assert_eq!(entry(&inventory, "same").origin.source, "workspace");
    let gated = loss(&inventory, &tree.path("bundled/same/SKILL.md"));
    assert_eq!(gated.reason, LossReason::Gated);
    assert_eq!(gated.message, "missing program `no-such-program`");
}
