//! Secrets never come out: not in an answer, not in a debug print, not in an error.

use std::error::Error as _;

use prowess::Engine;
use prowess_config::{ConfigEdit, KeyPath};
use prowess_inventory::PromptRequest;
use prowess_testkit::Tree;
use serde_json::json;

use crate::support::{configure, engine, skill};

const API_KEY: &str = "hunter2-api-key";
const ENTRY_VARIABLE: &str = "hunter2-entry-variable";
const PROCESS_VARIABLE: &str = "hunter2-process-variable";
const SETTING: &str = "hunter2-setting";

fn tree() -> Tree {
    let tree = Tree::new();
    let needs = "metadata: {\"prowess\":{\"primaryEnv\":\"MAIN_KEY\",\"requires\":{\"env\":[\"MAIN_KEY\",\"OTHER\",\"OUTSIDE\"],\"config\":[\"skills.entries.keyed.apiKey\",\"gateway.token\"]}}}\n";
    tree.write("ws/skills/keyed/SKILL.md", skill("keyed", needs));
    configure(
        &tree,
        &format!(
            "{{
              skills: {{entries: {{keyed: {{apiKey: '{API_KEY}', env: {{OTHER: '{ENTRY_VARIABLE}'}}, config: {{password: '{SETTING}'}}}}}}}},
              gateway: {{token: '{SETTING}'}},
            }}"
        ),
    );
    tree
}

fn engine_of(tree: &Tree) -> Engine {
    let vars = [("OUTSIDE", PROCESS_VARIABLE)];
    crate::support::engine_with(
        tree,
        prowess_types::ProfileName::Prowess,
        &vars,
        prowess_context::Caching::On,
    )
}

fn assert_silent(what: &str, text: &str) {
    let leaks: Vec<&str> = text.lines().filter(|line| line.contains("hunter2")).collect();
    assert!(leaks.is_empty(), "a secret in {what}:\n{}", leaks.join("\n"));
}

fn json(value: impl serde::Serialize) -> String {
    serde_json::to_string_pretty(&value).expect("JSON")
}

#[test]
fn the_secrets_count() {
    let tree = tree();
    let inventory = engine_of(&tree).inventory(None).unwrap();
    assert!(inventory.entries[0].verdict.eligible, "{:?}", inventory.entries[0].verdict.reasons);
}

#[test]
fn no_answer_has_a_secret() {
    let tree = tree();
    let engine = engine_of(&tree);
    let inventory = engine.inventory(None).unwrap();
    let request = PromptRequest::default();
    assert_silent("status", &json(inventory.status()));
    assert_silent("list", &json(inventory.list(|_| true)));
    assert_silent("check", &json(inventory.check()));
    assert_silent("why", &json(inventory.why("keyed")));
    assert_silent("commands", &json(inventory.commands()));
    assert_silent("prompt", &inventory.prompt(&request).text);
    assert_silent("explanation", &json(inventory.explain_prompt(&request)));
    assert_silent("snapshot", &json(inventory.snapshot(&request, 1)));
    assert_silent("doctor", &json(engine.doctor(None).unwrap()));
}

#[test]
fn the_config_is_shown_without_secrets() {
    let tree = tree();
    let engine = engine_of(&tree);
    assert_silent("the whole config", &json(engine.config().redacted()));
    for key in [
        "skills",
        "skills.entries.keyed",
        "skills.entries.keyed.apiKey",
        "skills.entries.keyed.env",
        "skills.entries.keyed.env.OTHER",
        "skills.entries.keyed.config",
        "gateway",
        "gateway.token",
    ] {
        let key = KeyPath::parse(key).unwrap();
        let value = engine.config().get(&key).unwrap_or_else(|| panic!("no `{key}`"));
        assert_silent("a value", &json(value));
        assert_silent("its origin", &json(engine.config().origin_of(&key)));
    }
    let value = engine.config().get(&KeyPath::parse("skills.entries.keyed.apiKey").unwrap());
    assert_eq!(value, Some(json!("__PROWESS_REDACTED__")), "that it is set is no secret");
}

#[test]
fn no_debug_print_has_a_secret() {
    let tree = tree();
    let engine = engine_of(&tree);
    assert_silent("the engine", &format!("{engine:#?}"));
    assert_silent("the environment", &format!("{:#?}", engine.env()));
    assert_silent("the config", &format!("{:#?}", engine.config()));
    let change = ConfigEdit::Set(KeyPath::parse("skills.entries.keyed.apiKey").unwrap(), json!(API_KEY));
    assert_silent("a change", &format!("{change:?}"));
    assert_silent("the inventory", &format!("{:#?}", engine.inventory(None).unwrap()));
}

#[test]
fn no_error_has_a_secret() {
    let tree = Tree::new();
    for broken in [
        format!("{{skills: {{entries: {{x: {{apiKey: '{API_KEY}' oops}}}}}}}}"),
        format!("{{skills: {{entries: {{x: {{apiKey: '{API_KEY}"),
        format!("{{skills: {{entries: {{x: {{apiKey: {API_KEY}}}}}}}}}"),
        format!("{{skills: {{entries: {{x: {{apiKey: ['{API_KEY}']}}}}}}}}"),
        format!("{{skills: {{entries: {{x: {{env: {{A: ['{API_KEY}']}}}}}}}}}}"),
        format!("{{skills: {{entries: {{x: '{API_KEY}'}}}}}}"),
        format!("{{skills: {{entries: '{API_KEY}'}}}}"),
    ] {
        configure(&tree, &broken);
        let engine = engine(&tree);
        assert!(!engine.issues().is_empty(), "{broken}");
        for issue in engine.issues() {
            assert_silent("an issue", &format!("{issue} {issue:?} {}", json(issue)));
        }
        assert_silent("doctor", &json(engine.doctor(None).unwrap()));
    }
    configure(&tree, "{}");
    let key = KeyPath::parse("skills.entries.x.apiKey").unwrap();
    let refused = engine(&tree).change_config(&[ConfigEdit::Set(key, json!([API_KEY]))]).unwrap_err();
    let cause = refused.source().expect("a cause");
    assert_silent("a refusal", &format!("{refused} {refused:?} {cause} {cause:?}"));
}

#[test]
fn nothing_in_the_cache_is_a_secret() {
    let tree = tree();
    engine_of(&tree).inventory(None).unwrap();
    for entry in std::fs::read_dir(tree.path("home/.prowess/cache/skills")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert_silent("the cache", &String::from_utf8_lossy(&bytes));
    }
}

#[cfg(unix)]
#[test]
fn a_file_with_keys_that_others_can_read_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = tree();
    let file = tree.path("home/.prowess/prowess.json");
    let is_reported = |mode: u32| {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        engine_of(&tree).doctor(None).unwrap().iter().any(|finding| finding.id == "secrets/readable")
    };
    assert!(is_reported(0o644) && is_reported(0o604));
    assert!(!is_reported(0o600));
}
