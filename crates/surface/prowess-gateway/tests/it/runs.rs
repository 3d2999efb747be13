//! Runs over HTTP: what goes on without whoever started it.

use prowess_testkit::chat::{ChatServer, Turn};
use serde_json::json;

use crate::learn_support::{Stoppable, configure};
use crate::support::{GatewayHome as _, Home};

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_on_when_the_client_is_gone_and_other_clients_see_it() {
    let server = ChatServer::start(vec![Turn::say("It is four.")]);
    let home = Home::new();
    configure(&home, &server, "");
    let gateway = home.start().await;
    let ended = gateway.run("two and two?", "sums").await;
    assert_eq!((&ended["status"], &ended["report"]["answer"]), (&json!("done"), &json!("It is four.")));
    assert_eq!(ended["report"]["usage"]["inputTokens"], 100);
    let runs = gateway.good("runs.list", json!({ "session": "sums" })).await;
    assert_eq!(runs["runs"][0]["runId"], ended["runId"]);
    // The same key is the same run, also after its end.
    let again = json!({ "message": "two and two?", "session": "sums", "idempotencyKey": ended["runId"] });
    assert_eq!(gateway.good("runs.start", again).await["status"], "done");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_is_stopped_during_a_run_leaves_a_whole_trace() {
    let server = ChatServer::start(vec![Turn::say("I begin, and never e").stalled_after(2)]);
    let home = Home::new();
    configure(&home, &server, "");
    let gateway = Stoppable::start(&home).await;
    gateway.running.good("runs.start", json!({ "message": "talk", "session": "talk" })).await;
    assert!(server.wait_for_requests(1, std::time::Duration::from_mins(1)));
    gateway.stop().await;

    let next = home.start().await;
    let got = next.good("sessions.get", json!({ "session": "talk" })).await;
    let run = &got["summary"]["runs"][0];
    assert_eq!((&run["ended"], &run["stopped"]), (&json!(true), &json!(true)), "{got}");
    let listed = next.good("sessions.list", json!({})).await;
    assert_eq!(listed["sessions"][0]["isRunning"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_asks_and_gets_its_answer_over_http() {
    let server = ChatServer::start(vec![
        Turn::call("write", json!({ "path": "made.txt", "content": "x" })),
        Turn::say("Done."),
    ]);
    let home = Home::new();
    configure(&home, &server, "");
    let gateway = home.start().await;
    let run = gateway.good("runs.start", json!({ "message": "make a file" })).await;
    let is_asked = |answer: &serde_json::Value| answer["approvals"][0]["id"].is_string();
    let waiting = gateway.until("exec.approval.list", json!({}), is_asked).await;
    let approval = &waiting["approvals"][0];
    assert_eq!(approval["request"]["runId"], run["runId"]);
    gateway.good("exec.approval.resolve", json!({ "id": approval["id"], "decision": "allow-once" })).await;
    let ended = gateway.good("runs.wait", json!({ "runId": run["runId"], "timeoutMs": 60_000 })).await;
    assert_eq!(ended["status"], "done");
    assert_eq!(std::fs::read_to_string(home.workspace().join("made.txt")).unwrap(), "x");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_keeps_the_skill_of_a_follow_up_and_records_why() {
    let server = ChatServer::start(vec![
        Turn::say("It stays dry."),
        Turn::say("Sunday too."),
        Turn::say("You are welcome."),
        Turn::say("Snow on Monday."),
    ]);
    let home = Home::new();
    home.add(
        &prowess_testkit::SkillFile::new("weather")
            .description("Current weather and forecasts for any place: rain, snow, wind, temperature.")
            .body("Name the source.\n"),
    );
    configure(&home, &server, "");
    let gateway = home.start().await;
    let first = "weather forecasts for Bern: rain, snow, wind, temperature?";
    for message in [first, "and on Sunday?", "thanks!", "and on Monday?"] {
        gateway.run(message, "sky").await;
    }
    let got = gateway.good("sessions.get", json!({ "session": "sky" })).await;
    let runs = got["activations"].as_array().unwrap();
    let effects: Vec<&str> =
        runs.iter().map(|run| run["followUp"]["effect"].as_str().unwrap_or("-")).collect();
    assert_eq!(effects, ["-", "kept", "dropped", "kept"], "{got:#}");
    let reason = runs[1]["followUp"]["reason"].as_str().unwrap();
    assert_eq!(reason, "the message continues the one before");
    let second = server.requests()[1].body.to_string();
    assert!(second.contains("whose text you were given above"), "{second}");

    let asked = json!({ "message": "and on Sunday?", "previous": [first] });
    let found = gateway.good("skills.match", asked).await;
    assert_eq!(
        (&found["decision"], &found["followUp"]["effect"]),
        (&json!("load"), &json!("kept")),
        "{found:#}"
    );
}
