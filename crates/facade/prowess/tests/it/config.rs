//! What the config says about skills, agents and projects.

use prowess_context::ContextError as EngineError;
use prowess_testkit::Tree;
use prowess_types::Severity;
use serde_json::json;

use crate::support::{configure, engine, entry, inventory, names, skill, status_of, write_skill};

#[test]
fn allow_bundled_blocks_bundled_skills_only() {
    let tree = Tree::new();
    write_skill(&tree, "bundled/one", "one");
    let keyed = skill("two", "metadata: {\"prowess\":{\"skillKey\":\"two-key\"}}\n");
    tree.write("bundled/two/SKILL.md", keyed);
    write_skill(&tree, "bundled/three", "three");
    write_skill(&tree, "ws/skills/own", "own");
    configure(&tree, "{skills: {allowBundled: [' one ', 'two-key']}}");
    let inventory = inventory(&tree);
    let blocked: Vec<(&str, bool)> = inventory
        .entries
        .iter()
        .map(|entry| (entry.skill.name.as_str(), entry.verdict.blocked_by_allowlist))
        .collect();
    assert_eq!(blocked, [("one", false), ("own", false), ("three", true), ("two", false)]);
    assert_eq!(inventory.check().blocked, ["three"]);
    assert_eq!(
        entry(&inventory, "three").verdict.reasons,
        ["bundled, but `three` is not on `skills.allowBundled`"]
    );
    for all in ["[]", "[' ', '']"] {
        configure(&tree, &format!("{{skills: {{allowBundled: {all}}}}}"));
        assert_eq!(self::inventory(&tree).check().blocked, [""; 0], "{all}");
    }
    // The user's own copy of a bundled skill is free.
    configure(&tree, "{skills: {allowBundled: ['nothing']}}");
    write_skill(&tree, "ws/skills/three", "three");
    assert!(entry(&self::inventory(&tree), "three").verdict.eligible);
}

#[test]
fn an_entry_switches_its_skill_off_by_key() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/plain", "plain");
    let keyed = skill("keyed", "metadata: {\"prowess\":{\"skillKey\":\"the-key\"}}\n");
    tree.write("ws/skills/keyed/SKILL.md", keyed);
    configure(&tree, "{skills: {entries: {plain: {enabled: false}, keyed: {enabled: false}}}}");
    let by_name = inventory(&tree);
    assert!(entry(&by_name, "plain").verdict.disabled);
    assert!(!entry(&by_name, "keyed").verdict.disabled, "the key counts, not the name");
    configure(&tree, "{skills: {entries: {'the-key': {enabled: false}, plain: {enabled: true}}}}");
    let by_key = inventory(&tree);
    assert!(entry(&by_key, "keyed").verdict.disabled && !entry(&by_key, "plain").verdict.disabled);
    assert_eq!(by_key.check().disabled, ["keyed"]);
}

#[test]
fn variables_may_come_from_the_environment_the_entry_or_the_api_key() {
    let tree = Tree::new();
    let needs = "metadata: {\"prowess\":{\"primaryEnv\":\"MAIN_KEY\",\"requires\":{\"env\":[\"MAIN_KEY\",\"OTHER\",\"HOME\"]}}}\n";
    tree.write("ws/skills/keyed/SKILL.md", skill("keyed", needs));
    for (entry_config, missing) in [
        ("{}", &["MAIN_KEY", "OTHER"][..]),
        ("{apiKey: 'k'}", &["OTHER"]),
        ("{apiKey: ' '}", &["MAIN_KEY", "OTHER"]),
        ("{apiKey: {source: 'env', provider: 'default', id: 'NO_SUCH_KEY'}}", &["MAIN_KEY", "OTHER"]),
        ("{apiKey: {source: 'env', provider: 'default', id: 'HOME'}}", &["OTHER"]),
        ("{env: {OTHER: 'x'}}", &["MAIN_KEY"]),
        ("{env: {OTHER: ' '}}", &["MAIN_KEY", "OTHER"]),
        ("{apiKey: 'k', env: {OTHER: 'x'}}", &[]),
        ("{env: {OTHER: 'x', MAIN_KEY: 'x'}}", &[]),
    ] {
        configure(&tree, &format!("{{skills: {{entries: {{keyed: {entry_config}}}}}}}"));
        let inventory = inventory(&tree);
        assert_eq!(entry(&inventory, "keyed").verdict.missing.env, missing, "{entry_config}");
        assert_eq!(entry(&inventory, "keyed").verdict.eligible, missing.is_empty(), "{entry_config}");
    }
}

