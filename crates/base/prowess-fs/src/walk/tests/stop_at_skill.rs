use prowess_types::{LossReason, SkillLayout};

use super::{Tree, extra_rules, found, loss, rules, skipped};
use crate::{WalkRules, stamp};

#[test]
fn a_missing_root_is_silent() {
    let tree = Tree::new();
    let walk = tree.walk("none", &rules());
    assert_eq!(walk, crate::Walk::default());
    assert!(!walk.root_exists);
}

#[test]
fn a_root_that_is_no_folder_is_reported() {
    let tree = Tree::new();
    tree.file("file").link("dangling", "nowhere");
    let walk = tree.walk("file", &rules());
    assert!(walk.root_exists);
    assert_eq!(skipped(&walk, &tree.root), [loss("file", LossReason::Unreadable)]);
    assert!(walk.skipped[0].message.contains("Not a directory"));
    let walk = tree.walk("dangling", &rules());
    assert!(!walk.root_exists);
    assert_eq!(skipped(&walk, &tree.root), [loss("dangling", LossReason::BrokenLink)]);
}

#[test]
fn a_found_skill_says_all_about_its_place() {
    let tree = Tree::with_skills(&["ws/group/weather"]);
    let walk = tree.walk("ws", &rules());
    let [skill] = walk.found.as_slice() else {
        panic!("{walk:?}");
    };
    assert_eq!(skill.id, "weather");
    assert_eq!(skill.relative, "group/weather");
    assert_eq!(skill.base, tree.path("ws/group/weather"));
    assert_eq!(skill.file, tree.path("ws/group/weather/SKILL.md"));
    assert_eq!(skill.real_file, skill.file);
    assert_eq!(skill.layout, SkillLayout::Folder);
    assert_eq!(Some(skill.stamp), stamp(&skill.file).unwrap());
    assert_eq!(walk.outer, None);
    assert!(walk.skipped.is_empty());
}

#[test]
fn groups_are_searched_six_levels_deep() {
    let tree = Tree::with_skills(&["ws/d1", "ws/g/d2", "ws/g/g/d3", "ws/g/g/g/g/g/d6", "ws/g/g/g/g/g/g/d7"]);
    let walk = tree.walk("ws", &rules());
    assert_eq!(found(&walk), ["d1", "g/d2", "g/g/d3", "g/g/g/g/g/d6"]);
    assert_eq!(skipped(&walk, &tree.path("ws")), [loss("g/g/g/g/g/g", LossReason::TooDeep)]);
}

#[test]
fn an_extra_folder_is_searched_two_levels_deep() {
    let skills = ["d1", "g/d2", "g/g/d3", "g/g/g/d4"];
    let tree = Tree::new();
    for skill in skills {
        tree.skill(&format!("extra/{skill}"));
        tree.skill(&format!("called/skills/{skill}"));
        tree.skill(&format!("mixed/skills/{skill}"));
        tree.skill(&format!("mixed/{skill}"));
        tree.skill(&format!("nested/skills/{skill}"));
    }
    let walk = tree.walk("extra", &extra_rules());
    assert_eq!(found(&walk), ["d1", "g/d2"]);
    assert_eq!(skipped(&walk, &tree.path("extra")), [loss("g/g", LossReason::TooDeep)]);
    let walk = tree.walk("called/skills", &extra_rules());
    assert_eq!(found(&walk), skills);
    let walk = tree.walk("nested", &extra_rules());
    assert_eq!(found(&walk), skills.map(|skill| format!("skills/{skill}")));
    let walk = tree.walk("mixed", &extra_rules());
    let mut expected = vec!["d1".to_owned(), "g/d2".to_owned()];
    expected.extend(skills.map(|skill| format!("skills/{skill}")));
    assert_eq!(found(&walk), expected);
}

#[test]
fn a_child_called_skills_is_no_level() {
    let tree = Tree::with_skills(&["ws/skills/a", "ws/b", "ws/skills/1/2/3/4/5/c"]);
    let walk = tree.walk("ws", &rules());
    assert_eq!(found(&walk), ["b", "skills/1/2/3/4/5/c", "skills/a"]);
    assert!(walk.skipped.is_empty());
}

#[test]
fn a_child_called_skills_may_be_a_skill() {
    let tree = Tree::with_skills(&["ws/skills", "ws/skills/below", "ws/b"]);
    let walk = tree.walk("ws", &rules());
    assert_eq!(found(&walk), ["b", "skills"]);
}

