//! Any tree at all: the walk ends, in order, within its limits and its fence.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use proptest::prelude::*;
use prowess_types::{Descent, LinkLoop, LinkPolicy, SkillLayout};

use super::{Tree, walk};
use crate::{Found, WalkRules};

#[derive(Clone, Debug)]
enum Thing {
    Folder,
    File,
    Pipe,
    Link(Vec<&'static str>),
    HardLink,
    Closed,
}

const NAMES: [&str; 14] = [
    "a",
    "b",
    "SKILL.md",
    "skill.md",
    "skills",
    "x.md",
    "README.md",
    ".git",
    "node_modules",
    "é\n",
    "..dots",
    " ",
    "c",
    "SKILL.md",
];

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES)
}

fn path() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(name(), 1..5)
}

fn thing() -> impl Strategy<Value = Thing> {
    let step = prop_oneof![1 => Just(".."), 3 => name()];
    prop_oneof![
        3 => Just(Thing::Folder),
        6 => Just(Thing::File),
        1 => Just(Thing::Pipe),
        4 => prop::collection::vec(step, 0..4).prop_map(Thing::Link),
        1 => Just(Thing::HardLink),
        1 => Just(Thing::Closed),
    ]
}

fn any_rules() -> impl Strategy<Value = WalkRules> {
    let links = prop::sample::select(&[
        LinkPolicy::Contained,
        LinkPolicy::ContainedOrAllowed,
        LinkPolicy::Anywhere,
        LinkPolicy::Ignored,
    ]);
    let descent = prop::sample::select(&[Descent::StopAtSkill, Descent::Everywhere]);
    let limits = (1usize..5, 1usize..5, 1usize..6, 1usize..20, 1usize..30);
    (descent, links, limits, any::<[bool; 5]>()).prop_map(
        |(descent, links, limits, [lone, case, hard, container, follows])| WalkRules {
            descent,
            links,
            loops: if follows { LinkLoop::Followed } else { LinkLoop::PassedOver },
            lone_files: lone,
            any_case_skill_md: case,
            hard_links_allowed: hard,
            always_container: container,
            max_depth: limits.0,
            max_depth_in_skills_folder: limits.1,
            max_candidates: limits.2,
            max_entries_per_folder: limits.3,
            max_folders: limits.4,
            allowed_targets: Vec::new(),
            bundled: false,
        },
    )
}

/// Puts one thing at a path below `root`, unless something else is in the way.
fn build(tree: &Tree, root: &Path, path: &[&str], thing: &Thing) {
    let target = root.join(path.join("/"));
    let Some(parent) = target.parent() else {
        return;
    };
    let _ = fs::create_dir_all(parent);
    match thing {
        Thing::Folder => drop(fs::create_dir(&target)),
        // Writing to a pipe that is there already would wait for a reader.
        Thing::File => drop(fs::File::create_new(&target)),
        Thing::Pipe => {
            let mode = rustix::fs::Mode::from_raw_mode(0o600);
            let kind = rustix::fs::FileType::Fifo;
            let _ = rustix::fs::mknodat(rustix::fs::CWD, &target, kind, mode, 0);
        }
        Thing::Link(to) => {
            let to = if to.is_empty() { tree.path("outside").display().to_string() } else { to.join("/") };
            drop(symlink(to, &target));
        }
        Thing::HardLink => drop(fs::hard_link(tree.path("outside/SKILL.md"), &target)),
        Thing::Closed => {
            if fs::create_dir(&target).is_ok() {
                fs::set_permissions(&target, fs::Permissions::from_mode(0o000)).unwrap();
            }
        }
    }
}

/// Lets closed folders be deleted again.
fn open_up(root: &Path, things: &[(Vec<&'static str>, Thing)]) {
    for (path, thing) in things {
        if matches!(thing, Thing::Closed) {
            let folder = root.join(path.join("/"));
            let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
        }
    }
}

fn check_file(found: &Found, real_root: &Path, rules: &WalkRules) -> Result<(), TestCaseError> {
    let real = found.file.canonicalize();
    prop_assert_eq!(real.as_deref().ok(), Some(found.real_file.as_path()));
    prop_assert!(found.real_file.is_file());
    prop_assert_eq!(found.file.parent(), Some(found.base.as_path()));
    let stamp = crate::stamp(&found.file).unwrap().unwrap();
    prop_assert_eq!(stamp.inode, found.stamp.inode);
    if rules.links != LinkPolicy::Anywhere {
        prop_assert!(found.real_file.starts_with(real_root));
    }
    if rules.links == LinkPolicy::Ignored {
        let below = found.file.strip_prefix(real_root).unwrap();
        prop_assert_eq!(&real_root.join(below), &found.real_file);
    }
    if found.layout == SkillLayout::Folder {
        let real_base = found.base.canonicalize().unwrap();
        prop_assert!(found.real_file.starts_with(real_base));
        let depth = found.relative.split('/').filter(|name| !name.is_empty());
        let max = rules.max_depth.max(rules.max_depth_in_skills_folder + 1);
        prop_assert!(depth.count() <= max);
    } else {
        prop_assert!(rules.lone_files);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_tree_is_walked_within_its_rules(
        things in prop::collection::vec((path(), thing()), 0..40),
        rules in any_rules(),
    ) {
        let tree = Tree::with_skills(&["outside", "outside/deep"]);
        tree.folder("root");
        let root = tree.path("root");
        for (path, thing) in &things {
            build(&tree, &root, path, thing);
        }
        let first = walk(&root, &rules);
        let second = walk(&root, &rules);
        open_up(&root, &things);
        prop_assert_eq!(&first, &second);
        prop_assert!(first.root_exists);
        prop_assert!(first.found.is_sorted_by(|a, b| a.relative <= b.relative));
        for found in first.found.iter().chain(&first.outer) {
            check_file(found, &root, &rules)?;
        }
        // A folder gives at most its lone files and one skill for each child that is looked at.
        let from_one = rules.max_entries_per_folder + rules.max_candidates + 2;
        prop_assert!(first.found.len() <= from_one * rules.max_folders);
    }
}
