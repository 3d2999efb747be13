use super::*;
use prowess_testkit::Tree;

const CLONED: &str = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.org/a/b.git\n";
const OWN: &str = "[core]\n\tbare = false\n[branch \"main\"]\n\tremote = .\n";

fn remote_of(tree: &Tree, folder: &str) -> Remote {
    std::fs::create_dir_all(tree.path(folder)).unwrap();
    match Repositories::default().cloned(&tree.path(folder)) {
        None => Remote::None,
        Some(repository) => repository.remote.clone().map_or(Remote::Nameless, Remote::At),
    }
}

#[test]
fn addresses_come_from_the_config_without_credentials() {
    let address = |address: &str| Remote::At(address.to_owned());
    let table = [
        ("", Remote::None),
        (OWN, Remote::None),
        (CLONED, address("https://example.org/a/b.git")),
        (
            "[remote \"a\"]\nurl = one\n[remote \"origin\"]\nurl = two\n[remote \"z\"]\nurl = three",
            address("two"),
        ),
        ("[REMOTE \"up\"] URL=git@example.org:a/b", address("git@example.org:a/b")),
        ("[remote \"x\"]\n\turl = https://me:s3cr3t@example.org/a@b\n", address("https://example.org/a@b")),
        ("[remote \"x\"]\n\tfetch = +refs/*\n", Remote::Nameless),
        ("[remote.old]\n url = x\n", address("x")),
        ("[remotes \"x\"]\nurl = y", Remote::None),
        ("[remote]\npushDefault = x", Remote::None),
        ("[remote \"broken", Remote::None),
    ];
    for (config, expected) in table {
        assert_eq!(remote_in(config), expected, "{config:?}");
    }
}

#[test]
fn the_nearest_work_tree_decides() {
    let tree = Tree::new();
    assert_eq!(remote_of(&tree, "a/b"), Remote::None);
    tree.write("a/.git/config", CLONED);
    assert_eq!(remote_of(&tree, "a/b"), Remote::At("https://example.org/a/b.git".to_owned()));
    tree.write("a/own/.git/config", OWN);
    assert_eq!(remote_of(&tree, "a/own/deep"), Remote::None);
    std::fs::create_dir_all(tree.path("a/empty/.git")).unwrap();
    assert!(remote_of(&tree, "a/empty") != Remote::None, "an empty `.git` is no repository of its own");
    assert_eq!(remote_of(&tree, "."), Remote::None);
}

#[test]
fn every_folder_is_answered_alike_however_it_is_asked() {
    let tree = Tree::new();
    tree.write("a/.git/config", CLONED);
    std::fs::create_dir_all(tree.path("a/b/c")).unwrap();
    let mut known = Repositories::default();
    let answers: Vec<bool> = ["a/b/c", "a/b", "a", ".", "a/b/c", "gone"]
        .iter()
        .map(|place| known.cloned(&tree.path(place)).is_some())
        .collect();
    assert_eq!(answers, [true, true, true, false, true, false]);
}

#[test]
fn work_trees_and_submodules_name_their_repository() {
    let tree = Tree::new();
    tree.write("main/.git/config", CLONED);
    tree.write("main/.git/worktrees/side/commondir", "../..\n");
    tree.write("side/.git", format!("gitdir: {}\n", tree.path("main/.git/worktrees/side").display()));
    assert!(remote_of(&tree, "side/skills") != Remote::None);
    tree.write("own/.git/config", OWN);
    tree.write("own/.git/modules/sub/config", CLONED);
    tree.write("own/sub/.git", "gitdir: ../.git/modules/sub\n");
    assert_eq!(remote_of(&tree, "own"), Remote::None);
    assert!(remote_of(&tree, "own/sub/skills") != Remote::None);
}

#[test]
fn a_config_that_cannot_be_read_may_have_a_remote() {
    let tree = Tree::new();
    std::fs::create_dir_all(tree.path("a/.git/config")).unwrap();
    assert_eq!(remote_of(&tree, "a"), Remote::Nameless);
}

/// What `brought` answers must be what asking the system for the real folder answers.
#[cfg(unix)]
#[test]
fn a_skill_is_where_its_links_lead() {
    use std::os::unix::fs::symlink;
    let tree = Tree::new();
    tree.write("cloned/.git/config", CLONED);
    tree.write("cloned/skills/plain/SKILL.md", "");
    tree.write("mine/skills/own/SKILL.md", "");
    tree.write("mine/skills/inner/.git/config", CLONED);
    tree.write("mine/skills/inner/SKILL.md", "");
    tree.write("mine/skills/deep/text/SKILL.md", "");
    symlink("text/SKILL.md", tree.path("mine/skills/deep/SKILL.md")).unwrap();
    symlink(tree.path("cloned/skills/plain"), tree.path("mine/skills/linked")).unwrap();
    symlink(tree.path("mine/skills"), tree.path("cloned/all")).unwrap();
    let mut known = Repositories::default();
    for (base, is_cloned) in [
        ("cloned/skills/plain", true),
        ("mine/skills/own", false),
        ("mine/skills/inner", true),
        ("mine/skills/deep", false),
        ("mine/skills/linked", true),
        ("cloned/all/own", false),
        ("cloned/all/inner", true),
    ] {
        let (base, name) = (tree.path(base), base);
        let file = base.join("SKILL.md");
        let origin = Origin {
            tier: prowess_types::Tier::Workspace,
            source: String::new(),
            root: tree.path("."),
            real_file: file.canonicalize().unwrap(),
            file,
            base: base.clone(),
            plugin: None,
        };
        assert_eq!(known.real_base(&origin), base.canonicalize().ok(), "{name}");
        assert_eq!(known.brought(&origin).is_some(), is_cloned, "{name}");
    }
}
