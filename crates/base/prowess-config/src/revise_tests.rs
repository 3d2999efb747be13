use prowess_types::ProfileName;
use serde_json::json;

use super::*;

const TEXT: &str = r#"{
  // who may come in
  gateway: { auth: { token: "secret" } },
  agents: {
    list: [
      { id: "main", default: true }, // the first
      { id: "helper", skills: ["a"], theirs: 1 },
    ],
  },
  names: ["x", "y"],
}
"#;

fn file(text: &str) -> Revised<'_> {
    Revised { text: Some(text), file: Path::new("c.json"), profile: ProfileName::Prowess }
}

fn patched(patch: &Value, replace: &[&str]) -> Result<String, ReviseError> {
    let replace: Vec<KeyPath> = replace.iter().map(|path| KeyPath::parse(path).unwrap()).collect();
    file(TEXT).patch(patch, &replace)
}

#[test]
fn a_round_trip_changes_no_byte() {
    let shown = file(TEXT).shown().unwrap();
    assert_eq!(shown["gateway"]["auth"]["token"], redact::MASK);
    assert_eq!(file(TEXT).replace(shown).unwrap(), TEXT);
}

#[test]
fn only_what_differs_is_written() {
    let mut config = file(TEXT).shown().unwrap();
    config["agents"]["list"][1]["skills"] = json!([]);
    config["gateway"]["reload"] = json!({ "mode": "hot" });
    let text = file(TEXT).replace(config).unwrap();
    assert!(text.contains(r#"{ id: "main", default: true }, // the first"#), "{text}");
    assert!(text.contains(r#"{ id: "helper", skills: [], theirs: 1 }"#), "{text}");
    assert!(text.contains("// who may come in") && text.contains(r#"token: "secret""#), "{text}");
    assert!(text.contains(r#"reload: { mode: "hot" }"#), "{text}");
}

#[test]
fn patches_join_lists_by_id_and_do_not_shrink_others() {
    let value = |text: String| prowess_json5::to_value(&text).unwrap();
    let patch = json!({ "agents": { "list": [{ "id": "helper", "skills": null }, { "id": "new" }] } });
    let config = value(patched(&patch, &[]).unwrap());
    assert_eq!(
        config["agents"]["list"],
        json!([{ "id": "main", "default": true }, { "id": "helper", "theirs": 1 }, { "id": "new" }])
    );
    let config =
        value(patched(&json!({ "agents": { "list": [{ "id": "main" }] } }), &["agents.list"]).unwrap());
    assert_eq!(config["agents"]["list"], json!([{ "id": "main" }]));
    assert_eq!(
        patched(&json!({ "names": ["x"] }), &[]).unwrap_err().to_string(),
        "`names` has 2 entries and would have 1; name it in `replacePaths` to replace the list as a whole"
    );
    let config = value(patched(&json!({ "names": ["x"], "gateway": null }), &["names"]).unwrap());
    assert_eq!((&config["names"], config.get("gateway")), (&json!(["x"]), None));
}

#[test]
fn a_config_that_is_worse_than_before_is_refused() {
    let error = patched(&json!({ "skills": { "load": { "watch": "yes" } } }), &[]).unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("invalid config: `skills.load.watch` must be true or false, not a string (line")
    );
    let broken = "{skills: {load: {watch: 'yes'}}}";
    let text = file(broken).patch(&json!({ "gateway": { "port": 1 } }), &[]).unwrap();
    assert!(text.contains("port"), "{text}");
    assert_eq!(
        file(TEXT).replace(json!([1])).unwrap_err().to_string(),
        "the config must be an object, not a list"
    );
    let machinery = serde_json::from_str(r#"{"a": {"__proto__": 1}}"#).unwrap();
    assert!(file(TEXT).replace(machinery).is_err());
    assert!(file("{").replace(json!({})).is_err());
}
