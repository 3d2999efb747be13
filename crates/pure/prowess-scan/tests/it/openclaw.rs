//! OpenClaw's rules against recorded answers.

use prowess_scan::openclaw::{scan_folder, scan_source, scan_text};
use serde_json::Value;

fn case(text: &str) -> Value {
    serde_json::from_str(text).expect("the fixture is JSON")
}

#[test]
fn the_text_rules_answer_as_recorded() {
    let case = case(include_str!("../fixtures/sc-text.json"));
    for (name, text) in case["request"]["scanText"].as_object().expect("texts") {
        let found = serde_json::to_value(scan_text(text.as_str().expect("text"), name)).expect("JSON");
        assert_eq!(found, case["expected"]["scanText"][name], "{name}");
    }
}

#[test]
fn the_folder_scan_answers_as_recorded() {
    let case = case(include_str!("../fixtures/sc-many.json"));
    let files: Vec<(String, String)> = case["files"]
        .as_object()
        .expect("files")
        .iter()
        .map(|(path, content)| {
            let text = match content["repeat"].as_array() {
                Some(repeat) => repeat[0]
                    .as_str()
                    .expect("text")
                    .repeat(usize::try_from(repeat[1].as_u64().expect("times")).expect("fits")),
                None => content.as_str().expect("text").to_owned(),
            };
            (path.trim_start_matches("ws/s/").to_owned(), text)
        })
        .collect();
    let borrowed: Vec<(&str, &[u8])> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let found = serde_json::to_string(&scan_folder(&borrowed)).expect("JSON");
    let expected = case["expected"]["scan"]["$ROOT/ws/s"].to_string().replace("$ROOT/ws/s/", "");
    assert_eq!(case_of(&found), case_of(&expected));
}

fn case_of(text: &str) -> Value {
    case(text)
}

#[test]
fn renamed_imports_and_computed_members_are_followed() {
    let found = |source: &str| {
        scan_source(source, "a.js").iter().map(|finding| finding.rule_id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        found("import { spawn as launch } from \"child_process\";\nlaunch(\"x\");\n"),
        ["dangerous-exec"]
    );
    assert_eq!(found("const cp = require('child_process');\ncp[\"exec\"](\"x\");\n"), ["dangerous-exec"]);
    assert_eq!(found("// child_process\nconst m = /a/.exec(text);\n"), [""; 0]);
    assert_eq!(found("new WebSocket(\"wss://x.example.org:44876\")"), ["suspicious-network"]);
    assert_eq!(found("new WebSocket(\"wss://x.example.org:443\")"), [""; 0]);
    assert_eq!(found("/* process.env */\nfetch(\"x\");\n"), [""; 0]);
    assert_eq!(found(&format!("process.env.A;{}fetch(\"x\");\n", "\n".repeat(20))), [""; 0]);
    assert_eq!(found("process.env.A;\nfetch(\"x\");\n"), ["env-harvesting"]);
}
