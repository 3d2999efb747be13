//! The config file over RPC: hashes, masks, patches, and many writers at once.

use serde_json::{Value, json};

use crate::support::{GatewayHome as _, Home, Running};
use crate::support_openclaw::OpenclawHome;

const MASK: &str = "__OPENCLAW_REDACTED__";

async fn hash(gateway: &Running) -> Value {
    gateway.call("config.get", json!({})).await.1["hash"].clone()
}

fn message(answer: &(u16, Value)) -> &str {
    answer.1["error"]["message"].as_str().unwrap_or_else(|| panic!("no error in {answer:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_write_needs_no_hash_and_every_other_does() {
    let home = Home::new();
    let gateway = home.start().await;
    let (_, first) = gateway.call("config.get", json!({})).await;
    assert_eq!(
        (&first["exists"], &first["config"], &first["valid"]),
        (&json!(false), &json!({}), &json!(true))
    );
    let raw = "{ // mine\n gateway: { reload: { mode: 'hot' } } }";
    let (status, written) = gateway.call("config.set", json!({ "raw": raw })).await;
    assert_eq!((status, &written["config"]["gateway"]["reload"]["mode"]), (200, &json!("hot")), "{written}");
    assert_eq!(written["hash"], hash(&gateway).await);
    let answer = gateway.call("config.set", json!({ "raw": raw })).await;
    assert_eq!((answer.0, message(&answer)), (400, "config base hash required; re-run config.get and retry"));
    let answer = gateway.call("config.set", json!({ "raw": raw, "baseHash": "00" })).await;
    assert_eq!(message(&answer), "config changed since last load; re-run config.get and retry");
    let answer = gateway.call("config.patch", json!({ "raw": "{a: {b: 1}, ui: {prefs: {x: 1}}}" })).await;
    assert_eq!(
        message(&answer),
        "config base hash required for a.b; re-run config.get and retry with baseHash"
    );
    let (status, answer) = gateway.call("config.patch", json!({ "raw": "{ui: {prefs: {x: 1}}}" })).await;
    assert_eq!(status, 200, "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_is_refused_with_its_place() {
    let home = OpenclawHome::recorded();
    let gateway = home.start().await;
    let before = home.config_text();
    let base = hash(&gateway).await;
    for (method, raw, expected) in [
        ("config.set", "{", "`raw` is not JSON5"),
        ("config.set", "[1]", "the config must be an object, not a list"),
        ("config.set", "{\n  skills: {load: {watch: 'yes'}}}", "`skills.load.watch` must be true or false"),
        (
            "config.set",
            "{channels: {a: {token: '__OPENCLAW_REDACTED__'}}}",
            "`channels.a.token` is the placeholder",
        ),
        ("config.patch", "{skills: {modes: {a: 'pinned'}}}", "OpenClaw does not know"),
        ("config.patch", "[]", "a patch must be an object"),
        ("config.patch", "{a: {constructor: 1}}", "`constructor` is not allowed"),
    ] {
        let answer = gateway.call(method, json!({ "raw": raw, "baseHash": base })).await;
        assert!(message(&answer).contains(expected), "{raw}: {answer:?}");
        assert_eq!(answer.1["error"]["code"], "INVALID_REQUEST");
    }
    let raw = "{skills: {load: {watch: 'yes'}}}";
    let (_, answer) = gateway.call("config.patch", json!({ "raw": raw, "baseHash": base })).await;
    let issue = &answer["error"]["details"]["issues"][0];
    assert_eq!(issue["path"], "skills.load.watch");
    assert!(issue["line"].is_number(), "{answer}");
    assert_eq!(home.config_text(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_stay_in_the_file_and_out_of_answers() {
    let home = OpenclawHome::recorded();
    let gateway = home.start().await;
    let update =
        json!({ "skillKey": "lab-key", "apiKey": " sk-live-1\n", "env": { "LAB_MODE": " x ", "GONE": " " } });
    let (status, updated) = gateway.call("skills.update", update).await;
    assert_eq!(status, 200, "{updated}");
    assert_eq!(updated["ok"], true);
    assert_eq!(updated["config"], json!({ "apiKey": MASK, "env": { "LAB_MODE": MASK } }));
    let (_, got) = gateway.call("config.get", json!({})).await;
    assert_eq!(got["config"]["skills"]["entries"]["lab-key"]["apiKey"], MASK);
    assert_eq!(got["runtimeConfig"]["gateway"]["auth"]["token"], MASK);
    // A whole round trip, with the entry under another name.
    let mut config = got["config"].clone();
    let entry = config["skills"]["entries"].as_object_mut().unwrap().remove("lab-key").unwrap();
    config["skills"]["entries"]["renamed"] = entry;
    let raw = serde_json::to_string_pretty(&config).unwrap();
    let (status, answer) = gateway.call("config.set", json!({ "raw": raw, "baseHash": got["hash"] })).await;
    assert_eq!(status, 200, "{answer}");
    let stored = home.config();
    assert_eq!(stored["skills"]["entries"]["renamed"]["apiKey"], "sk-live-1");
    assert_eq!(stored["skills"]["entries"]["renamed"]["env"], json!({ "LAB_MODE": "x" }));
    assert_eq!(stored["gateway"]["auth"]["token"], OpenclawHome::TOKEN);
    // A mask changes nothing, an empty key takes the key out.
    gateway.call("skills.update", json!({ "skillKey": "renamed", "apiKey": MASK })).await;
    assert_eq!(home.config()["skills"]["entries"]["renamed"]["apiKey"], "sk-live-1");
    gateway.call("skills.update", json!({ "skillKey": "renamed", "apiKey": "", "enabled": false })).await;
    assert_eq!(
        home.config()["skills"]["entries"]["renamed"],
        json!({ "env": { "LAB_MODE": "x" }, "enabled": false })
    );
    for method in ["config.get", "skills.status", "config.schema", "agents.list"] {
        let (_, answer) = gateway.call(method, json!({})).await;
        assert!(!answer.to_string().contains("sk-live-1"), "{method}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn writers_that_read_again_lose_nothing() {
    let home = Home::new();
    let gateway = std::sync::Arc::new(home.start().await);
    let writer = |name: &'static str| {
        let gateway = std::sync::Arc::clone(&gateway);
        async move {
            for round in 0..10 {
                let raw = json!({ name: { format!("k{round}"): round } }).to_string();
                loop {
                    let base = hash(&gateway).await;
                    let (status, answer) =
                        gateway.call("config.patch", json!({ "raw": raw, "baseHash": base })).await;
                    if status == 200 {
                        break;
                    }
                    let told = answer["error"]["message"].as_str().unwrap_or_default();
                    assert_eq!(told, "config changed since last load; re-run config.get and retry");
                }
            }
        }
    };
    let names = ["one", "two", "three"];
    let tasks: Vec<_> = names.into_iter().map(|name| tokio::spawn(writer(name))).collect();
    for task in tasks {
        task.await.unwrap();
    }
    let (_, got) = gateway.call("config.get", json!({})).await;
    for name in names {
        let keys = got["config"][name].as_object().unwrap();
        assert_eq!(keys.len(), 10, "{name}: {keys:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_names_keys_and_secrets() {
    let gateway = Home::new().start().await;
    let (_, answer) = gateway.call("config.schema", json!({})).await;
    assert_eq!(answer["schema"]["properties"]["skills"]["type"], "object");
    assert_eq!(answer["uiHints"]["skills.entries.*.apiKey"]["sensitive"], true);
}
