//! What clients are told without asking.

use std::time::Duration;

use serde_json::json;

use crate::client::{Client, Device, LOCAL_PAGE};
use crate::support::{GatewayHome as _, Home, TOKEN, skill};

#[tokio::test(flavor = "multi_thread")]
async fn health_comes_after_the_greeting_and_events_are_numbered() {
    let gateway = Home::new().start().await;
    let mut client = Client::program(&gateway).await;
    let health = client.event("health").await;
    assert_eq!((&health["seq"], &health["payload"]["ok"]), (&json!(1), &json!(true)));
    assert_eq!(health["payload"]["defaultAgentId"], "main");
    assert!(health["stateVersion"]["health"].is_u64() && health["stateVersion"]["presence"].is_u64());
    let presence = client.event("presence").await;
    assert_eq!(presence["seq"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_and_goes_is_told() {
    let gateway = Home::new().start().await;
    let mut client = Client::program(&gateway).await;
    let (other, _) = Client::browser(&gateway, &Device::new(1)).await;
    let listed = async |client: &mut Client| {
        let event = client.event("presence").await;
        let list = event["payload"]["presence"].as_array().unwrap().clone();
        assert_eq!(list[0]["mode"], "gateway");
        (
            list.iter().filter(|entry| entry["mode"] == "webchat").count(),
            event["stateVersion"]["presence"].as_u64(),
        )
    };
    let (mut pages, mut version) = listed(&mut client).await;
    while pages == 0 {
        (pages, version) = listed(&mut client).await;
    }
    drop(other);
    loop {
        let (pages, later) = listed(&mut client).await;
        assert!(later > version, "the version rises");
        if pages == 0 {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_skills_are_told_to_those_who_may_read() {
    let home = Home::new();
    home.add(&skill("tidy", "Tidies up a folder"));
    let gateway = home.start().await;
    let mut client = Client::program(&gateway).await;
    let mut blind = Client::open(&gateway, LOCAL_PAGE).await;
    let page = json!({ "client": { "id": "webchat-ui", "mode": "webchat" }, "auth": { "token": TOKEN } });
    assert_eq!(blind.connect(page).await["ok"], true);
    client.get("skills.status", json!({})).await;
    home.add(&skill("sweep", "Sweeps a floor"));
    let event = client.event("skills.changed").await;
    assert_eq!(event["payload"]["diff"]["added"], json!(["sweep"]));
    assert_eq!(event["payload"]["agentId"], "main");
    // Whatever the other one was told by now, it is nothing of this.
    blind.send_text(json!({ "type": "req", "id": "last", "method": "health" }).to_string()).await;
    let frame = blind.frame().await.unwrap();
    assert_eq!((&frame["id"], &frame["ok"]), (&json!("last"), &json!(false)), "no event came before");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_config_that_is_changed_on_disk_is_told_and_used_though_nobody_asked_for_skills() {
    let home = Home::new();
    let gateway = home.start().await;
    let mut client = Client::program(&gateway).await;
    // The first look may come after the first edit, which is then nothing new.
    for round in 1.. {
        let model = format!("test/model-{round}");
        home.write(".prowess/prowess.json", format!("{{agents: {{defaults: {{model: '{model}'}}}}}}"));
        let event = tokio::time::timeout(Duration::from_secs(5), client.event("config.changed")).await;
        let Ok(event) = event else {
            assert!(round < 12, "no edit was noticed");
            continue;
        };
        let config = client.get("config.get", json!({})).await;
        assert_eq!(event["payload"]["hash"], config["hash"]);
        assert_eq!(config["config"]["agents"]["defaults"]["model"], model);
        return;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_that_come_and_skills_that_are_broken_are_told_too() {
    let home = Home::new();
    let needs = "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"boing\"]}}}\n";
    home.write("ws/skills/bounce/SKILL.md", format!("---\nname: bounce\ndescription: Bounces\n{needs}---\n"));
    let gateway = home.start().await;
    let mut client = Client::program(&gateway).await;
    let first = async |client: &mut Client| client.get("skills.status", json!({})).await;
    assert_eq!(first(&mut client).await["skills"][0]["eligible"], false);

    home.program("boing");
    while first(&mut client).await["skills"][0]["eligible"] == false {
        client.event("skills.changed").await;
    }
    home.write("ws/skills/broken/SKILL.md", "no frontmatter at all");
    while first(&mut client).await["notLoaded"].as_array().unwrap().is_empty() {
        client.event("skills.changed").await;
    }
}