#[test]
fn a_root_that_is_a_skill_has_no_others() {
    let tree = Tree::with_skills(&["ws/skills", "ws/skills/child"]);
    let walk = tree.walk("ws/skills", &rules());
    assert_eq!(found(&walk), [""]);
    assert_eq!(walk.found[0].id, "skills");
    assert_eq!(walk.found[0].base, tree.path("ws/skills"));
    assert_eq!(walk.outer, None);
}

#[test]
fn a_root_with_an_unusable_skill_file_yields_nothing() {
    let tree = Tree::with_skills(&["a/child", "b/child"]);
    tree.folder("a/SKILL.md").link("b/SKILL.md", "nowhere");
    for (root, reason) in [("a", LossReason::NotAFile), ("b", LossReason::BrokenLink)] {
        let walk = tree.walk(root, &rules());
        assert!(walk.found.is_empty());
        assert_eq!(skipped(&walk, &tree.path(root)), [loss("SKILL.md", reason)]);
    }
}

#[test]
fn a_nested_root_stands_behind_the_skill_of_the_outer_one() {
    let tree = Tree::with_skills(&["ws", "ws/skills/g/a", "ws/beside"]);
    let walk = tree.walk("ws", &rules());
    assert_eq!(walk.outer.as_ref().unwrap().file, tree.path("ws/SKILL.md"));
    assert_eq!(found(&walk), ["skills/g/a"]);
    assert!(walk.skipped.is_empty());
}

#[test]
fn a_nested_root_that_is_a_skill_is_the_only_one() {
    let tree = Tree::with_skills(&["ws", "ws/skills", "ws/skills/a"]);
    let walk = tree.walk("ws", &rules());
    assert_eq!(walk.outer, None);
    assert_eq!(found(&walk), ["skills"]);
    assert_eq!(skipped(&walk, &tree.path("ws")), [loss("SKILL.md", LossReason::Shadowed)]);
}

#[test]
fn a_nested_root_needs_a_skill_that_can_be_seen() {
    for hidden in ["skills/.git/a", "skills/node_modules/a", "skills/1/2/3/4/5/6/a", "elsewhere/a"] {
        let tree = Tree::with_skills(&["ws"]);
        tree.folder("ws/skills").skill(&format!("ws/{hidden}")).link("ws/skills/link", "../elsewhere/a");
        let walk = tree.walk("ws", &rules());
        assert_eq!(found(&walk), [""], "{hidden}");
        assert_eq!(walk.outer, None, "{hidden}");
    }
}

#[test]
fn a_nested_root_outside_is_not_entered() {
    let tree = Tree::with_skills(&["ws", "outside/a"]);
    tree.link_to("ws/skills", "outside");
    assert_eq!(found(&tree.walk("ws", &rules())), [""]);
}

#[test]
fn a_container_is_never_a_skill() {
    let tree = Tree::with_skills(&["workshop", "workshop/skills", "workshop/a"]);
    tree.file("workshop/lone.md");
    let container =
        WalkRules { always_container: true, any_case_skill_md: true, lone_files: true, ..rules() };
    assert_eq!(found(&tree.walk("workshop", &container)), ["a", "skills"]);
}

#[test]
fn hidden_folders_and_node_modules_are_passed_over() {
    let tree = Tree::with_skills(&[
        "ws/.hidden",
        "ws/.git/a",
        "ws/node_modules/b",
        "ws/g/.x/c",
        "ws/g/node_modules/d",
        "ws/seen",
    ]);
    let walk = tree.walk("ws", &rules());
    assert_eq!(found(&walk), ["seen"]);
    assert!(walk.skipped.is_empty());
}

#[test]
fn only_the_exact_spelling_counts() {
    let tree = Tree::with_skills(&["ws/a"]);
    for file in
        ["NOTES.md", "a/EXTRA.md", "b/skill.md", "c/Skill.md", "d/README.md", "e/SKILL.MD", "f/SKILL.md.txt"]
    {
        tree.file(&format!("ws/{file}"));
    }
    assert_eq!(found(&tree.walk("ws", &rules())), ["a"]);
}

#[test]
fn any_spelling_counts_where_it_may() {
    let tree = Tree::with_skills(&["ws/a"]);
    tree.file("ws/b/skill.md")
        .skill("ws/b/below")
        .file("ws/c/Skill.MD")
        .file("ws/both/skill.md")
        .file("ws/both/Skill.md")
        .file("ws/1/2/3/4/5/six/skill.md");
    let any_case = WalkRules { any_case_skill_md: true, ..rules() };
    let walk = tree.walk("ws", &any_case);
    assert_eq!(found(&walk), ["1/2/3/4/5/six", "a", "b", "both", "c"]);
    assert_eq!(walk.found[3].file, tree.path("ws/both/Skill.md"));
    assert_eq!(skipped(&walk, &tree.path("ws")), [loss("both/skill.md", LossReason::Shadowed)]);
    tree.file("ws/skill.md");
    assert_eq!(found(&tree.walk("ws", &any_case)), [""]);
}

