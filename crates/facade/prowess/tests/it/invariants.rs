//! Nothing is dropped in silence: whatever is laid out is an entry, a hidden copy, or a loss with its reason.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use proptest::prelude::*;
use prowess_testkit::Tree;
use prowess_types::LossReason;
use serde_json::json;

use crate::support::{configure, inventory, skill};

/// Every root, and what its links may do.
const ROOTS: [(&str, Links); 6] = [
    ("extra", Links::Contained),
    ("bundled", Links::Contained),
    ("home/.prowess/skills", Links::Anywhere),
    ("home/.agents/skills", Links::Anywhere),
    ("ws/.agents/skills", Links::Contained),
    ("ws/skills", Links::Contained),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Contained,
    Anywhere,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Valid,
    Lone,
    WithoutDescription,
    BrokenYaml,
    Oversize,
    HardLinked,
    Folder,
    FileLinkedInside,
    FileLinkedOutside,
    FolderLinkedOutside,
    BrokenLink,
}

fn kinds() -> impl Strategy<Value = Kind> {
    use Kind::*;
    prop_oneof![
        4 => Just(Valid),
        1 => Just(Lone),
        1 => Just(WithoutDescription),
        1 => Just(BrokenYaml),
        1 => Just(Oversize),
        1 => Just(HardLinked),
        1 => Just(Folder),
        1 => Just(FileLinkedInside),
        1 => Just(FileLinkedOutside),
        1 => Just(FolderLinkedOutside),
        1 => Just(BrokenLink),
    ]
}

/// One thing to lay out: its root, the group it lies in, its name, and what it is.
#[derive(Clone, Debug)]
struct Piece {
    root: usize,
    group: &'static str,
    name: usize,
    kind: Kind,
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let groups = prop_oneof![Just(""), Just("group/"), Just("skills/")];
    let piece = (0..ROOTS.len(), groups, 0..5_usize, kinds()).prop_map(|(root, group, name, kind)| Piece {
        root,
        group,
        name,
        kind,
    });
    prop::collection::vec(piece, 0..24)
}

/// What must become of a file.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    /// It is a skill, or hidden by one of the same name.
    Loaded,
    Lost(LossReason),
}

