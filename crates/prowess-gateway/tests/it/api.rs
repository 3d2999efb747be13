//! Calls over HTTP.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::raw::{ask_known, host};
use crate::support::{Home, TOKEN};

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

#[tokio::test(flavor = "multi_thread")]
async fn bodies_are_json_objects_within_bounds() {
    let home = Home::new();
    let address = home.start_with(|options| options.limits.body_bytes = 1000).await.address;
    let json = "Content-Type: application/json; charset=utf-8";
    let large = format!("{{\"agentId\":\"{}\"}}", "x".repeat(1000));
    for (header, body, status) in [
        (json, "", 200),
        (json, "null", 400),
        (json, "{}", 200),
        ("Content-Type: text/plain", "", 200),
        ("Content-Type: text/plain", "{}", 415),
        ("X-Nothing: 1", "{}", 415),
        (json, "[]", 400),
        (json, "{", 400),
        (json, "\u{0}\u{1}", 400),
        (json, &large, 413),
    ] {
        let answer = ask_known(address, "POST /api/v1/health", &[header], body).await;
        assert_eq!(answer.status, status, "{header} {body}");
        assert!(serde_json::from_str::<Value>(&answer.body).unwrap().is_object());
    }
    assert_eq!(ask_known(address, "GET /api/v1/health", &[], "").await.status, 405);
    assert_eq!(ask_known(address, "POST /api/v2/health", &[json], "{}").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_methods_are_listed() {
    let address = Home::new().start().await.address;
    let list: Value = serde_json::from_str(&ask_known(address, "GET /api/v1", &[], "").await.body).unwrap();
    let methods = list["methods"].as_array().unwrap();
    let status = methods.iter().find(|method| method["name"] == "skills.status").unwrap();
    assert_eq!(status["access"], "operator.read");
    assert_eq!(status["path"], "/api/v1/skills.status");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_is_told_as_an_event_and_ends_the_stream() {
    let home = Home::new();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let gateway = home.start_until(|_| {}, async { stopped.await.unwrap_or_default() }).await;
    let mut stream = TcpStream::connect(gateway.address).await.unwrap();
    let head = format!(
        "GET /api/v1/events HTTP/1.1\r\n{}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n",
        host(gateway.address)
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut text = String::new();
    while !text.contains("\r\n\r\n") {
        let mut some = [0; 1024];
        let count = stream.read(&mut some).await.unwrap();
        text += &String::from_utf8_lossy(&some[..count]);
    }
    assert!(text.contains("content-type: text/event-stream"), "{text}");
    stop.send(()).unwrap();
    let rest = tokio::time::timeout(Duration::from_secs(20), stream.read_to_string(&mut text)).await;
    rest.expect("the stream ends").unwrap();
    assert!(text.contains("event: shutdown") && text.contains("id: 1"), "{text}");
    let address = gateway.address;
    gateway.finished().await;
    assert!(TcpStream::connect(address).await.is_err());
}