#[test]
fn a_skill_is_a_leaf_whatever_its_file_is() {
    let tree = Tree::with_skills(&["ws/a", "ws/a/below", "ws/b/below", "ws/c/below", "ws/d/below"]);
    tree.folder("ws/b/SKILL.md").link("ws/c/SKILL.md", "nowhere").pipe("ws/d/SKILL.md");
    let walk = tree.walk("ws", &rules());
    assert_eq!(found(&walk), ["a"]);
    assert_eq!(
        skipped(&walk, &tree.path("ws")),
        [
            loss("b/SKILL.md", LossReason::NotAFile),
            loss("c/SKILL.md", LossReason::BrokenLink),
            loss("d/SKILL.md", LossReason::NotAFile),
        ]
    );
    assert_eq!(walk.skipped[0].message, "is a folder, not a file");
    assert_eq!(walk.skipped[2].message, "is not a regular file");
}

#[test]
fn the_order_is_that_of_the_written_paths() {
    let tree = Tree::with_skills(&["ws/b", "ws/a/x", "ws/a-b/x", "ws/a/b/c", "ws/B", "ws/é"]);
    let walk = tree.walk("ws", &rules());
    assert_eq!(found(&walk), ["B", "a-b/x", "a/b/c", "a/x", "b", "é"]);
}

#[test]
fn lone_files_are_skills_outside_of_skills() {
    let tree = Tree::with_skills(&["ws/folder"]);
    for file in [
        "lone.md",
        "README.md",
        ".hidden.md",
        "text.txt",
        "group/other.md",
        "group/Readme.MD",
        "folder/notes.md",
        "skills/nested.md",
        ".dot/never.md",
        "1/2/3/4/5/6/deep.md",
        "1/2/3/4/5/6/7/deeper.md",
    ] {
        tree.file(&format!("ws/{file}"));
    }
    tree.folder("ws/named.md/").pipe("ws/pipe.md").skill("ws/1/2/3/4/5/6/seventh");
    let lone = WalkRules { lone_files: true, ..rules() };
    let walk = tree.walk("ws", &lone);
    assert_eq!(
        found(&walk),
        ["1/2/3/4/5/6/deep.md", "folder", "group/other.md", "lone.md", "skills/nested.md"]
    );
    assert_eq!(
        skipped(&walk, &tree.path("ws")),
        [
            loss("1/2/3/4/5/6/7", LossReason::TooDeep),
            loss("1/2/3/4/5/6/seventh", LossReason::TooDeep),
            loss("pipe.md", LossReason::NotAFile),
        ]
    );
    let other = &walk.found[2];
    assert_eq!(other.id, "other");
    assert_eq!(other.layout, SkillLayout::LoneFile);
    assert_eq!(other.base, tree.path("ws/group"));
    assert_eq!(other.file, tree.path("ws/group/other.md"));
}

#[test]
fn names_that_are_not_text_are_no_obstacle() {
    use std::os::unix::ffi::OsStrExt as _;
    let tree = Tree::with_skills(&["ws/fine", "ws/new\nline", "ws/ space "]);
    let odd = tree.path("ws").join(std::ffi::OsStr::from_bytes(b"od\xffd"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::write(odd.join("SKILL.md"), "x").unwrap();
    let walk = tree.walk("ws", &rules());
    assert_eq!(found(&walk), [" space ", "fine", "new\nline", "od\u{fffd}d"]);
    assert_eq!(walk.found[3].file, odd.join("SKILL.md"));
}

#[test]
fn what_may_not_be_read_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    if rustix::process::geteuid().is_root() {
        return;
    }
    let tree = Tree::with_skills(&["ws/fine", "ws/closed", "ws/group/a"]);
    let set = |path: &str, mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(tree.path(path), permissions).unwrap();
    };
    set("ws/closed", 0o600);
    set("ws/group", 0o300);
    let walk = tree.walk("ws", &rules());
    set("ws/closed", 0o700);
    set("ws/group", 0o700);
    assert_eq!(found(&walk), ["fine"]);
    assert_eq!(
        skipped(&walk, &tree.path("ws")),
        [loss("closed", LossReason::Unreadable), loss("group", LossReason::Unreadable)]
    );
    assert!(walk.skipped[0].message.contains("ermission"));
}
