//! The files of a skill, as those get them who do not see the disk.

use prowess_inventory::SkillFileError;
use prowess_testkit::Tree;
use serde_json::json;

use crate::support::{entry, inventory, skill, write_skill};

#[test]
fn a_skill_has_what_lies_in_its_folder_and_nothing_else() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/tea", "tea");
    write_skill(&tree, "ws/skills/other", "other");
    tree.write("ws/skills/tea/docs/b.md", "b");
    tree.write("ws/skills/tea/a.bin", [0_u8, 255]);
    tree.write("ws/skills/tea/.git/config", "git");
    tree.write("outside/secret.txt", "secret");
    tree.lay("ws/skills/tea/inside", &json!({"symlink": tree.path("ws/skills/tea/a.bin")}));
    tree.lay("ws/skills/tea/outside", &json!({"symlink": tree.path("outside/secret.txt")}));
    tree.lay("ws/skills/tea/nowhere", &json!({"symlink": tree.path("nowhere")}));
    let inventory = inventory(&tree);
    let tea = entry(&inventory, "tea");
    let files: Vec<(String, u64)> = tea.files().into_iter().map(|file| (file.path, file.size)).collect();
    let text = skill("tea", "").len() as u64;
    let expected = [("SKILL.md", text), ("a.bin", 2), ("docs/b.md", 1), ("inside", 2)];
    assert_eq!(files, expected.map(|(path, size)| (path.to_owned(), size)));

    assert_eq!(tea.read_file("inside").expect("a file").bytes, [0, 255]);
    let main = tea.read_file("SKILL.md").expect("its text");
    assert_eq!(main.digest, tea.skill.content_hash);
    for path in [
        "",
        ".",
        "outside",
        "nowhere",
        ".git/config",
        "docs",
        "../other/SKILL.md",
        "./SKILL.md",
        "/etc/passwd",
    ] {
        assert!(matches!(tea.read_file(path), Err(SkillFileError::Unknown { .. })), "{path}");
    }
}

#[test]
fn a_text_that_is_not_the_checked_one_is_not_given_out() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/tea", "tea");
    let inventory = inventory(&tree);
    tree.write("ws/skills/tea/SKILL.md", skill("tea", "license: MIT\n"));
    let tea = entry(&inventory, "tea");
    assert!(matches!(tea.read_file("SKILL.md"), Err(SkillFileError::Changed(name)) if name == "tea"));
}
