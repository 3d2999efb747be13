use prowess_types::{LossReason, SkillLayout};

use super::{Tree, found, loss, skipped};
use crate::WalkRules;

fn strict() -> WalkRules {
    WalkRules { lone_files: false, ..WalkRules::everywhere() }
}

#[test]
fn folders_and_lone_files_are_found() {
    let tree = Tree::with_skills(&["ws/bar"]);
    tree.file("ws/foo.md")
        .file("ws/README.md")
        .file("ws/bar/other.md")
        .file("ws/notes.txt")
        .file("ws/LOUD.MD");
    let walk = tree.walk("ws", &WalkRules::everywhere());
    assert_eq!(found(&walk), ["LOUD.MD", "bar", "foo.md"]);
    let ids: Vec<_> = walk.found.iter().map(|found| found.id.as_str()).collect();
    assert_eq!(ids, ["LOUD.MD", "bar", "foo"]);
    assert_eq!(walk.found[2].layout, SkillLayout::LoneFile);
    assert_eq!(walk.found[2].base, tree.path("ws"));
    assert_eq!(found(&tree.walk("ws", &strict())), ["bar"]);
}

#[test]
fn the_walk_goes_on_below_a_skill() {
    let tree = Tree::with_skills(&["ws/pack", "ws/pack/nested", "ws/pack/.hidden/h"]);
    tree.file("ws/pack/references/guide.md").skill("ws/node_modules/m").file("ws/.dot.md");
    let walk = tree.walk("ws", &WalkRules::everywhere());
    assert_eq!(
        found(&walk),
        [".dot.md", "node_modules/m", "pack", "pack/.hidden/h", "pack/nested", "pack/references/guide.md"]
    );
    assert_eq!(
        found(&tree.walk("ws", &strict())),
        ["node_modules/m", "pack", "pack/.hidden/h", "pack/nested"]
    );
}

#[test]
fn a_root_that_is_a_skill_hides_only_its_own_files() {
    let tree = Tree::with_skills(&["ws/skills", "ws/skills/child"]);
    tree.file("ws/skills/other.md");
    let walk = tree.walk("ws/skills", &WalkRules::everywhere());
    assert_eq!(found(&walk), ["", "child"]);
    assert_eq!(walk.found[0].id, "skills");
    assert_eq!(walk.found[0].file, tree.path("ws/skills/SKILL.md"));
}

#[test]
fn any_letter_case_is_a_skill_file_but_only_one_is_read() {
    let tree = Tree::new();
    tree.file("ws/a/skill.MD").file("ws/a/other.md").file("ws/b/Skill.md").file("ws/b/SKILL.md");
    let walk = tree.walk("ws", &WalkRules::everywhere());
    assert_eq!(found(&walk), ["a", "b"]);
    assert_eq!(walk.found[0].file, tree.path("ws/a/skill.MD"));
    assert_eq!(walk.found[1].file, tree.path("ws/b/SKILL.md"));
    assert_eq!(skipped(&walk, &tree.path("ws")), [loss("b/Skill.md", LossReason::Shadowed)]);
}

#[test]
fn only_files_count_and_links_are_neither_followed_nor_loaded() {
    let tree = Tree::with_skills(&["ws/real", "outside/s"]);
    tree.link_to("ws/folder", "outside/s")
        .link("ws/lone.md", "real/SKILL.md")
        .link("ws/l/SKILL.md", "../real/SKILL.md")
        .file("ws/l/beside.md")
        .file("ws/d/SKILL.md/inside.md")
        .pipe("ws/p/SKILL.md")
        .link("ws/self", "self")
        .link("ws/root", ".");
    let walk = tree.walk("ws", &WalkRules::everywhere());
    assert_eq!(found(&walk), ["d/SKILL.md/inside.md", "l/beside.md", "real"]);
    assert_eq!(
        skipped(&walk, &tree.path("ws")),
        [
            loss("folder", LossReason::Link),
            loss("l/SKILL.md", LossReason::Link),
            loss("lone.md", LossReason::Link),
            loss("p/SKILL.md", LossReason::NotAFile),
            loss("root", LossReason::Link),
        ]
    );
}

#[test]
fn the_safety_bound_on_depth_is_reported() {
    let tree = Tree::with_skills(&["ws/1/2", "ws/1/2/3"]);
    let shallow = WalkRules { max_depth: 2, ..WalkRules::everywhere() };
    let walk = tree.walk("ws", &shallow);
    assert_eq!(found(&walk), ["1/2"]);
    assert_eq!(skipped(&walk, &tree.path("ws")), [loss("1/2/3", LossReason::TooDeep)]);
    let deep = format!("ws/{}", ["d"; 70].join("/"));
    tree.skill(&deep);
    let walk = tree.walk("ws", &WalkRules::everywhere());
    assert_eq!(found(&walk), ["1/2", "1/2/3"]);
    assert_eq!(walk.skipped[0].reason, LossReason::TooDeep);
}