/// Lays out one piece; tells where it can be seen and what must become of it.
fn lay(tree: &Tree, number: usize, piece: &Piece) -> (PathBuf, Fate) {
    let (root, links) = ROOTS[piece.root];
    let name = format!("s{}", piece.name);
    // The number keeps pieces apart; the name in the file is what collides.
    let folder = format!("{root}/{}{number:02}-{name}", piece.group);
    let file = format!("{folder}/SKILL.md");
    let outside = format!("outside/{number:02}-{name}");
    let text = skill(&name, &format!("license: number {number}\n"));
    let link = |path: &str, target: &str| tree.lay(path, &json!({"symlink": target}));
    let refused = |reason, bundled| Fate::Lost(if root == "bundled" { bundled } else { reason });
    match piece.kind {
        Kind::Valid => (tree.write(&file, text), Fate::Loaded),
        Kind::Lone => (tree.write(&format!("{folder}.md"), text), Fate::Loaded),
        Kind::WithoutDescription => {
            (tree.write(&file, format!("---\nname: {name}\n---\n")), Fate::Lost(LossReason::Invalid))
        }
        Kind::BrokenYaml => {
            (tree.write(&file, "---\n- name\n- description\n---\n"), Fate::Lost(LossReason::Invalid))
        }
        Kind::Oversize => (tree.write(&file, text + &"x".repeat(2_000)), Fate::Lost(LossReason::Oversize)),
        Kind::HardLinked => {
            tree.write(&outside, text);
            let fate = if root == "bundled" { Fate::Loaded } else { Fate::Lost(LossReason::HardLink) };
            tree.lay(&file, &json!({"hardlink": outside}));
            (tree.path(&file), fate)
        }
        Kind::Folder => {
            tree.write(&format!("{file}/inside.txt"), "text");
            (tree.path(&file), Fate::Lost(LossReason::NotAFile))
        }
        Kind::FileLinkedInside => {
            tree.write(&format!("{folder}/text.txt"), text);
            link(&file, "text.txt");
            (tree.path(&file), Fate::Loaded)
        }
        Kind::FileLinkedOutside => {
            tree.write(&outside, text);
            link(&file, &format!("$ROOT/{outside}"));
            (tree.path(&file), refused(LossReason::PathEscape, LossReason::BundledRootEscape))
        }
        Kind::FolderLinkedOutside => {
            let real = tree.write(&format!("{outside}/SKILL.md"), text);
            link(&folder, &format!("$ROOT/{outside}"));
            match links {
                Links::Anywhere => (real, Fate::Loaded),
                Links::Contained => {
                    (tree.path(&folder), refused(LossReason::SymlinkEscape, LossReason::BundledSymlinkEscape))
                }
            }
        }
        Kind::BrokenLink => {
            link(&folder, "$ROOT/nowhere");
            (tree.path(&folder), Fate::Lost(LossReason::BrokenLink))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_dropped_in_silence(pieces in pieces()) {
        let tree = Tree::new();
        configure(&tree, "{skills: {load: {extraDirs: ['$ROOT/extra']}, limits: {maxSkillFileBytes: 1500}}}");
        let laid: Vec<(PathBuf, Fate)> =
            pieces.iter().enumerate().map(|(number, piece)| lay(&tree, number, piece)).collect();
        let inventory = inventory(&tree);

        let mut seen: BTreeMap<PathBuf, Fate> = BTreeMap::new();
        for entry in &inventory.entries {
            seen.insert(entry.origin.file.clone(), Fate::Loaded);
            for hidden in &entry.shadowed {
                seen.insert(hidden.file.clone(), Fate::Loaded);
            }
        }
        let shadowed: usize = inventory.entries.iter().map(|entry| entry.shadowed.len()).sum();
        let (hidden, lost): (Vec<_>, Vec<_>) =
            inventory.losses.iter().partition(|loss| loss.reason == LossReason::Shadowed);
        prop_assert_eq!(hidden.len(), shadowed, "every hidden copy is a loss too");
        for loss in hidden {
            let winner = inventory.entries.iter().find(|entry| Some(&entry.origin.file) == loss.winner.as_ref());
            prop_assert!(winner.is_some_and(|winner| Some(&winner.skill.name) == loss.name.as_ref()));
        }
        for loss in lost {
            prop_assert!(!loss.message.is_empty());
            let previous = seen.insert(loss.path.clone(), Fate::Lost(loss.reason));
            prop_assert_eq!(previous, None, "a loss is not an entry too: {}", loss.path.display());
        }
        for (path, fate) in &laid {
            prop_assert_eq!(seen.get(path), Some(fate), "{}", path.display());
        }
        prop_assert_eq!(seen.len(), laid.len(), "and nothing was invented");

        // Every entry is in the list of the prompt or has a reason not to be.
        let explained = inventory.explain_prompt(&prowess_inventory::PromptRequest::default());
        prop_assert_eq!(explained.skills.len(), inventory.entries.len());
        for skill in explained.skills {
            prop_assert_eq!(skill.included, skill.reason.is_none());
        }
    }
}

#[test]
fn every_loss_can_be_asked_for_by_name() {
    let tree = Tree::new();
    for number in 0..3 {
        tree.write(&format!("ws/skills/bad-{number}/SKILL.md"), "---\nname: other\n---\n");
    }
    tree.write("ws/skills/lone.md", "---\n- name\n---\n");
    let inventory = inventory(&tree);
    for name in ["bad-0", "bad-1", "bad-2", "lone", "other"] {
        let why = inventory.why(name).unwrap_or_else(|| panic!("no answer for {name}"));
        assert!(!why.in_prompt && why.fate.starts_with("it is not loaded: "), "{}", why.fate);
        assert!(!why.steps.is_empty());
    }
    assert!(inventory.why("unheard-of").is_none());
}