#[test]
fn config_paths_programs_and_platforms_are_checked() {
    let tree = Tree::new();
    let needs = "metadata: {\"prowess\":{\"os\":[\"amiga\"],\"requires\":{\"config\":[\"browser.enabled\",\"tools.x\"],\"bins\":[\"here\",\"gone\"],\"anyBins\":[\"no\",\"nope\"]}}}\n";
    tree.write("ws/skills/needy/SKILL.md", skill("needy", needs));
    tree.write_program("bin/here");
    let before = status_of(&inventory(&tree), "needy");
    assert_eq!(
        before["missing"],
        json!({"bins": ["gone"], "anyBins": ["no", "nope"], "env": [], "config": ["tools.x"], "os": ["amiga"]})
    );
    assert_eq!(
        before["configChecks"],
        json!([{"path": "browser.enabled", "satisfied": true}, {"path": "tools.x", "satisfied": false}])
    );
    assert!(before["reasons"][0].as_str().unwrap().starts_with("made for `amiga`"), "{}", before["reasons"]);
    assert_eq!(before["reasons"].as_array().unwrap().len(), 4);
    configure(&tree, "{tools: {x: {}}, browser: {enabled: false}}");
    tree.write_program("bin/gone");
    tree.write_program("bin/nope");
    let after = status_of(&inventory(&tree), "needy");
    assert_eq!(
        after["missing"],
        json!({"bins": [], "anyBins": [], "env": [], "config": ["browser.enabled"], "os": ["amiga"]})
    );
    assert_eq!(after["platformIncompatible"], json!(true));
}

/// The names an agent may use.
fn allowed(tree: &Tree, agent: Option<&str>) -> Vec<String> {
    let inventory = engine(tree).inventory(agent).expect("an inventory");
    inventory.entries.iter().filter(|entry| entry.is_usable()).map(|entry| entry.skill.name.clone()).collect()
}

#[test]
fn agents_have_allowlists_and_inherit_the_default() {
    let tree = Tree::new();
    for name in ["one", "two", "three"] {
        write_skill(&tree, &format!("ws/skills/{name}"), name);
    }
    let entries = "{agents: {defaults: {skills: [' two ', 'unknown']}, entries: {own: {skills: ['one']}, none: {skills: []}, plain: {}}}}";
    let list = "{agents: {defaults: {skills: ['two']}, list: [{id: 'own', skills: ['one']}, {id: 'none', skills: []}, {id: 'plain'}]}}";
    for config in [entries, list] {
        configure(&tree, config);
        assert_eq!(allowed(&tree, Some("own")), ["one"]);
        assert_eq!(allowed(&tree, Some("none")), [""; 0]);
        assert_eq!(allowed(&tree, Some("plain")), ["two"]);
        assert_eq!(allowed(&tree, None), ["one"], "the first agent is the default");
    }
    configure(&tree, "{agents: {entries: {a: {skills: ['one']}, b: {default: true}}}}");
    assert_eq!(allowed(&tree, None), ["one", "three", "two"]);
}

#[test]
fn what_an_agent_may_not_use_is_reported_and_stays_eligible() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    write_skill(&tree, "ws/skills/two", "two");
    configure(&tree, "{agents: {entries: {writer: {skills: ['one']}}}}");
    let inventory = engine(&tree).inventory(Some("writer")).unwrap();
    let excluded = status_of(&inventory, "two");
    assert_eq!(excluded["eligible"], json!(true));
    assert_eq!(excluded["blockedByAgentFilter"], json!(true));
    assert_eq!((&excluded["modelVisible"], &excluded["commandVisible"]), (&json!(false), &json!(false)));
    let report = serde_json::to_value(inventory.status()).unwrap();
    assert_eq!((&report["agentId"], &report["agentSkillFilter"]), (&json!("writer"), &json!(["one"])));
    assert_eq!(inventory.check().agent_filtered, ["two"]);
}

