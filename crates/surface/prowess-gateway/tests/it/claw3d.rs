//! The recorded exchange of the real Claw3D client, replayed: what it sends is accepted, what it reads is there.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support_openclaw::OpenclawHome;

const RECORDED: &str = include_str!("fixtures/claw3d-calls.jsonl");

/// What the client reads of each answer: where, and the type. A `*` stands for every element.
const READ: [(&str, &[(&str, &str)]); 6] = [
    (
        "config.get",
        &[
            ("/hash", "string"),
            ("/exists", "boolean"),
            ("/path", "string"),
            ("/config", "object"),
            ("/config/agents/list", "array"),
            ("/config/gateway", "object"),
            ("/valid", "boolean"),
            ("/issues", "array"),
            ("/warnings", "array"),
            ("/legacyIssues", "array"),
            ("/raw", "null"),
        ],
    ),
    ("config.set", &[("/ok", "boolean"), ("/path", "string"), ("/config", "object")]),
    (
        "agents.list",
        &[
            ("/defaultId", "string"),
            ("/mainKey", "string"),
            ("/scope", "string"),
            ("/agents/*/id", "string"),
            ("/agents/*/name", "string"),
            ("/agents/*/workspace", "string"),
        ],
    ),
    (
        "agents.files.get",
        &[
            ("/agentId", "string"),
            ("/workspace", "string"),
            ("/file/name", "string"),
            ("/file/path", "string"),
            ("/file/missing", "boolean"),
        ],
    ),
    (
        "exec.approvals.get",
        &[
            ("/path", "string"),
            ("/exists", "boolean"),
            ("/hash", "string"),
            ("/file/agents", "object"),
            ("/file/defaults", "object"),
        ],
    ),
    (
        "skills.status",
        &[
            ("/workspaceDir", "string"),
            ("/managedSkillsDir", "string"),
            ("/skills/*/name", "string"),
            ("/skills/*/description", "string"),
            ("/skills/*/source", "string"),
            ("/skills/*/bundled", "boolean"),
            ("/skills/*/filePath", "string"),
            ("/skills/*/baseDir", "string"),
            ("/skills/*/skillKey", "string"),
            ("/skills/*/always", "boolean"),
            ("/skills/*/disabled", "boolean"),
            ("/skills/*/blockedByAllowlist", "boolean"),
            ("/skills/*/blockedByAgentFilter", "boolean"),
            ("/skills/*/eligible", "boolean"),
            ("/skills/*/modelVisible", "boolean"),
            ("/skills/*/userInvocable", "boolean"),
            ("/skills/*/commandVisible", "boolean"),
            ("/skills/*/requirements/bins", "array"),
            ("/skills/*/requirements/anyBins", "array"),
            ("/skills/*/requirements/env", "array"),
            ("/skills/*/requirements/config", "array"),
            ("/skills/*/requirements/os", "array"),
            ("/skills/*/missing/bins", "array"),
            ("/skills/*/missing/anyBins", "array"),
            ("/skills/*/missing/env", "array"),
            ("/skills/*/missing/config", "array"),
            ("/skills/*/missing/os", "array"),
            ("/skills/*/configChecks", "array"),
            ("/skills/*/install", "array"),
        ],
    ),
];

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The values at a pointer with `*`.
fn at<'a>(value: &'a Value, pointer: &str) -> Vec<&'a Value> {
    match pointer.split_once("/*") {
        None => vec![value.pointer(pointer).unwrap_or_else(|| panic!("no {pointer} in {value}"))],
        Some((list, rest)) => {
            let list = value.pointer(list).and_then(Value::as_array).expect(pointer);
            assert!(!list.is_empty(), "{pointer} is empty");
            list.iter().flat_map(|element| at(element, rest)).collect()
        }
    }
}

