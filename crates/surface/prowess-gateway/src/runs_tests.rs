//! Runs with a scripted model, as clients see them.

use std::time::Duration;

use prowess_testkit::chat::{ChatServer, Turn};
use prowess_testkit::eventually;
use serde_json::{Value, json};

use crate::events::Event;
use crate::test_support::{Home, Watcher, good, refused};

/// The kinds of the `run` events.
fn kinds(events: &[Event]) -> Vec<&str> {
    let runs = events.iter().filter(|event| event.name == "run");
    runs.filter_map(|event| event.payload["kind"].as_str()).collect()
}

fn words(events: &[Event]) -> String {
    let texts = events.iter().filter(|event| event.payload["kind"] == "text");
    texts.filter_map(|event| event.payload["delta"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_told_to_everybody_and_ends_in_its_trace() {
    let server = ChatServer::start(vec![Turn::say("It is four.")]);
    let home = Home::with_model(&server, "");
    let gateway = home.gateway();
    let (mut one, mut other) = (Watcher::new(&gateway), Watcher::new(&gateway));
    let run =
        good(&gateway, "runs.start", json!({ "message": "two and two?", "sessionKey": "agent:main:main" }))
            .await;
    assert_eq!((&run["session"], &run["sessionKey"]), (&json!("main.main"), &json!("agent:main:main")));
    let (seen, seen_too) = (one.finished().await, other.finished().await);
    assert_eq!(kinds(&seen), kinds(&seen_too));
    assert_eq!(kinds(&seen).first(), Some(&"queued"));
    assert_eq!(words(&seen), "It is four.");
    let finished = &seen.last().unwrap().payload;
    assert_eq!((&finished["status"], &finished["runId"]), (&json!("done"), &run["runId"]));
    // For OpenClaw's clients the same, in their words.
    let last = one.until(|event| event.name == "chat" && event.payload["state"] == "final").await;
    assert_eq!(last.last().unwrap().payload["message"]["content"][0]["text"], "It is four.");

    let waited = good(&gateway, "agent.wait", json!({ "runId": run["runId"], "timeoutMs": 60_000 })).await;
    assert_eq!(waited["status"], "ok");
    let known = good(&gateway, "runs.get", json!({ "runId": run["runId"] })).await;
    let page =
        good(&gateway, "sessions.events", json!({ "session": "agent:main:main", "run": known["traceRun"] }))
            .await;
    assert_eq!(page["events"].as_array().unwrap().last().unwrap()["type"], "run_ended");
    let history = good(&gateway, "chat.history", json!({ "sessionKey": "agent:main:main" })).await;
    let said: Vec<(&Value, &Value)> = history["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["role"], &it["content"][0]["text"]))
        .collect();
    assert_eq!(
        said,
        [(&json!("user"), &json!("two and two?")), (&json!("assistant"), &json!("It is four."))]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_can_be_stopped_while_the_model_talks() {
    let server = ChatServer::start(vec![Turn::say("This will never be sa").stalled_after(2)]);
    let home = Home::with_model(&server, "");
    let gateway = home.gateway();
    let mut watcher = Watcher::new(&gateway);
    let run = good(
        &gateway,
        "chat.send",
        json!({ "sessionKey": "agent:main:main", "message": "talk", "idempotencyKey": "one" }),
    )
    .await;
    assert_eq!((&run["runId"], &run["status"]), (&json!("one"), &json!("started")));
    watcher.until(|event| event.name == "chat" && event.payload["state"] == "delta").await;
    let again = good(
        &gateway,
        "chat.send",
        json!({ "sessionKey": "agent:main:main", "message": "talk", "idempotencyKey": "one" }),
    )
    .await;
    assert_eq!(again["status"], "in_flight");
    let message = refused(&gateway, "sessions.delete", json!({ "key": "agent:main:main" })).await;
    assert_eq!(message, "a run of this session is active; stop it first");
    let stopped = good(&gateway, "chat.abort", json!({ "sessionKey": "agent:main:main" })).await;
    assert_eq!(stopped["runIds"], json!(["one"]));
    watcher.until(|event| event.name == "chat" && event.payload["state"] == "aborted").await;
    let summary = good(&gateway, "sessions.get", json!({ "session": "agent:main:main" })).await;
    assert_eq!(summary["summary"]["runs"][0]["stopped"], true);
    assert_eq!(server.requests().len(), 1);
}

/// A run whose model wants to write a file; what became of it.
async fn with_answer(decision: &str) -> (bool, Value) {
    let server = ChatServer::start(vec![
        Turn::call("write", json!({ "path": "made.txt", "content": "x" })),
        Turn::say("Done."),
    ]);
    let home = Home::with_model(&server, "");
    let gateway = home.gateway();
    let mut watcher = Watcher::new(&gateway);
    good(&gateway, "runs.start", json!({ "message": "make a file" })).await;
    let asked = watcher.next("exec.approval.requested").await;
    assert_eq!(asked["request"]["tool"], "write");
    let waiting = good(&gateway, "exec.approval.list", json!({})).await;
    assert_eq!(waiting["approvals"][0]["id"], asked["id"]);
    let answer = json!({ "id": asked["id"], "decision": decision });
    good(&gateway, "exec.approval.resolve", answer.clone()).await;
    assert_eq!(watcher.next("exec.approval.resolved").await["decision"], decision);
    let finished = watcher.finished().await.pop().unwrap().payload;
    let message = refused(&gateway, "exec.approval.resolve", answer).await;
    assert!(message.starts_with("unknown or expired approval id"), "{message}");
    (home.path().join("ws/made.txt").exists(), finished)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_works_only_if_somebody_says_yes() {
    let (was_made, finished) = with_answer("allow-once").await;
    assert!(was_made, "{finished}");
    let (was_made, finished) = with_answer("deny").await;
    assert!(!was_made, "{finished}");
    assert_eq!(finished["status"], "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_stopped_while_it_asks_leaves_no_question() {
    let server = ChatServer::start(vec![Turn::call("write", json!({ "path": "a", "content": "x" }))]);
    let home = Home::with_model(&server, "");
    let gateway = home.gateway();
    let mut watcher = Watcher::new(&gateway);
    let run = good(&gateway, "runs.start", json!({ "message": "make a file" })).await;
    watcher.next("exec.approval.requested").await;
    good(&gateway, "runs.abort", json!({ "runId": run["runId"] })).await;
    assert_eq!(watcher.finished().await.last().unwrap().payload["status"], "aborted");
    assert_eq!(good(&gateway, "exec.approval.list", json!({})).await["approvals"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_stops_ends_its_runs_and_takes_no_more() {
    let server = ChatServer::start(vec![Turn::silent()]);
    let home = Home::with_model(&server, "");
    let gateway = home.gateway();
    let mut watcher = Watcher::new(&gateway);
    let run = good(&gateway, "runs.start", json!({ "message": "wait", "session": "s" })).await;
    watcher.until(|event| event.payload["kind"] == "started").await;
    // This one waits for the same session.
    good(&gateway, "runs.start", json!({ "message": "wait too", "session": "s", "idempotencyKey": "two" }))
        .await;
    gateway.settle().await;
    for id in [run["runId"].as_str().unwrap(), "two"] {
        assert_eq!(good(&gateway, "runs.get", json!({ "runId": id })).await["status"], "aborted");
    }
    let summary = good(&gateway, "sessions.get", json!({ "session": "s" })).await;
    assert_eq!(summary["summary"]["runs"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&summary["summary"]["runs"][0]["ended"], &summary["summary"]["runs"][0]["stopped"]),
        (&json!(true), &json!(true))
    );
    let message = refused(&gateway, "runs.start", json!({ "message": "more" })).await;
    assert_eq!(message, "the gateway is stopping and takes no new runs");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_a_crash_cut_off_is_ended_by_the_next_gateway() {
    let server = ChatServer::start(vec![Turn::silent()]);
    let home = Home::with_model(&server, "");
    let crashed = home.gateway();
    let mut watcher = Watcher::new(&crashed);
    good(&crashed, "runs.start", json!({ "message": "wait", "session": "s" })).await;
    watcher.until(|event| event.payload["kind"] == "started").await;
    // The first one still has the run, as if its process had died without a word.
    let next = home.gateway();
    next.begin();
    let runs = async |gateway| {
        good(gateway, "sessions.get", json!({ "session": "s" })).await["summary"]["runs"].clone()
    };
    eventually("the end of the run", async || (runs(&next).await[0]["ended"] == true).then_some(())).await;
    assert_eq!(runs(&next).await[0]["stopped"], true);
    crashed.settle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_has_only_so_many_runs_at_once() {
    let server = ChatServer::answering(|_| Turn::silent());
    let home = Home::with_model(&server, "");
    let gateway = home.gateway();
    for _ in 0..super::AT_ONCE + super::WAITING {
        good(&gateway, "runs.start", json!({ "message": "wait" })).await;
    }
    let message = refused(&gateway, "runs.start", json!({ "message": "wait" })).await;
    assert_eq!(message, "the agent `main` has 20 runs that go on or wait; try again later");
    assert!(server.wait_for_requests(super::AT_ONCE, Duration::from_mins(1)));
    let active = good(&gateway, "runs.list", json!({ "active": true })).await;
    let running = active["runs"].as_array().unwrap().iter().filter(|run| run["status"] == "running");
    assert_eq!(running.count(), super::AT_ONCE);
    gateway.settle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_begin_is_told() {
    let home = Home::new();
    let gateway = home.gateway();
    assert_eq!(refused(&gateway, "runs.start", json!({ "message": " " })).await, "the message is empty");
    let message = refused(&gateway, "runs.start", json!({ "message": "x", "agentId": "nobody" })).await;
    assert!(message.contains("unknown agent id"), "{message}");
    let run = good(&gateway, "runs.start", json!({ "message": "x" })).await;
    let ended = good(&gateway, "runs.wait", json!({ "runId": run["runId"], "timeoutMs": 60_000 })).await;
    assert_eq!(ended["status"], "failed");
    assert!(ended["error"].as_str().unwrap().contains("model"), "{ended}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_taught_something_says_so() {
    let server = ChatServer::start(vec![
        Turn::call("report_outcome", json!({ "result": "success" })),
        Turn::say("Tidied."),
    ]);
    let home = Home::with_model(&server, "");
    let skill = home.path().join("ws/skills/tidy");
    std::fs::create_dir_all(&skill).unwrap();
    std::fs::write(skill.join("SKILL.md"), "---\nname: tidy\ndescription: Tidies up a folder\n---\nTidy.\n")
        .unwrap();
    let gateway = home.gateway();
    let mut watcher = Watcher::new(&gateway);
    good(&gateway, "runs.start", json!({ "message": "/tidy my downloads" })).await;
    assert_eq!(watcher.next("cortex.changed").await["reason"], "run");
    let state = good(&gateway, "cortex.state", json!({})).await;
    assert_eq!(state["events"], 1, "{state}");
}
