//! The frozen view of an agent, and the slash commands that go with it.

use prowess_catalog::{Snapshot, next_version};
use prowess_inventory::PromptRequest;
use prowess_testkit::Tree;
use serde_json::{Value, json};

use crate::support::{configure, engine, inventory, skill, write_skill};

fn snapshot(tree: &Tree) -> Snapshot {
    inventory(tree).snapshot(&PromptRequest::default(), 1)
}

#[test]
fn the_id_is_that_of_the_content() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    write_skill(&tree, "bundled/two", "two");
    let first = snapshot(&tree);
    assert_eq!(first.id().len(), 64);
    assert_eq!(snapshot(&tree).id(), first.id(), "the same content has the same id");
    let later = inventory(&tree).snapshot(&PromptRequest::default(), 99);
    assert_eq!((later.id(), later.version()), (first.id(), 99), "whatever the version");

    let mut seen = vec![first.id().to_owned()];
    let mut changes = |what: &str, tree: &Tree| {
        let id = snapshot(tree).id().to_owned();
        assert!(!seen.contains(&id), "{what}");
        seen.push(id);
    };
    tree.write("ws/skills/one/SKILL.md", skill("one", "") + "One more line.\n");
    changes("the text of a skill", &tree);
    tree.write("ws/skills/one/SKILL.md", skill("one", "").replace("Does", "Did"));
    changes("its description", &tree);
    write_skill(&tree, "ws/skills/three", "three");
    changes("a new skill", &tree);
    write_skill(&tree, "ws/skills/two", "two");
    changes("another origin", &tree);
    configure(&tree, "{skills: {modes: {one: 'name-only'}}}");
    changes("how it is offered", &tree);
    configure(&tree, "{agents: {defaults: {skills: ['one', 'two', 'three']}}}");
    changes("an allowlist, though it allows all", &tree);
    std::fs::remove_dir_all(tree.path("ws/skills/three")).unwrap();
    changes("a skill that is gone", &tree);
}

#[test]
fn another_file_beside_a_skill_changes_nothing() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    let before = snapshot(&tree);
    tree.write("ws/skills/one/notes.txt", "a file");
    tree.write("ws/skills/one/SKILL.md", skill("one", ""));
    assert_eq!(snapshot(&tree).id(), before.id());
}

#[test]
fn versions_rise_even_if_the_clock_does_not() {
    let mut version = 0;
    for now in [1_000, 2_000, 2_000, 500, 2_001, 9_000] {
        let next = next_version(version, now);
        assert!(next > version && next >= now);
        version = next;
    }
    let tree = Tree::new();
    let old = snapshot(&tree);
    assert!(old.is_stale(version, None) && !old.is_stale(old.version(), None));
}

#[test]
fn it_holds_what_a_client_needs() {
    let tree = Tree::new();
    let needs = "metadata: {\"prowess\":{\"primaryEnv\":\"HOME\",\"skillKey\":\"the-key\",\"requires\":{\"env\":[\"HOME\"]}}}\n";
    tree.write("ws/skills/keyed/SKILL.md", skill("keyed", needs));
    tree.write("ws/skills/hidden/SKILL.md", skill("hidden", "disable-model-invocation: true\n"));
    let blocked = "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"gone\"]}}}\n";
    tree.write("ws/skills/blocked/SKILL.md", skill("blocked", blocked));
    configure(&tree, "{agents: {entries: {writer: {skills: ['keyed', 'hidden', 'blocked']}}}}");
    let inventory = engine(&tree).inventory(Some("writer")).unwrap();
    let value = serde_json::to_value(inventory.snapshot(&PromptRequest::default(), 7)).unwrap();
    assert_eq!((&value["agentId"], &value["version"]), (&json!("writer"), &json!(7)));
    assert_eq!(value["skillFilter"], json!(["keyed", "hidden", "blocked"]));
    let names = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&value["skills"]), ["hidden", "keyed"], "every eligible one");
    assert_eq!(names(&value["resolvedSkills"]), ["keyed"], "those in the prompt");
    let keyed = &value["skills"][1];
    assert_eq!(keyed["skillKey"], json!("the-key"));
    assert_eq!((&keyed["primaryEnv"], &keyed["requiredEnv"]), (&json!("HOME"), &json!(["HOME"])));
    assert_eq!(value["prompt"], json!(inventory.prompt(&PromptRequest::default()).text));
}

#[test]
fn commands_are_named_and_numbered() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/a", "My Skill");
    write_skill(&tree, "ws/skills/b", "my-skill");
    write_skill(&tree, "ws/skills/c", "技能");
    write_skill(&tree, "ws/skills/d", "status");
    write_skill(&tree, "ws/skills/e", "a-name-that-is-far-too-long-for-a-slash-command");
    tree.write("ws/skills/f/SKILL.md", skill("private", "user-invocable: false\n"));
    write_skill(&tree, "bundled/g", "shipped");
    let commands = serde_json::to_value(inventory(&tree).commands()).unwrap();
    let named: Vec<(&str, &str, &str)> = commands
        .as_array()
        .unwrap()
        .iter()
        .map(|command| {
            let text = |key: &str| command[key].as_str().unwrap();
            (text("name"), text("skillName"), text("skillSource"))
        })
        .collect();
    assert_eq!(
        named,
        [
            (
                "a_name_that_is_far_too_long_for_",
                "a-name-that-is-far-too-long-for-a-slash-command",
                "workspace"
            ),
            ("my_skill", "My Skill", "workspace"),
            ("my_skill_2", "my-skill", "workspace"),
            ("shipped", "shipped", "bundled"),
            ("status_2", "status", "workspace"),
            ("skill_2", "技能", "workspace"),
        ]
    );
}

#[test]
fn a_command_may_go_straight_to_a_tool() {
    let tree = Tree::new();
    let fields = "command-dispatch: Tool\ncommand_tool: lights\ncommand-arg-mode: other\n";
    tree.write("ws/skills/lamp/SKILL.md", skill("lamp", fields));
    tree.write("ws/skills/toolless/SKILL.md", skill("toolless", "command-dispatch: tool\n"));
    let commands = serde_json::to_value(inventory(&tree).commands()).unwrap();
    assert_eq!(commands[0]["dispatch"], json!({"kind": "tool", "toolName": "lights", "argMode": "raw"}));
    assert_eq!(commands[1].get("dispatch"), None);
    assert_eq!(commands[0]["skillFile"], json!(tree.path("ws/skills/lamp/SKILL.md")));
}
