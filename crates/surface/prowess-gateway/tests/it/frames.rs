//! Frames: many at once, bad ones, big ones.

use futures_util::SinkExt as _;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::client::Client;
use crate::support::{GatewayHome as _, Home, TOKEN, skill};

/// The longest message before and after the login.
const BEFORE: usize = 64 << 10;
const AFTER: usize = 25 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn every_request_gets_exactly_one_answer() {
    let home = Home::new();
    home.add(&skill("tidy", "Tidies up a folder"));
    let gateway = home.start().await;
    let mut client = Client::program(&gateway).await;
    for number in 0..500 {
        let method = ["health", "skills.status", "no.such.thing"][number % 3];
        let frame = json!({ "type": "req", "id": number.to_string(), "method": method, "params": {} });
        client.send_text(frame.to_string()).await;
    }
    let mut answered = std::collections::BTreeSet::new();
    while answered.len() < 500 {
        let frame = client.frame().await.unwrap();
        if frame["type"] == "res" {
            let number: usize = frame["id"].as_str().unwrap().parse().unwrap();
            assert_eq!(frame["ok"], number % 3 != 2);
            assert!(answered.insert(number), "{number} was answered twice");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_request_is_answered_or_ends_the_connection() {
    let gateway = Home::new().start().await;
    let mut client = Client::program(&gateway).await;
    client.send_text(r#"{"type":"res","id":"a"}"#).await;
    loop {
        let frame = client.frame().await.unwrap();
        if frame["type"] == "res" {
            assert_eq!((&frame["id"], &frame["error"]["code"]), (&json!("a"), &json!("INVALID_REQUEST")));
            break;
        }
    }
    client.send_text("[]").await;
    assert_eq!(client.ended().await.code, 1008);
    let mut client = Client::program(&gateway).await;
    client.socket.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(client.ended().await.code, 1003);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_length_of_messages_is_limited_more_before_the_login() {
    let gateway = Home::new().start().await;
    let mut client = Client::open(&gateway, &[]).await;
    let _ = client.socket.send(Message::text("x".repeat(BEFORE + 1))).await;
    assert_eq!(client.ended().await.code, 1009);

    let mut client = Client::open(&gateway, &[]).await;
    client.send_text(" ".repeat(BEFORE)).await;
    assert_eq!(client.ended().await.code, 1008, "long enough to be read, but no request");

    let mut client = Client::program(&gateway).await;
    let padded = |bytes: usize| {
        let frame = r#"{"type":"req","id":"long","method":"health"}"#;
        format!("{frame}{}", " ".repeat(bytes - frame.len()))
    };
    client.send_text(padded(AFTER)).await;
    loop {
        let frame: Value = client.frame().await.unwrap();
        if frame["id"] == "long" {
            assert_eq!(frame["ok"], true);
            break;
        }
    }
    let _ = client.socket.send(Message::text(padded(AFTER + 1))).await;
    assert_eq!(client.ended().await.code, 1009);
}

#[tokio::test(flavor = "multi_thread")]
async fn fragments_and_bad_text() {
    let gateway = Home::new().start().await;
    let mut client = Client::program(&gateway).await;
    let text = r#"{"type":"req","id":"slow","method":"health"}"#;
    let last = text.len() - 1;
    for (index, byte) in text.bytes().enumerate() {
        let kind = OpCode::Data(if index == 0 { Data::Text } else { Data::Continue });
        let fragment = Frame::message(vec![byte], kind, index == last);
        client.socket.send(Message::Frame(fragment)).await.unwrap();
    }
    loop {
        let frame = client.frame().await.unwrap();
        if frame["id"] == "slow" {
            assert_eq!(frame["ok"], true);
            break;
        }
    }
    let bad = Frame::message(vec![0xc3, 0x28], OpCode::Data(Data::Text), true);
    client.socket.send(Message::Frame(bad)).await.unwrap();
    assert_eq!(client.ended().await.code, 1007);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unmasked_frame_ends_the_connection() {
    let gateway = Home::new().start().await;
    let mut socket = TcpStream::connect(gateway.address).await.unwrap();
    let request = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        gateway.address
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    socket.write_all(&[0x81, 2, b'{', b'}']).await.unwrap();
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).await.unwrap();
    let close = answer.windows(4).any(|bytes| bytes[0] == 0x88 && bytes[2..] == 1002_u16.to_be_bytes());
    assert!(close, "{}", String::from_utf8_lossy(&answer));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_pings_are_answered_and_a_flood_is_not() {
    let gateway = Home::new().start().await;
    let mut client = Client::program(&gateway).await;
    for _ in 0..50 {
        client.socket.send(Message::Ping(vec![1; 125].into())).await.unwrap();
    }
    assert_eq!(client.call("health", json!({})).await["ok"], true);
    for _ in 0..2000 {
        if client.socket.feed(Message::Ping(vec![1; 125].into())).await.is_err() {
            break;
        }
    }
    let _ = client.socket.flush().await;
    let ended = client.ended().await;
    assert!(ended.code == 1008 || ended.code == 1006, "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_behind_the_greeting_are_not_lost() {
    let gateway = Home::new().start().await;
    let mut client = Client::open(&gateway, &[]).await;
    let connect = json!({ "type": "req", "id": "c", "method": "connect", "params": {
        "minProtocol": 4, "maxProtocol": 4, "auth": { "token": TOKEN },
        "client": { "id": "cli", "version": "1", "platform": "linux", "mode": "cli" } } });
    let health = json!({ "type": "req", "id": "h", "method": "health" });
    client.socket.feed(Message::text(connect.to_string())).await.unwrap();
    client.socket.feed(Message::text(health.to_string())).await.unwrap();
    client.socket.flush().await.unwrap();
    let mut answered = Vec::new();
    while answered.len() < 2 {
        let frame = client.frame().await.unwrap();
        if frame["type"] == "res" {
            answered.push(frame["id"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(answered, ["c", "h"]);
}
