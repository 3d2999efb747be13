//! Calls over HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::client::{Client, Device};
use crate::raw::{ask_known, host};
use crate::support::{GatewayHome as _, Home, TOKEN, http, skill};

#[tokio::test(flavor = "multi_thread")]
async fn the_status_of_an_agent_is_answered() {
    let home = Home::new();
    home.add(&skill("tidy", "Tidies up a folder"));
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

/// A stream of events that has begun.
async fn events(address: SocketAddr, token: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head =
        format!("GET /api/v1/events HTTP/1.1\r\n{}\r\nAuthorization: Bearer {token}\r\n\r\n", host(address));
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut text = String::new();
    while !text.contains("\r\n\r\n") {
        let mut some = [0; 1024];
        let count = stream.read(&mut some).await.unwrap();
        text += &String::from_utf8_lossy(&some[..count]);
    }
    assert!(text.contains("content-type: text/event-stream"), "{text}");
    (stream, text)
}

/// Waits for the end of a stream.
async fn ended(stream: &mut TcpStream, text: &mut String) {
    let rest = tokio::time::timeout(Duration::from_secs(20), stream.read_to_string(text)).await;
    rest.expect("the stream ends").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_the_token_that_opened_it() {
    let gateway = Home::new().start().await;
    let device = Device::new(21);
    let (_client, hello) = Client::browser(&gateway, &device).await;
    let own = hello["auth"]["deviceToken"].as_str().unwrap();
    let (mut of_device, mut text) = events(gateway.address, own).await;
    let (mut of_owner, mut other) = events(gateway.address, TOKEN).await;
    let which = json!({ "deviceId": device.id, "role": "operator" });
    assert_eq!(gateway.call("device.token.revoke", which).await.0, 200);
    ended(&mut of_device, &mut text).await;
    let waiting = tokio::time::timeout(Duration::from_millis(100), ended(&mut of_owner, &mut other)).await;
    assert!(waiting.is_err(), "nobody else is sent away");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_token_in_the_config_counts_at_once() {
    let home = Home::new();
    let write = |token: &str| {
        home.write(".prowess/prowess.json", format!("{{gateway: {{auth: {{token: '{token}'}}}}}}"));
    };
    write(TOKEN);
    let gateway = home.start().await;
    let (mut stream, mut text) = events(gateway.address, TOKEN).await;
    // A change counts from the gateway's first look on.
    let mut number = 0;
    while tokio::time::timeout(Duration::from_secs(2), ended(&mut stream, &mut text)).await.is_err() {
        number += 1;
        write(&format!("{TOKEN}-that-nobody-can-guess-{number}"));
    }
    let ask = async |token: &str| {
        let url = format!("http://{}/api/v1/health", gateway.address);
        let request = http().post(url).bearer_auth(token).json(&json!({}));
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(ask(TOKEN).await, 401);
    let last = format!("{TOKEN}-that-nobody-can-guess-{number}");
    while ask(&last).await != 200 {
        // Wrong tokens are counted, so that asking faster would be refused.
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_is_told_as_an_event_and_ends_the_stream() {
    let home = Home::new();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let gateway = home.start_until(|_| {}, async { stopped.await.unwrap_or_default() }).await;
    let (mut stream, mut text) = events(gateway.address, TOKEN).await;
    stop.send(()).unwrap();
    ended(&mut stream, &mut text).await;
    assert!(text.contains("event: shutdown") && text.contains("id: 1"), "{text}");
    let address = gateway.address;
    gateway.finished().await;
    assert!(TcpStream::connect(address).await.is_err());
}
