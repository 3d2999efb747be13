//! What operators ask.

use prowess_testkit::eventually;
use serde_json::json;

use crate::client::Client;
use crate::raw::{ask, ask_known, host};
use crate::support::{GatewayHome as _, Home};

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_counted_by_method_and_outcome() {
    let gateway = Home::new().start().await;
    gateway.call("health", json!({})).await;
    gateway.call("health", json!({})).await;
    gateway.call("health", json!({ "x": 1 })).await;
    gateway.call("made.up", json!({})).await;
    ask(gateway.address, "GET /metrics", &[&host(gateway.address)], "").await;
    let answer = ask_known(gateway.address, "GET /metrics", &[], "").await;
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    for line in [
        "prowess_gateway_calls_total{method=\"health\",outcome=\"ok\"} 2",
        "prowess_gateway_calls_total{method=\"health\",outcome=\"refused\"} 1",
        "prowess_gateway_calls_total{method=\"unknown\",outcome=\"refused\"} 1",
        "prowess_gateway_call_duration_seconds_count{method=\"health\"} 3",
        "prowess_gateway_http_requests_total{status=\"401\"} 1",
        "prowess_gateway_logins_denied_total{reason=\"missing\"} 1",
        "# TYPE prowess_gateway_call_duration_seconds histogram",
    ] {
        assert!(answer.body.contains(line), "{line}\n{}", answer.body);
    }
    assert!(!answer.body.contains("made.up"));
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_on_sockets_are_counted_and_so_is_what_they_say() {
    let gateway = Home::new().start().await;
    let figures = async || ask_known(gateway.address, "GET /metrics", &[], "").await.body;
    let mut stranger = Client::open(&gateway, &[]).await;
    stranger.connect(json!({ "auth": { "token": "wrong" } })).await;
    stranger.ended().await;
    let mut client = Client::program(&gateway).await;
    client.get("health", json!({})).await;
    let body = figures().await;
    for line in [
        "prowess_gateway_clients 1",
        "prowess_gateway_logins_denied_total{reason=\"mismatch\"} 1",
        "prowess_gateway_frames_total{direction=\"in\"} 3",
        "# TYPE prowess_gateway_frames_total counter",
    ] {
        assert!(body.contains(line), "{line}\n{body}");
    }
    drop(client);
    eventually("the end of the client", async || {
        figures().await.contains("prowess_gateway_clients 0").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_readiness_need_no_token_and_tell_nothing() {
    let address = Home::new().start().await.address;
    for (path, body) in [("GET /healthz", "ok"), ("GET /readyz", "ready")] {
        let answer = ask(address, path, &[&host(address)], "").await;
        assert_eq!((answer.status, answer.body.as_str()), (200, body));
    }
}