#[test]
fn an_unknown_agent_is_an_error_that_names_the_known_ones() {
    let tree = Tree::new();
    configure(&tree, "{agents: {entries: {writer: {}, Reader: {}}}}");
    let engine = engine(&tree);
    let error = engine.inventory(Some("nobody")).unwrap_err();
    assert!(matches!(error, EngineError::Agent(_)));
    assert_eq!(error.to_string(), "unknown agent id `nobody`; known are `writer`, `reader`");
    assert!(engine.workspace(Some("nobody")).is_err() && engine.doctor(Some("nobody")).is_err());
    assert_eq!(engine.inventory(Some(" WRITER ")).unwrap().agent_id, "writer");
}

#[test]
fn a_project_sets_modes_and_bundles_and_nothing_else() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    write_skill(&tree, "planted/stranger", "stranger");
    tree.write(
        "ws/.prowess/config.json",
        tree.expand(
            "{
              skills: {
                modes: {one: 'pinned'},
                bundles: {all: ['one']},
                load: {extraDirs: ['$ROOT/planted']},
                entries: {one: {enabled: false, env: {PATH: '/evil'}}},
                limits: {maxSkillsInPrompt: 0},
                allowBundled: ['x'],
              },
              agents: {entries: {evil: {}}},
              plugins: {load: {paths: ['$ROOT/planted']}},
            }",
        ),
    );
    let engine = engine(&tree);
    let inventory = engine.inventory(None).unwrap();
    assert_eq!(names(&inventory), ["one"]);
    assert!(entry(&inventory, "one").verdict.eligible);
    assert_eq!(status_of(&inventory, "one")["mode"], json!("pinned"));
    assert_eq!(inventory.agent_id, "main");
    assert!(inventory.prompt(&prowess_inventory::PromptRequest::default()).text.contains("<name>one</name>"));

    let (_, issues) = engine.config_in(&tree.path("ws")).unwrap();
    let mut ignored: Vec<String> = issues.iter().map(|issue| issue.key.clone().unwrap_or_default()).collect();
    ignored.sort();
    assert_eq!(
        ignored,
        ["agents", "plugins", "skills.allowBundled", "skills.entries", "skills.limits", "skills.load"]
    );
    let told = engine.doctor(None).unwrap();
    let warnings =
        told.iter().filter(|finding| finding.check == "config" && finding.severity == Severity::Warning);
    assert_eq!(warnings.count(), 6, "{told:#?}");
}

#[test]
fn links_may_leave_a_root_only_to_allowed_targets() {
    let tree = Tree::new();
    write_skill(&tree, "shared/linked", "linked");
    tree.lay("ws/skills/linked", &json!({"symlink": "$ROOT/shared/linked"}));
    assert_eq!(names(&inventory(&tree)), [""; 0]);
    configure(&tree, "{skills: {load: {allowSymlinkTargets: ['$ROOT/shared']}}}");
    assert_eq!(names(&inventory(&tree)), ["linked"]);
}

#[test]
fn problems_in_the_config_are_named_with_their_line_and_the_rest_counts() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    configure(
        &tree,
        "{\n  skills: {\n    allowBundeld: [],\n    load: {watch: 'maybe'},\n    modes: {one: 'manual'},\n  },\n}\n",
    );
    let engine = engine(&tree);
    let issues: Vec<String> = engine.issues().iter().map(ToString::to_string).collect();
    let file = tree.path("home/.prowess/prowess.json");
    let at = |rest: &str| format!("{}:{rest}", file.display());
    assert_eq!(
        issues,
        [
            at("3:5: unknown key `skills.allowBundeld` (did you mean `skills.allowBundled`?)"),
            at("4:12: `skills.load.watch` must be true or false, not a string (this value is not used)"),
        ]
    );
    assert!(!engine.issues().iter().any(prowess_config::ConfigIssue::is_fatal));
    assert_eq!(status_of(&engine.inventory(None).unwrap(), "one")["mode"], json!("manual"));
}
