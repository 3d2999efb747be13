//! `prowess restore` finds what was removed for this workspace and for all.

use crate::support::{Home, Program as _, texts};

/// A home with a removed skill in each trash.
fn home() -> Home {
    let home = Home::new();
    for (source, name) in [("one", "tides"), ("two", "winds")] {
        home.skill(&format!("src/{source}/{name}"), name, "");
    }
    let place = |source: &str| home.tree.path(source).display().to_string();
    home.good(&["install", &place("src/one/tides"), "--yes"]);
    home.good(&["install", &place("src/two/winds"), "--global", "--yes"]);
    home
}

fn id(text: &str) -> String {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("prowess restore ")).expect("a hint");
    line.to_owned()
}

#[test]
fn the_hint_of_uninstall_brings_a_managed_skill_back() {
    let home = home();
    let managed = id(&home.good(&["uninstall", "winds", "--global", "--yes"]));
    let own = id(&home.good(&["uninstall", "tides", "--yes"]));
    let trash = home.json(&["restore", "--json"])["trash"].clone();
    assert_eq!(
        (texts(&trash, "id"), texts(&trash, "scope")),
        (vec![own.as_str(), &managed], vec!["workspace", "managed"])
    );
    let shown = home.good(&["restore"]);
    assert!(shown.contains("this workspace") && shown.contains("all workspaces"), "{shown}");
    assert_eq!(texts(&home.json(&["restore", "--global", "--json"])["trash"], "id"), [managed.as_str()]);
    assert_eq!(texts(&home.json(&["restore", "--local", "--json"])["trash"], "id"), [own.as_str()]);

    let restored = home.good(&["restore", &managed]);
    assert!(restored.contains("restored [ROOT]/.prowess/skills/winds"), "{restored}");
    assert!(home.tree.path(".prowess/skills/winds/SKILL.md").exists());
    let restored = home.good(&["restore", &own]);
    assert!(restored.contains("restored [ROOT]/ws/skills/tides"), "{restored}");
    assert_eq!(home.good(&["restore"]), "The trash is empty.\n");
    let ran = home.run(&["restore", "nothing"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: `nothing` is not in the trash
    help: `prowess restore` lists the trash; `--workspace DIR` names another workspace
    ");
}

#[test]
fn an_id_in_both_trashes_is_asked_about() {
    let home = Home::new();
    for (trash, root) in [("ws/.prowess/trash", "ws/skills"), (".prowess/trash", ".prowess/skills")] {
        home.skill(&format!("{trash}/0000000000001-tides"), "tides", "");
        let from = home.tree.path(&format!("{root}/tides")).display().to_string();
        let note = format!("{{\"from\": \"{from}\", \"removedAt\": 1}}");
        home.tree.write(&format!("{trash}/0000000000001-tides.json"), note);
    }
    let ran = home.run(&["restore", "0000000000001-tides"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[ambiguous]: `0000000000001-tides` is in the trash of this workspace and in that of all workspaces
    help: `--local` takes the one of this workspace, `--global` the other
    ");
    home.good(&["restore", "0000000000001-tides", "--global"]);
    assert!(home.tree.path(".prowess/skills/tides/SKILL.md").exists());
    assert!(!home.tree.path("ws/skills/tides").exists());
    home.good(&["restore", "0000000000001-tides", "--local"]);
    assert!(home.tree.path("ws/skills/tides/SKILL.md").exists());
}

#[test]
fn the_hint_for_the_workspace_of_an_agent_names_the_agent() {
    let home = Home::new();
    home.config("{agents: {list: [{id: 'main', default: true}, {id: 'writer', workspace: '$ROOT/writer'}]}}");
    home.skill("src/tides", "tides", "");
    let source = home.tree.path("src/tides").display().to_string();
    home.good(&["install", &source, "--yes", "--agent", "writer"]);
    assert!(home.tree.path("writer/skills/tides/SKILL.md").exists());
    let hint = id(&home.good(&["uninstall", "tides", "--yes", "--agent", "writer"]));
    assert!(hint.ends_with(" --agent writer"), "{hint}");
    let command: Vec<&str> = std::iter::once("restore").chain(hint.split(' ')).collect();
    home.good(&command);
    assert!(home.tree.path("writer/skills/tides/SKILL.md").exists());
}
