//! Calls over HTTP.

use serde_json::json;

use crate::support::Home;

#[tokio::test(flavor = "multi_thread")]
async fn the_status_of_an_agent_is_answered() {
    let home = Home::new();
    home.skill("tidy", "Tidies up a folder");
    let gateway = home.start().await;
    let (status, report) = gateway.call("skills.status", json!({})).await;
    assert_eq!(status, 200);
    assert_eq!(report["skills"][0]["name"], "tidy");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_methods_and_properties_are_refused() {
    let gateway = Home::new().start().await;
    let (status, answer) = gateway.call("skills.nonsense", json!({})).await;
    assert_eq!((status, &answer["error"]["message"]), (404, &json!("unknown method: skills.nonsense")));
    let (status, answer) = gateway.call("skills.status", json!({ "x": 1 })).await;
    assert_eq!(status, 400);
    assert_eq!(answer["error"]["message"], "invalid skills.status params: at root: unexpected property 'x'");
}
