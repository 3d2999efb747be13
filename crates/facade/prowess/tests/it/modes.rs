//! How a skill is offered: five modes, three scopes, and bundles.

use prowess_inventory::{Inventory, PromptRequest};
use prowess_testkit::Tree;
use prowess_types::{ModeScope, OfferMode};
use serde_json::{Value, json};

use crate::support::{configure, engine, entry, inventory, status_of, write_skill};

const MODES: [&str; 5] = ["pinned", "auto", "name-only", "manual", "disabled"];

/// One skill for every mode, called `a-…` to `e-…` in the order of the modes reversed.
fn tree() -> Tree {
    let tree = Tree::new();
    for mode in MODES {
        write_skill(&tree, &format!("ws/skills/is-{mode}"), &format!("is-{mode}"));
    }
    tree
}

fn one_of_each() -> String {
    MODES.map(|mode| format!("'is-{mode}': '{mode}'")).join(", ")
}

/// What every surface shows when there is one skill of each mode.
fn check_surfaces(inventory: &Inventory, scope: &str) {
    let prompt = inventory.prompt(&PromptRequest::default()).text;
    let listed: Vec<&str> = prompt
        .lines()
        .filter_map(|line| line.trim().strip_prefix("<name>")?.strip_suffix("</name>"))
        .collect();
    assert_eq!(listed, ["is-pinned", "is-auto", "is-name-only"], "pinned comes first, the rest by name");
    assert!(prompt.contains("Does is-auto.") && prompt.contains("Does is-pinned."));
    assert!(!prompt.contains("Does is-name-only."), "a name without its description");

    let commands: Vec<(String, bool)> =
        inventory.commands().into_iter().map(|command| (command.skill_name, command.model_visible)).collect();
    let expected = [("is-auto", true), ("is-manual", false), ("is-name-only", true), ("is-pinned", true)];
    assert_eq!(commands, expected.map(|(name, visible)| (name.to_owned(), visible)));

    for mode in MODES {
        let status = status_of(inventory, &format!("is-{mode}"));
        assert_eq!((&status["mode"], &status["modeScope"]), (&json!(mode), &json!(scope)));
        assert_eq!(status["disabled"], json!(mode == "disabled"));
        assert_eq!(status["modelVisible"], json!(!matches!(mode, "manual" | "disabled")));
        assert_eq!(status["commandVisible"], json!(mode != "disabled"));
    }
    let check = serde_json::to_value(inventory.check()).unwrap();
    assert_eq!(check["notInjected"], json!([{"name": "is-manual", "reason": "mode-manual"}]));
    assert_eq!(check["disabled"], json!(["is-disabled"]));

    let explained = inventory.explain_prompt(&PromptRequest::default());
    let reason = |name: &str| {
        explained.skills.iter().find(|skill| skill.name == name).and_then(|skill| skill.reason.clone())
    };
    assert_eq!(reason("is-manual").as_deref(), Some("its mode is `manual`"));
    assert!(reason("is-disabled").unwrap().starts_with("switched off by mode `disabled` in the "));
    assert_eq!(reason("is-name-only"), None);
}

#[test]
fn the_users_modes_show_everywhere() {
    let tree = tree();
    configure(&tree, &format!("{{skills: {{modes: {{{}}}}}}}", one_of_each()));
    check_surfaces(&inventory(&tree), "user");
}

#[test]
fn the_projects_modes_show_everywhere() {
    let tree = tree();
    tree.write("ws/.prowess/config.json", format!("{{skills: {{modes: {{{}}}}}}}", one_of_each()));
    check_surfaces(&inventory(&tree), "project");
}

#[test]
fn the_agents_modes_show_everywhere() {
    let tree = tree();
    configure(&tree, &format!("{{agents: {{entries: {{one: {{skillModes: {{{}}}}}}}}}}}", one_of_each()));
    check_surfaces(&inventory(&tree), "agent");
}

