//! Agents and what each may use.

use serde_json::{Value, json};

use crate::support_openclaw::OpenclawHome;

fn message(answer: &(u16, Value)) -> &str {
    answer.1["error"]["message"].as_str().unwrap_or_else(|| panic!("no error in {answer:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_comes_changes_and_goes() {
    let home = OpenclawHome::recorded();
    let gateway = home.start().await;
    let create = json!({ "name": "Night Owl", "workspace": home.workspace().join("owl"), "emoji": "🦉" });
    let created = gateway.confirmed(&home.engine(), "agents.create", create.clone()).await;
    assert_eq!((&created["agentId"], &created["name"]), (&json!("night-owl"), &json!("Night Owl")));
    assert!(home.workspace().join("owl").is_dir());
    assert_eq!(message(&gateway.call("agents.create", create).await), "agent \"night-owl\" already exists");
    assert_eq!(
        message(&gateway.call("agents.create", json!({ "name": "Main" })).await),
        "\"main\" is reserved"
    );
    home_gets_a_field(&home);
    let update = json!({ "agentId": "night-owl", "name": "Owl", "model": "own/small" });
    let (status, updated) = gateway.call("agents.update", update).await;
    assert_eq!(status, 200, "{updated}");
    let (_, listed) = gateway.call("agents.list", json!({})).await;
    let owl = &listed["agents"][2];
    assert_eq!((&owl["name"], &owl["model"]["primary"]), (&json!("Owl"), &json!("own/small")), "{listed}");
    assert_eq!(owl["identity"]["emoji"], "🦉");
    assert_eq!(home.config()["agents"]["list"][2]["theirs"], json!([1, 2]), "unknown fields survive");
    let (_, deleted) = gateway.call("agents.delete", json!({ "agentId": "night-owl" })).await;
    assert_eq!(deleted["ok"], true, "{deleted}");
    assert!(home.workspace().join("owl").is_dir(), "files stay");
    assert_eq!(home.config()["agents"]["list"].as_array().unwrap().len(), 2);
    let gone = gateway.call("agents.delete", json!({ "agentId": "night-owl" })).await;
    assert_eq!(message(&gone), "agent \"night-owl\" not found");
    let main = gateway.call("agents.delete", json!({ "agentId": "main" })).await;
    assert_eq!(message(&main), "\"main\" cannot be deleted");
    let unknown = gateway.call("skills.status", json!({ "agentId": "nobody" })).await;
    assert_eq!(message(&unknown), "unknown agent id \"nobody\"");
}

/// Another program writes something about the new agent.
fn home_gets_a_field(home: &OpenclawHome) {
    let text = home.config_text();
    let changed = text.replacen("\"night-owl\"", "\"night-owl\", theirs: [1, 2]", 1);
    assert_ne!(text, changed, "{text}");
    home.write(".openclaw/openclaw.json", &changed);
}

#[tokio::test(flavor = "multi_thread")]
async fn instruction_files_are_read_and_written_inside_the_workspace() {
    let home = OpenclawHome::recorded();
    let gateway = home.start().await;
    let set = json!({ "agentId": "main", "name": "SOUL.md", "content": "Be kind.\n" });
    let (status, written) = gateway.call("agents.files.set", set).await;
    assert_eq!((status, &written["file"]["missing"]), (200, &json!(false)), "{written}");
    let (_, got) = gateway.call("agents.files.get", json!({ "agentId": "main", "name": "SOUL.md" })).await;
    assert_eq!(got["file"]["content"], "Be kind.\n");
    let (_, listed) = gateway.call("agents.files.list", json!({ "agentId": "main" })).await;
    let names: Vec<&str> =
        listed["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert!(
        ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "HEARTBEAT.md", "MEMORY.md"]
            .iter()
            .all(|name| names.contains(name))
    );
    for name in ["../openclaw.json", "skills/lab-ready/SKILL.md", "soul.md", ""] {
        let answer = gateway.call("agents.files.get", json!({ "agentId": "main", "name": name })).await;
        assert_eq!(message(&answer), format!("unsupported file \"{name}\""));
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_link_out_of_the_workspace_is_not_followed() {
    let home = OpenclawHome::recorded();
    let gateway = home.start().await;
    std::os::unix::fs::symlink(home.config_file(), home.workspace().join("USER.md")).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", home.workspace().join("TOOLS.md")).unwrap();
    let before = home.config_text();
    for name in ["USER.md", "TOOLS.md"] {
        let params = json!({ "agentId": "main", "name": name });
        let answer = gateway.call("agents.files.get", params).await;
        assert!(message(&answer).contains("is outside"), "{answer:?}");
        let params = json!({ "agentId": "main", "name": name, "content": "x" });
        let answer = gateway.call("agents.files.set", params).await;
        assert!(message(&answer).contains("is outside"), "{answer:?}");
    }
    assert_eq!(home.config_text(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allowlist_is_written_for_one_agent_only() {
    let home = OpenclawHome::recorded();
    let gateway = home.start().await;
    let helper = r#"{ id: "helper", name: "Helper" }"#;
    let off = json!({ "agentId": "main", "name": "lab-ready", "allowed": false });
    let (status, answer) = gateway.call("skills.allow", off).await;
    assert_eq!((status, &answer["mode"]), (200, &json!("selected")), "{answer}");
    assert_eq!(answer["skills"], json!(["lab-bin", "lab-config", "lab-key"]));
    assert!(home.config_text().contains(helper), "{}", home.config_text());
    assert_eq!(home.config().get("skills"), None);
    let (_, status) = gateway.call("skills.status", json!({ "agentId": "main" })).await;
    let ready =
        status["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "lab-ready").unwrap();
    assert_eq!(ready["blockedByAgentFilter"], true);
    let on = json!({ "agentId": "main", "name": "lab-ready", "allowed": true });
    gateway.call("skills.allow", on).await;
    assert_eq!(
        home.config()["agents"]["list"][0]["skills"],
        json!(["lab-bin", "lab-config", "lab-key", "lab-ready"])
    );
    gateway.call("skills.allow", json!({ "agentId": "main", "mode": "none" })).await;
    assert_eq!(home.config()["agents"]["list"][0]["skills"], json!([]));
    let (_, answer) = gateway.call("skills.allow", json!({ "agentId": "main", "mode": "all" })).await;
    assert_eq!(answer["mode"], "all");
    assert_eq!(home.config()["agents"]["list"][0].get("skills"), None);
    assert!(home.config_text().contains(helper) && home.config_text().contains("// by hand"));
    for params in [
        json!({ "agentId": "main" }),
        json!({ "agentId": "main", "mode": "selected" }),
        json!({ "agentId": "main", "name": "x" }),
        json!({ "agentId": "main", "mode": "all", "name": "x", "allowed": true }),
    ] {
        assert!(
            message(&gateway.call("skills.allow", params).await).starts_with("invalid skills.allow params")
        );
    }
}
