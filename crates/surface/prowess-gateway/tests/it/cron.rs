//! Automations over HTTP.

use prowess_testkit::chat::{ChatServer, Turn};
use serde_json::json;

use crate::learn_support::{Stoppable, configure};
use crate::support::{GatewayHome as _, Home};

#[tokio::test(flavor = "multi_thread")]
async fn an_automation_outlives_its_gateway() {
    let server = ChatServer::answering(|_| Turn::say("The report is written."));
    let home = Home::new();
    configure(&home, &server, "");
    let first = Stoppable::start(&home).await;
    let job = json!({
        "name": "report", "schedule": { "kind": "every", "everyMs": 1_000 },
        "payload": { "kind": "agentTurn", "message": "write the report" }, "delivery": { "mode": "none" },
    });
    let id = first.running.good("cron.add", job).await["id"].clone();
    let has_run = |answer: &serde_json::Value| answer["entries"][0]["status"] == "ok";
    first.running.until("cron.runs", json!({ "id": id }), has_run).await;
    first.stop().await;

    let next = home.start().await;
    let before = next.good("cron.runs", json!({ "id": id })).await["entries"].as_array().unwrap().len();
    let has_more = |answer: &serde_json::Value| answer["entries"].as_array().unwrap().len() > before;
    let runs = next.until("cron.runs", json!({ "id": id }), has_more).await;
    let session = runs["entries"][0]["sessionId"].clone();
    let got = next.good("sessions.get", json!({ "session": session })).await;
    assert_eq!(got["summary"]["runs"][0]["answer"], "The report is written.");
    let listed = next.good("cron.list", json!({ "includeDisabled": true })).await;
    assert_eq!(listed["jobs"][0]["delivery"], json!({ "mode": "none" }));
    next.good("cron.remove", json!({ "id": id })).await;
}