#[test]
fn bundles_show_everywhere() {
    let tree = tree();
    let bundles = MODES.map(|mode| format!("'b-{mode}': ['is-{mode}']")).join(", ");
    let modes = MODES.map(|mode| format!("'b-{mode}': '{mode}'")).join(", ");
    configure(&tree, &format!("{{skills: {{bundles: {{{bundles}}}, modes: {{{modes}}}}}}}"));
    check_surfaces(&inventory(&tree), "user");
}

#[test]
fn without_a_word_a_skill_is_auto() {
    let status = status_of(&inventory(&tree()), "is-manual");
    assert_eq!(status["mode"], json!("auto"));
    assert_eq!(status.get("modeScope"), None::<&Value>);
}

/// The mode of the skill `x` and who set it.
fn decided(user: &str, project: &str, agent: &str) -> (OfferMode, Option<ModeScope>) {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/x", "x");
    configure(
        &tree,
        &format!("{{skills: {{{user}}}, agents: {{entries: {{one: {{skillModes: {{{agent}}}}}}}}}}}"),
    );
    tree.write("ws/.prowess/config.json", format!("{{skills: {{{project}}}}}"));
    let inventory = engine(&tree).inventory(Some("one")).expect("an inventory");
    let found = entry(&inventory, "x");
    (found.mode, found.mode_scope)
}

#[test]
fn the_agent_counts_before_the_project_and_the_project_before_the_user() {
    use ModeScope::{Agent, Project, User};
    use OfferMode::{Auto, Disabled, Manual, NameOnly, Pinned};
    for (user, project, agent, expected) in [
        ("modes: {x: 'manual'}", "", "", (Manual, Some(User))),
        ("modes: {x: 'manual'}", "modes: {x: 'pinned'}", "", (Pinned, Some(Project))),
        ("modes: {x: 'manual'}", "modes: {x: 'pinned'}", "x: 'name-only'", (NameOnly, Some(Agent))),
        ("modes: {x: 'disabled'}", "modes: {x: 'auto'}", "", (Auto, Some(Project))),
        // The skill's own name counts before a bundle of the same scope.
        ("bundles: {b: ['x']}, modes: {b: 'disabled', x: 'pinned'}", "", "", (Pinned, Some(User))),
        ("bundles: {b: ['x']}, modes: {x: 'pinned', b: 'disabled'}", "", "", (Pinned, Some(User))),
        // A bundle of a closer scope counts before the name in a farther one.
        ("bundles: {b: ['x']}, modes: {x: 'pinned'}", "modes: {b: 'manual'}", "", (Manual, Some(Project))),
        ("bundles: {b: ['x']}, modes: {x: 'pinned'}", "", "b: 'name-only'", (NameOnly, Some(Agent))),
        // Of several bundles the last one counts.
        (
            "bundles: {a: ['x'], b: ['x']}, modes: {a: 'manual', b: 'disabled'}",
            "",
            "",
            (Disabled, Some(User)),
        ),
        // A project's bundle means nothing to the user's modes.
        ("modes: {b: 'pinned'}", "bundles: {b: ['x']}", "", (Auto, None)),
        ("", "bundles: {b: ['x']}, modes: {b: 'pinned'}", "", (Pinned, Some(Project))),
    ] {
        assert_eq!(decided(user, project, agent), expected, "{user} | {project} | {agent}");
    }
}

#[test]
fn a_mode_may_name_the_key() {
    let tree = Tree::new();
    let keyed = crate::support::skill("x", "metadata: {\"prowess\":{\"skillKey\":\"x-key\"}}\n");
    tree.write("ws/skills/x/SKILL.md", keyed);
    configure(&tree, "{skills: {modes: {'x-key': 'manual'}}}");
    assert_eq!(entry(&inventory(&tree), "x").mode, OfferMode::Manual);
    configure(&tree, "{skills: {modes: {'x-key': 'manual', x: 'pinned'}}}");
    assert_eq!(entry(&inventory(&tree), "x").mode, OfferMode::Pinned, "the name counts first");
}
