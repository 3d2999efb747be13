//! Automations with a scripted model and a clock that the test moves.

use std::time::Duration;

use prowess_testkit::chat::{ChatServer, Turn};
use serde_json::{Value, json};

use super::*;
use crate::test_support::{Home, Watcher, good, refused};

fn job(schedule: Value) -> Value {
    json!({ "name": "report", "schedule": schedule, "payload": { "kind": "agentTurn", "message": "write the report" } })
}

async fn cron(watcher: &mut Watcher, action: &str) -> Value {
    let is_it = |event: &Event| event.name == "cron" && event.payload["action"] == action;
    watcher.until(is_it).await.pop().unwrap().payload
}

#[tokio::test(flavor = "multi_thread")]
async fn an_automation_runs_when_it_is_due_and_each_run_is_a_trace() {
    let server = ChatServer::answering(|_| Turn::say("The report is written."));
    let home = Home::with_model(&server, "");
    let gateway = home.gateway();
    gateway.begin();
    let mut watcher = Watcher::new(&gateway);
    let minutely = json!({ "kind": "cron", "expr": "* * * * *", "tz": "UTC" });
    let added = good(&gateway, "cron.add", job(minutely)).await;
    cron(&mut watcher, "added").await;
    for _ in 0..2 {
        home.pass(Duration::from_mins(1));
        let finished = cron(&mut watcher, "finished").await;
        assert_eq!((&finished["status"], &finished["jobId"]), (&json!("ok"), &added["id"]), "{finished}");
    }
    let runs = good(&gateway, "cron.runs", json!({ "id": added["id"] })).await;
    let entries = runs["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0]["summary"], "The report is written.");
    assert_ne!(entries[0]["sessionId"], entries[1]["sessionId"]);
    let got = good(&gateway, "sessions.get", json!({ "session": entries[0]["sessionId"] })).await;
    assert_eq!(got["summary"]["runs"][0]["message"], "write the report");
    let listed = good(&gateway, "cron.list", json!({ "includeDisabled": true })).await;
    assert_eq!(listed["jobs"][0]["state"]["lastStatus"], "ok");
    assert!(listed["jobs"][0]["state"].get("runningAtMs").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_goes_to_the_main_session_once_and_is_gone() {
    let server = ChatServer::start(vec![Turn::say("Noted.")]);
    let home = Home::with_model(&server, "");
    let gateway = home.gateway();
    gateway.begin();
    let mut watcher = Watcher::new(&gateway);
    let at =
        jiff::Timestamp::from_millisecond(i64::try_from(home.clock().now_ms()).unwrap() + 60_000).unwrap();
    let mut reminder = job(json!({ "kind": "at", "at": at.to_string() }));
    reminder["payload"] = json!({ "kind": "systemEvent", "text": "the tea is ready" });
    reminder["sessionTarget"] = json!("main");
    good(&gateway, "cron.add", reminder).await;
    home.pass(Duration::from_mins(2));
    let finished = cron(&mut watcher, "finished").await;
    assert_eq!((&finished["status"], &finished["sessionKey"]), (&json!("ok"), &json!("agent:main:main")));
    let listed = good(&gateway, "cron.list", json!({ "includeDisabled": true })).await;
    assert_eq!(listed["jobs"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn automations_are_changed_run_by_hand_and_removed() {
    let server = ChatServer::start(vec![Turn::say("Done.")]);
    let home = Home::with_model(&server, "");
    let gateway = home.gateway();
    let mut watcher = Watcher::new(&gateway);
    let added = good(&gateway, "cron.add", job(json!({ "kind": "every", "everyMs": 3_600_000 }))).await;
    let id = added["id"].clone();
    let not_due = good(&gateway, "cron.run", json!({ "id": id, "mode": "due" })).await;
    assert_eq!((&not_due["ran"], &not_due["reason"]), (&json!(false), &json!("not-due")));
    let ran = good(&gateway, "cron.run", json!({ "id": id, "mode": "force" })).await;
    assert_eq!(ran["ran"], true);
    assert_eq!(cron(&mut watcher, "finished").await["runId"], ran["runId"]);
    let off = good(&gateway, "cron.update", json!({ "id": id, "patch": { "enabled": false } })).await;
    assert_eq!((&off["enabled"], &off["state"]["nextRunAtMs"]), (&json!(false), &Value::Null));
    assert_eq!(good(&gateway, "cron.list", json!({})).await["jobs"], json!([]));
    let status = good(&gateway, "cron.status", json!({})).await;
    assert_eq!((&status["jobs"], &status["nextWakeAtMs"]), (&json!(1), &Value::Null));
    assert_eq!(good(&gateway, "cron.remove", json!({ "jobId": id })).await["removed"], true);
    assert_eq!(good(&gateway, "cron.remove", json!({ "jobId": id })).await["removed"], false);
    let message = refused(&gateway, "cron.run", json!({ "id": "nothing" })).await;
    assert_eq!(message, "there is no automation `nothing`");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_done_is_refused() {
    let home = Home::new();
    let gateway = home.gateway();
    for (schedule, expected) in [
        (json!({ "kind": "cron", "expr": "61 * * * *" }), "invalid value `61` for the minute field"),
        (json!({ "kind": "cron", "expr": "0 0 31 2 *" }), "never due again"),
        (json!({ "kind": "at", "at": "2001-01-01T00:00:00Z" }), "never due again"),
        (json!({ "kind": "at", "at": "tomorrow" }), "is not a timestamp"),
        (json!({ "kind": "every", "everyMs": 1 }), "`everyMs` must be at least 1000"),
        (json!({ "kind": "sometimes" }), "unknown variant"),
    ] {
        let message = refused(&gateway, "cron.add", job(schedule)).await;
        assert!(message.contains(expected), "{message}");
    }
    let mut nobody = job(json!({ "kind": "every", "everyMs": 60_000 }));
    nobody["agentId"] = json!("nobody");
    assert!(refused(&gateway, "cron.add", nobody).await.contains("unknown agent id"));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_look_at_the_same_file_run_a_job_once() {
    let home = Home::new();
    let gateway = home.gateway();
    good(&gateway, "cron.add", job(json!({ "kind": "every", "everyMs": 60_000 }))).await;
    home.pass(Duration::from_mins(1));
    let (one, other) = (home.gateway(), home.gateway());
    let claims = [one, other].map(|gateway| std::thread::spawn(move || Known::default().due(&gateway).len()));
    let claimed: usize = claims.into_iter().map(|claim| claim.join().unwrap()).sum();
    assert_eq!(claimed, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_wrote_stays_and_a_damaged_file_is_not_touched() {
    let home = Home::new();
    let gateway = home.gateway();
    let file = Store::of(&home.engine()).file();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let foreign = json!({ "id": "x", "schedule": { "kind": "moon" } });
    std::fs::write(&file, json!({ "version": 1, "by": "others", "jobs": [foreign] }).to_string()).unwrap();
    good(&gateway, "cron.add", job(json!({ "kind": "every", "everyMs": 60_000 }))).await;
    let written: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!((&written["by"], &written["jobs"][0]), (&json!("others"), &foreign));
    assert_eq!(written["jobs"][1]["name"], "report");

    std::fs::write(&file, "{").unwrap();
    let message = refused(&gateway, "cron.list", json!({})).await;
    assert!(message.contains("is not a file of automations"), "{message}");
    refused(&gateway, "cron.add", job(json!({ "kind": "every", "everyMs": 60_000 }))).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{");
}
