//! Recorded answers of OpenClaw 2026.9.6. Differences that we want are listed in `docs/compatibility.md`.

#![cfg(target_os = "linux")]

use std::path::Path;

use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_inventory::{Inventory, PromptRequest};
use prowess_testkit::{Case, Tree};
use prowess_types::ProfileName;
use serde_json::{Value, json};

/// Part of the answer, and why ours differs on purpose.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    ("pl-default", "skills", "the plugins that OpenClaw ships are not ours to ship"),
    ("pl-default", "prompt", "the plugins that OpenClaw ships are not ours to ship"),
    ("pl-default", "commands", "the plugins that OpenClaw ships are not ours to ship"),
    ("pl-default", "snapshot", "the plugins that OpenClaw ships are not ours to ship"),
];

fn inventory(case: &Case, tree: &Tree) -> Inventory {
    let path = |relative: &str| tree.path(relative).display().to_string();
    let mut vars = vec![
        ("HOME".to_owned(), path("home")),
        ("PATH".to_owned(), path("bin")),
        ("OPENCLAW_BUNDLED_SKILLS_DIR".to_owned(), path("bundled")),
    ];
    for (name, value) in case.value["env"].as_object().into_iter().flatten() {
        vars.push((name.clone(), tree.expand(value.as_str().expect("a value"))));
    }
    let workspace = case.value["request"]["workspace"].as_str().unwrap_or("$ROOT/ws");
    let engine = Engine::open(EngineOptions {
        profile: ProfileName::Openclaw,
        env: Env::new(vars, tree.path("ws")),
        overrides: Overrides { workspace: Some(tree.expand(workspace).into()), ..Overrides::default() },
        ..EngineOptions::default()
    })
    .expect("the engine opens");
    engine.inventory(None).expect("an inventory")
}

/// Keeps of `actual` only the keys that `expected` has, so that our additions do not count.
fn project(actual: &Value, expected: &Value) -> Value {
    match (actual, expected) {
        (Value::Object(actual), Value::Object(expected)) => expected
            .iter()
            .filter_map(|(key, inner)| Some((key.clone(), project(actual.get(key)?, inner))))
            .collect(),
        (Value::Array(actual), Value::Array(expected)) => actual
            .iter()
            .enumerate()
            .map(|(index, item)| project(item, expected.get(index).unwrap_or(&Value::Null)))
            .collect(),
        (actual, _) => actual.clone(),
    }
}

/// Fields that OpenClaw leaves out when they are empty must be absent in ours too.
fn absent_fields(actual: &Value, expected: &Value) -> Vec<String> {
    const OPTIONAL: [&str; 5] = ["primaryEnv", "emoji", "homepage", "clawhub", "skillCard"];
    OPTIONAL
        .iter()
        .filter(|key| actual.get(**key).is_some() && expected.get(**key).is_none())
        .map(|key| (*key).to_owned())
        .collect()
}

fn block(prompt: &str) -> &str {
    match (prompt.find("<available_skills>"), prompt.rfind("</available_skills>")) {
        (Some(start), Some(end)) => &prompt[start..end + "</available_skills>".len()],
        _ => "",
    }
}

/// Makes the links that OpenClaw makes to skills of plugins; here they are read, and never made.
fn link_plugins(case: &Case, tree: &Tree) {
    let published: &[(&str, &str)] = match case.id.as_str() {
        "pl-local" => &[("p1", "plug/sk/p1"), ("shared", "plug/sk/shared")],
        _ => &[],
    };
    for (name, target) in published {
        let links = tree.path("home/.openclaw/plugin-skills");
        std::fs::create_dir_all(&links).expect("a folder");
        std::os::unix::fs::symlink(tree.path(target), links.join(name)).expect("a link");
    }
}

fn check(case: &Case) -> Vec<String> {
    let tree = case.lay_out_openclaw();
    link_plugins(case, &tree);
    let expected = case.expected(&tree);
    let inventory = inventory(case, &tree);
    let mut problems = Vec::new();
    let mut compare = |part: &str, actual: Value, expected: Value| {
        let is_wanted = DIFFERENCES.iter().any(|(id, what, _)| *id == case.id && *what == part);
        if actual != expected && !is_wanted {
            problems.push(format!("{} {part}\n  expected {expected:#}\n  actual   {actual:#}", case.id));
        }
    };
    let status = serde_json::to_value(inventory.status()).expect("JSON");
    for key in ["workspaceDir", "managedSkillsDir", "agentSkillFilter"] {
        compare(key, status[key].clone(), expected[key].clone());
    }
    compare("skills", project(&status["skills"], &expected["skills"]), expected["skills"].clone());
    let extra: Vec<Vec<String>> = status["skills"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(expected["skills"].as_array().into_iter().flatten())
        .map(|(actual, expected)| absent_fields(actual, expected))
        .filter(|fields| !fields.is_empty())
        .collect();
    compare("optional fields", json!(extra), json!([]));

    if expected["commands"].is_array() {
        let commands = serde_json::to_value(inventory.commands()).expect("JSON");
        compare("commands", commands, expected["commands"].clone());
    }
    let request = PromptRequest::default();
    let snapshot = inventory.snapshot(&request, 1);
    let summary: Value = serde_json::to_value(&*snapshot.skills).expect("JSON");
    compare(
        "snapshot",
        project(&summary, &expected["snapshot"]["skills"]),
        expected["snapshot"]["skills"].clone(),
    );
    let resolved: Vec<&str> = snapshot.resolved.iter().map(|skill| skill.name.as_str()).collect();
    // Near a size limit the number of entries depends on the length of the prose, which is ours.
    let near_limit = case.id.starts_with("pr-chars") || case.id == "pr-agent-limit";
    if near_limit {
        let wanted = expected["snapshot"]["resolved"].as_array().map_or(0, Vec::len);
        assert!(resolved.len().abs_diff(wanted) <= 2, "{}: {} of {wanted}", case.id, resolved.len());
        let shape = |text: &str| text.contains("<description>");
        assert_eq!(
            shape(&snapshot.prompt),
            shape(expected["promptBlock"].as_str().unwrap_or_default()),
            "{}",
            case.id
        );
    } else {
        compare("snapshot", json!(resolved), expected["snapshot"]["resolved"].clone());
        compare("prompt", json!(block(&snapshot.prompt)), expected["promptBlock"].clone());
    }
    if let Some(tokens) = case.value["request"]["contextTokens"].as_u64() {
        let context_tokens = usize::try_from(tokens).ok();
        let prompt = inventory.prompt(&PromptRequest { context_tokens, ..request });
        compare("context", json!(block(&prompt.text)), expected["promptForContextBlock"].clone());
    }
    problems
}

#[test]
fn openclaw_gives_the_same_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/openclaw-cases");
    let cases = Case::all(&folder);
    assert!(cases.len() >= 62, "only {} cases", cases.len());
    let problems: Vec<String> = cases.iter().flat_map(check).collect();
    assert!(problems.is_empty(), "{} differences\n{}", problems.len(), problems.join("\n"));
}
