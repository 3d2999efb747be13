//! The forge over HTTP: from a run that worked to a skill, and back.

use prowess_testkit::chat::{ChatServer, Turn};
use serde_json::json;

use crate::learn_support::configure;
use crate::support::Home;

const TASK: &str = "Convert the spreadsheet into a report and sort the invoices by amount";

/// A model that solves the task in four steps, and says so.
fn solves() -> Vec<Turn> {
    vec![
        Turn::call("exec", json!({ "command": "sort -t, -k2 ledger.csv > sorted.csv" })),
        Turn::call("exec", json!({ "command": "wc -l sorted.csv | tee count.txt" })),
        Turn::call("write", json!({ "path": "report.md", "content": "A report\n" })),
        Turn::call("exec", json!({ "command": "grep -c report report.md" })),
        Turn::call("report_outcome", json!({ "result": "success" })),
        Turn::say("The report is written."),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_becomes_a_skill_and_is_taken_back() {
    let mut script = solves();
    script.push(Turn::say("Sorts the invoices of a spreadsheet by amount and writes a report."));
    let server = ChatServer::start(script);
    let home = Home::new();
    home.write("work/ledger.csv", "b,2\na,1\n");
    configure(&home, &server, ", tools: {exec: {policy: 'allow'}, write: {policy: 'allow'}}");
    let gateway = home.start().await;
    let ended = gateway.run(TASK, "s").await;
    let name = ended["report"]["draft"]["name"].clone();
    assert!(name.is_string(), "{ended}");

    let listed = gateway.good("forge.list", json!({})).await;
    assert_eq!(
        (&listed["drafts"][0]["status"], &listed["promotesTested"]),
        (&json!("waiting"), &json!(false))
    );
    let message = gateway.refused("forge.promote", json!({ "name": name, "consent": true })).await;
    assert!(message.ends_with("has not passed its test as it is now; forge.test measures it"), "{message}");

    let improved = gateway.good("forge.improve", json!({ "name": name })).await;
    assert_eq!(improved["after"], "Sorts the invoices of a spreadsheet by amount and writes a report.");
    // Without consent the script does not run, and the draft does not pass.
    let refused = gateway.good("forge.test", json!({ "name": name })).await;
    assert_eq!(refused["passed"], false);
    let tested = gateway.good("forge.test", json!({ "name": name, "runScript": true })).await;
    assert_eq!(tested["passed"], true, "{tested}");

    let shown = gateway.good("forge.show", json!({ "name": name })).await;
    assert_eq!(shown["passed"], true);
    let target = std::path::PathBuf::from(shown["target"][0].as_str().unwrap());
    assert!(target.starts_with(home.path()) && !target.exists(), "{shown}");
    assert!(
        gateway.good("forge.diff", json!({ "name": name })).await["diff"]
            .as_str()
            .unwrap()
            .contains("+name: ")
    );
    let message = gateway.refused("forge.promote", json!({ "name": name })).await;
    assert!(message.contains("send `consent: true`"), "{message}");
    let promoted = gateway.good("forge.promote", json!({ "name": name, "consent": true })).await;
    assert_eq!(promoted["version"], 1);
    assert!(target.exists());

    gateway.good("forge.retire", json!({ "name": name })).await;
    assert!(!target.exists());
    gateway.good("forge.restore", json!({ "name": name })).await;
    assert!(target.exists());
    assert_eq!(gateway.good("forge.unused", json!({})).await["unused"], json!([]));
    assert!(gateway.good("forge.rollback", json!({ "name": name })).await["version"].is_null());
    assert!(!target.exists());
    assert_eq!(
        gateway.good("forge.reject", json!({ "name": name, "reason": "no" })).await["status"],
        "rejected"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_worth_a_draft_is_refused() {
    let server = ChatServer::start(vec![Turn::say("Yes.")]);
    let home = Home::new();
    configure(&home, &server, "");
    let gateway = home.start().await;
    gateway.run("really?", "s").await;
    let message = gateway.refused("forge.draft", json!({ "session": "s" })).await;
    assert!(message.ends_with("if it did, rate it `good` with sessions.rate"), "{message}");
    gateway.good("sessions.rate", json!({ "session": "s", "rating": "good" })).await;
    let message = gateway.refused("forge.draft", json!({ "session": "s" })).await;
    assert!(message.starts_with("the run is not worth a draft"), "{message}");
    assert_eq!(gateway.refused("forge.show", json!({ "name": "x" })).await, "there is no draft `x`");
}
