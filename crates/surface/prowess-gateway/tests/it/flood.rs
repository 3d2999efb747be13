//! Many clients, and those that mean no good. The functions called `soak_*` are the same in great numbers; they run
//! when they are asked for.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::client::{Client, Device, LOCAL_PAGE};
use crate::support::{GatewayHome as _, Home, TOKEN, skill};

/// So many clients, each with so many requests, one after the other. Gives how long each answer took, sorted.
async fn clients_with_requests(count: usize, requests: usize, pause: Duration) -> Vec<Duration> {
    let home = Home::new();
    home.add(&skill("tidy", "Tidies up a folder"));
    let gateway = home.start().await;
    let address = gateway.address;
    let mut clients = JoinSet::new();
    for _ in 0..count {
        clients.spawn(async move {
            let mut client = Client::program_at(address).await;
            let mut times = Vec::new();
            for _ in 0..requests {
                let start = Instant::now();
                assert_eq!(client.get("skills.status", json!({})).await["skills"][0]["name"], "tidy");
                times.push(start.elapsed());
                // The load that is tested: so many requests a second.
                tokio::time::sleep(pause).await;
            }
            times
        });
    }
    let mut times = Vec::new();
    while let Some(client) = clients.join_next().await {
        times.extend(client.unwrap());
    }
    assert_eq!(times.len(), count * requests);
    times.sort();
    times
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_clients_are_all_answered() {
    clients_with_requests(100, 5, Duration::ZERO).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a minute of a thousand clients; `cargo xtask soak` runs it"]
async fn soak_a_thousand_clients_for_a_minute() {
    let times = clients_with_requests(1000, 60, Duration::from_secs(1)).await;
    let calls = times.len();
    println!(
        "soak: 1000 clients in the gateway's own process, {calls} calls of skills.status: p50 {:?}, p99 {:?}, slowest {:?}",
        times[calls / 2],
        times[calls * 99 / 100],
        times[calls - 1],
    );
}

/// So many wrong tokens, with and without a page; then somebody good comes.
async fn wrong_tokens(count: usize) {
    let gateway = Home::new().start().await;
    let good = Device::new(1);
    let (_, hello) = Client::browser(&gateway, &good).await;
    let own = hello["auth"]["deviceToken"].as_str().unwrap();
    let mut connected = Client::program(&gateway).await;
    let mut codes = Vec::new();
    for number in 0..count {
        let headers = if number % 2 == 0 { LOCAL_PAGE } else { &[] };
        let mut client = Client::open(&gateway, headers).await;
        let answer = client.connect(json!({ "auth": { "token": format!("wrong-{number}") } })).await;
        codes.push(answer["error"]["details"]["code"].as_str().unwrap().to_owned());
        if number == count - 1 {
            assert!(answer["error"]["retryAfterMs"].as_u64().unwrap() > 0);
        }
        assert_eq!(client.ended().await.code, 1008);
    }
    assert!(codes[..10].iter().all(|code| code == "AUTH_TOKEN_MISMATCH"));
    assert!(codes[10..].iter().all(|code| code == "AUTH_RATE_LIMITED"));
    assert_eq!(connected.call("health", json!({})).await["ok"], true, "whoever is in stays in");
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    assert_eq!(client.connect_device(&good, own, json!({})).await["ok"], true, "a known device is let in");
    let mut client = Client::open(&gateway, &[]).await;
    let answer = client.connect(json!({ "auth": { "token": TOKEN } })).await;
    assert_eq!(answer["error"]["details"]["code"], "AUTH_RATE_LIMITED", "a short token is not even tried");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_tokens_lock_the_door_but_not_for_known_devices() {
    wrong_tokens(25).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "ten thousand logins; `cargo xtask soak` runs it"]
async fn soak_ten_thousand_wrong_tokens() {
    wrong_tokens(10_000).await;
}

/// Whether a test waits until the gateway closed every socket.
#[derive(PartialEq)]
enum Ends {
    Awaited,
    NotAwaited,
}

/// So many sockets that never say who they are; then somebody good comes.
async fn half_open(count: usize, ends: Ends) {
    let gateway = Home::new().start().await;
    let mut silent = Vec::new();
    for number in 0..count {
        let mut socket = TcpStream::connect(gateway.address).await.unwrap();
        let request = format!(
            "GET / HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
            gateway.address
        );
        tokio::io::AsyncWriteExt::write_all(&mut socket, request.as_bytes()).await.unwrap();
        silent.push((number, socket));
    }
    assert_eq!(Client::program(&gateway).await.call("health", json!({})).await["ok"], true);
    if ends == Ends::NotAwaited {
        return;
    }
    for (number, mut socket) in silent {
        let mut rest = Vec::new();
        let ended = tokio::time::timeout(Duration::from_mins(2), socket.read_to_end(&mut rest)).await;
        assert!(ended.is_ok(), "{number} is still open");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_sockets_keep_nobody_out() {
    half_open(40, Ends::NotAwaited).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes the time of many handshakes; `cargo xtask soak` runs it"]
async fn soak_five_hundred_silent_sockets() {
    half_open(500, Ends::Awaited).await;
}
