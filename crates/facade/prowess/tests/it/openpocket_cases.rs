//! Recorded answers of OpenPocket 0.2.3, for the loader and the validator. Its commands are tested with the CLI.

use std::path::Path;

use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_inventory::Inventory;
use prowess_skill::validate_openpocket;
use prowess_testkit::{Case, Tree};
use prowess_types::ProfileName;
use serde_json::{Value, json};

fn inventory(case: &Case, tree: &Tree) -> Inventory {
    let path = |relative: &str| tree.path(relative).display().to_string();
    let mut vars = vec![
        ("HOME".to_owned(), path("os-home")),
        ("OPENPOCKET_HOME".to_owned(), path("home")),
        ("PATH".to_owned(), "/usr/bin:/bin".to_owned()),
    ];
    for (name, value) in case.value["env"].as_object().into_iter().flatten() {
        vars.push((name.clone(), value.as_str().unwrap_or_default().to_owned()));
    }
    let engine = Engine::open(EngineOptions {
        profile: ProfileName::Openpocket,
        env: Env::new(vars, tree.root()),
        overrides: Overrides { bundled: Some(tree.path("bundled/skills")), ..Overrides::default() },
        ..EngineOptions::default()
    })
    .expect("the engine opens");
    engine.inventory(None).expect("an inventory")
}

fn load(case: &Case) -> Option<String> {
    let tree = case.lay_out_openpocket();
    let inventory = inventory(case, &tree);
    let place = |text: &str| {
        text.replace("{BUNDLED}", &tree.path("bundled/skills").display().to_string())
            .replace("{LOCAL}", &tree.path("home/skills").display().to_string())
            .replace("{WORKSPACE}", &tree.path("home/workspace/skills").display().to_string())
    };
    let actual: Vec<Value> = inventory
        .entries
        .iter()
        .map(|entry| {
            json!({
                "id": entry.skill.id,
                "name": entry.skill.name,
                "description": entry.skill.description,
                "source": entry.origin.source,
                "path": entry.origin.file,
            })
        })
        .collect();
    let expected: Value =
        serde_json::from_str(&place(&case.value["expected"]["skills"].to_string())).expect("JSON");
    let chars: Value = inventory
        .entries
        .iter()
        .map(|entry| (entry.skill.id.clone(), json!(entry.skill.body_chars)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let metadata: Value = inventory
        .entries
        .iter()
        .map(|entry| {
            (entry.skill.id.clone(), entry.skill.frontmatter.get("metadata").cloned().unwrap_or_default())
        })
        .collect::<serde_json::Map<_, _>>()
        .into();
    let actual = json!({ "skills": actual, "contentChars": chars, "metadata": metadata });
    let mut wanted = case.value["expected"].clone();
    wanted["skills"] = expected;
    (actual != wanted).then(|| format!("{}\n  expected {wanted:#}\n  actual   {actual:#}", case.id))
}

fn validate(case: &Case) -> Option<String> {
    let path = Path::new(case.value["filePath"].as_str().expect("a path"));
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let content = case.value["content"].as_str().expect("a text");
    let strict = case.value["strict"].as_bool().unwrap_or_default();
    let issues = validate_openpocket(content.as_bytes(), &name(path.parent()), &name(Some(path)), strict);
    let actual = json!({ "ok": issues.is_empty(), "issues": issues });
    let expected = &case.value["expected"];
    (actual != *expected).then(|| format!("{}\n  expected {expected:#}\n  actual   {actual:#}", case.id))
}

#[test]
fn openpocket_gives_the_same_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/openpocket-cases");
    let cases = Case::all(&folder);
    assert!(cases.len() >= 30, "only {} cases", cases.len());
    let problems: Vec<String> = cases
        .iter()
        .filter_map(|case| match case.value["op"].as_str() {
            Some("load") => load(case),
            Some("validate") => validate(case),
            _ => None,
        })
        .collect();
    assert!(problems.is_empty(), "{} differences\n{}", problems.len(), problems.join("\n"));
}
