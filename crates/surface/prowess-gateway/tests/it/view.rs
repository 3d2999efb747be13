//! What the gateway shows is what it uses: one view for every method and for runs, and plans that are kept.

use std::sync::Arc;

use prowess::Live;
use prowess_context::Clock;
use prowess_fs::{ChangeReason, WatchBackend, WatchOptions};
use prowess_gateway::GatewayOptions;
use prowess_match::LiveOptions;
use prowess_testkit::SkillFile;
use prowess_testkit::chat::{ChatServer, Turn};
use prowess_testkit::web::{Answer, Web, WebRequest};
use prowess_types::Secret;
use serde_json::{Value, json};

use crate::learn_support::configure;
use crate::skills::zip;
use crate::support::{GatewayHome as _, Home, Running, TOKEN, serve_live, skill};

/// A gateway whose views only follow the disk when they are told to.
async fn start(home: &Home) -> (Running, Arc<Live>) {
    let clock = Clock::new(crate::client::now_ms);
    let watch = WatchOptions { backend: WatchBackend::Off, ..WatchOptions::default() };
    let options = LiveOptions { watch, ..LiveOptions::new(clock.clone()) };
    let live = Arc::new(home.engine().watch(options).unwrap());
    let options = GatewayOptions::new(clock, Secret::new(TOKEN));
    let running = serve_live(Arc::clone(&live), options, std::future::pending()).await;
    (running, live)
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_match_reads_no_file_of_a_skill() {
    let home = Home::new();
    home.add(&skill("weather", "Weather and rain for a place"));
    home.add(&skill("invoices", "Write and send invoices"));
    let (gateway, live) = start(&home).await;
    let ask = json!({ "message": "weather and rain for Bern" });
    let mut first = gateway.good("skills.match", ask.clone()).await;
    // Whoever opens one of these files now finds nothing.
    std::fs::remove_dir_all(home.workspace().join("skills")).unwrap();
    let mut second = gateway.good("skills.match", ask).await;
    for answer in [&mut first, &mut second] {
        answer.as_object_mut().unwrap().remove("tookMs");
    }
    assert_eq!(first["results"][0]["name"], "weather");
    assert_eq!(first, second);
    let prompt = gateway.good("skills.prompt", json!({ "message": "weather and rain for Bern" })).await;
    assert!(prompt["context"].as_str().unwrap().contains("weather"), "{prompt}");
    let counts = live.engine().work_counts();
    assert_eq!((counts.inventories, counts.selectors, counts.texts_read), (1, 1, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_edit_is_the_same_for_status_match_prompt_and_run() {
    let server = ChatServer::start(vec![Turn::say("Sunny.")]);
    let home = Home::new();
    configure(&home, &server, "");
    home.write(
        "ws/skills/weather/SKILL.md",
        SkillFile::new("weather")
            .description("Weather and rain for a place")
            .body("\nAsk the good oracle.\n")
            .text(),
    );
    let (gateway, live) = start(&home).await;
    let ask = json!({ "message": "weather and rain for a place" });
    gateway.good("skills.match", ask.clone()).await;
    home.write("ws/skills/weather/SKILL.md", "---\nname: weather\n---\n\nA broken edit.\n");
    live.refresh(ChangeReason::Manual);

    let status = gateway.good("skills.status", json!({})).await;
    assert_eq!(status["staleEdits"][0]["name"], "weather", "{status}");
    let shown = status["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "weather");
    assert_eq!(shown.unwrap()["eligible"], true);
    let found = gateway.good("skills.match", ask).await;
    assert!(names(&found["results"]).contains(&"weather"), "{found}");
    let prompt = gateway.good("skills.prompt", json!({})).await;
    assert!(prompt["text"].as_str().unwrap().contains("weather"));
    let ended = gateway.run("/weather Bern", "weather").await;
    assert_eq!(ended["report"]["skills"], json!(["weather"]), "{ended}");
    let asked = format!("{:?}", server.requests());
    assert!(asked.contains("Ask the good oracle.") && !asked.contains("A broken edit."), "{asked}");
}

/// A registry with one skill.
fn registry() -> Web {
    let skill = "---\nname: tides\ndescription: Tides of a harbour\n---\n\n# Tides\n";
    let archive = zip(&[("SKILL.md", skill)]);
    Web::start(move |request: &WebRequest| {
        let json = |value: Value| Answer::ok(value.to_string()).header("content-type", "application/json");
        match request.path.split('?').next().unwrap_or_default() {
            "/api/v1/skills/tides" => json(json!({
                "skill": { "slug": "tides", "displayName": "Tides", "tags": { "latest": "1.0.0" }, "stats": {},
                           "createdAt": 1, "updatedAt": 2 },
                "latestVersion": { "version": "1.0.0", "createdAt": 1, "changelog": "" },
                "owner": { "handle": "acme" },
            })),
            "/api/v1/skills/tides/versions/1.0.0" => json(json!({
                "version": { "version": "1.0.0", "createdAt": 1, "changelog": "" },
                "skill": { "slug": "tides", "displayName": "Tides" },
            })),
            "/api/v1/download" => Answer::ok(archive.clone()).header("content-type", "application/zip"),
            _ => Answer::status(404, "not found"),
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_install_carries_out_the_plan_that_was_shown_without_asking_the_registry_again() {
    let web = registry();
    let home = Home::new();
    let config = json!({ "skills": { "registry": web.url("") } }).to_string();
    home.config(&config);
    let (gateway, _live) = start(&home).await;
    let planned = gateway.good("skills.plan", json!({ "slug": "tides" })).await;
    let hash = planned["plan"]["hash"].as_str().unwrap().to_owned();
    let before = web.requests().len();
    assert!(before > 0);
    let order = json!({ "source": "clawhub", "slug": "tides", "expectedHash": hash });
    let done = gateway.good("skills.install", order.clone()).await;
    assert_eq!(done["ok"], true, "{done}");
    assert_eq!(web.requests().len(), before, "nothing was asked twice");
    let folder = done["skill"]["path"].as_str().unwrap();
    assert!(std::path::Path::new(folder).join("SKILL.md").is_file(), "{done}");

    // The plan was carried out: the next install plans anew, and finds the folder taken.
    let (_, again) = gateway.call("skills.install", order).await;
    assert_ne!(again["ok"], true, "{again}");
}