fn frames() -> impl Iterator<Item = Value> {
    RECORDED.lines().map(|line| serde_json::from_str(line).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recorded_client_gets_what_it_reads() {
    let answers: BTreeMap<String, Value> = frames()
        .filter(|frame| frame["type"] == "res")
        .map(|frame| (frame["id"].as_str().unwrap().to_owned(), frame))
        .collect();
    let home = OpenclawHome::recorded();
    let before = home.config_text();
    let gateway = home.start().await;
    // The hashes of the recording, and what they are here.
    let mut hashes: BTreeMap<String, String> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for request in frames().filter(|frame| frame["type"] == "req") {
        let method = request["method"].as_str().unwrap();
        let mut params = request["params"].clone();
        if let Some(hash) = params.get("baseHash").and_then(Value::as_str)
            && let Some(ours) = hashes.get(hash)
        {
            params["baseHash"] = json!(ours);
        }
        let (status, answer) = gateway.call(method, params).await;
        if status == 404 && method == "sessions.list" {
            continue;
        }
        *counts.entry(method.to_owned()).or_default() += 1;
        // The recording ends before some last answers.
        let Some(recorded) = answers.get(request["id"].as_str().unwrap()) else { continue };
        if recorded["ok"] == false {
            assert_eq!(status, 400, "{method}: {answer}");
            assert_eq!(answer["error"]["code"], recorded["error"]["code"]);
            assert_eq!(answer["error"]["message"], recorded["error"]["message"]);
            continue;
        }
        assert_eq!(status, 200, "{method}: {answer}");
        if let (Some(theirs), Some(ours)) = (recorded["payload"]["hash"].as_str(), answer["hash"].as_str()) {
            hashes.insert(theirs.to_owned(), ours.to_owned());
        }
        let wanted = READ.iter().find(|(name, _)| *name == method).map_or(&[][..], |(_, wanted)| wanted);
        for (pointer, expected) in wanted {
            for found in at(&answer, pointer) {
                assert_eq!(kind(found), *expected, "{method} {pointer}: {found}");
            }
        }
        if method == "agents.list" {
            for pointer in ["/defaultId", "/mainKey", "/scope", "/agents/1/id", "/agents/1/name"] {
                assert_eq!(answer.pointer(pointer), recorded["payload"].pointer(pointer), "{pointer}");
            }
        }
        assert!(!answer.to_string().contains(OpenclawHome::TOKEN), "{method} told the token");
    }
    assert_eq!((counts["config.set"], counts["agents.files.get"], counts["skills.status"]), (6, 39, 4));

    // The last write of the recording switched a skill on again; the token and the other agent are as they were.
    let after = home.config();
    assert_eq!(after["gateway"]["auth"]["token"], OpenclawHome::TOKEN);
    assert_eq!(after["gateway"]["reload"]["mode"], "hot");
    assert_eq!(after["agents"]["list"][1], json!({ "id": "helper", "name": "Helper" }));
    assert!(after["agents"]["list"][0]["skills"].as_array().unwrap().contains(&json!("lab-ready")));
    assert!(home.config_text().contains("// by hand") && before.contains("// by hand"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_small_questions_are_answered() {
    let gateway = OpenclawHome::recorded().start().await;
    for (method, params, pointer, expected) in [
        ("models.list", json!({}), "/models", "array"),
        ("status", json!({}), "/heartbeat/agents", "array"),
        ("status", json!({}), "/sessions/byAgent", "array"),
        ("tasks.list", json!({}), "/tasks", "array"),
        ("usage.cost", json!({ "days": 7 }), "/totals", "object"),
        ("sessions.usage", json!({ "limit": 5 }), "/sessions", "array"),
        ("exec.approval.list", json!({}), "/approvals", "array"),
        ("last-heartbeat", json!({}), "", "null"),
    ] {
        let (status, answer) = gateway.call(method, params).await;
        assert_eq!(status, 200, "{method}: {answer}");
        assert_eq!(kind(answer.pointer(pointer).expect(method)), expected, "{method}: {answer}");
    }
    for (method, params, code) in [
        ("wake", json!({ "mode": "now", "text": "x" }), "UNAVAILABLE"),
        ("exec.approval.resolve", json!({ "id": "x", "decision": "deny" }), "INVALID_REQUEST"),
        ("usage.cost", json!({ "startDate": "soon" }), "INVALID_REQUEST"),
        ("agents.files.get", json!({ "agentId": "nobody", "name": "SOUL.md" }), "INVALID_REQUEST"),
    ] {
        let (_, answer) = gateway.call(method, params).await;
        assert_eq!(answer["error"]["code"], code, "{method}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn approvals_are_kept_and_a_stale_hash_is_told() {
    let home = OpenclawHome::recorded();
    let gateway = home.start().await;
    let file = json!({ "version": 1, "defaults": {}, "agents": { "main": { "security": "allowlist" } } });
    let (status, first) = gateway.call("exec.approvals.set", json!({ "file": file })).await;
    assert_eq!(status, 200, "{first}");
    assert_eq!(first["file"]["agents"]["main"]["security"], "allowlist");
    let (_, answer) = gateway.call("exec.approvals.set", json!({ "file": file })).await;
    assert_eq!(
        answer["error"]["message"],
        "exec approvals base hash required; re-run exec.approvals.get and retry"
    );
    let (_, answer) = gateway.call("exec.approvals.set", json!({ "file": file, "baseHash": "0" })).await;
    assert_eq!(
        answer["error"]["message"],
        "exec approvals changed since last load; re-run exec.approvals.get and retry"
    );
}
