//! Who is let in over HTTP.

use serde_json::{Value, json};

use crate::raw::{Answer, ask, ask_known, host};
use crate::support::{GatewayHome as _, Home, TOKEN};

const JSON: &str = "Content-Type: application/json";

fn error(answer: &Answer) -> Value {
    serde_json::from_str::<Value>(&answer.body).expect("errors are JSON")["error"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_are_not_ours_are_not_answered_to() {
    let home = Home::new();
    home.write(".prowess/prowess.json", "{gateway: {hosts: ['box.lan']}}");
    let address = home.start().await.address;
    let port = address.port();
    for (name, status) in [
        (format!("127.0.0.1:{port}"), 200),
        (format!("localhost:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        ("box.lan".to_owned(), 200),
        (format!("evil.example:{port}"), 421),
        ("localhost".to_owned(), 421),
        (format!("192.0.2.7:{port}"), 421),
    ] {
        let answer = ask(address, "GET /healthz", &[&format!("Host: {name}")], "").await;
        assert_eq!(answer.status, status, "{name}");
    }
    let upgrade = ["Host: evil.example", "Connection: upgrade", "Upgrade: websocket"];
    assert_eq!(ask(address, "GET /ws", &upgrade, "").await.status, 421);
    // A request that names two hosts must mean us by both.
    let line = "GET http://evil.example/healthz";
    assert_eq!(ask(address, line, &[&host(address)], "").await.status, 421);
    assert_eq!(ask(address, "GET /healthz", &[], "").await.status, 421);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_strangers_are_refused_whatever_they_bring() {
    let home = Home::new();
    home.write(
        ".prowess/prowess.json",
        "{gateway: {controlUi: {allowedOrigins: ['https://studio.example.org']}}}",
    );
    let address = home.start().await.address;
    for (origin, status) in [
        ("https://studio.example.org", 200),
        ("http://localhost:3000", 200),
        ("https://evil.example", 403),
        ("null", 403),
    ] {
        let headers = [&format!("Origin: {origin}"), JSON];
        let answer = ask_known(address, "POST /api/v1/health", &headers, "{}").await;
        assert_eq!(answer.status, status, "{origin}");
        let allowed = answer.header("access-control-allow-origin");
        assert_eq!(allowed, (status == 200).then_some(origin));
        let page = ask(address, "GET /", &[&host(address), headers[0]], "").await;
        assert_eq!(page.status, status, "{origin}");
    }
    let ask_first = ["Origin: http://localhost:3000", "Access-Control-Request-Method: POST"];
    let host = host(address);
    let headers = [&[host.as_str()], ask_first.as_slice()].concat();
    let preflight = ask(address, "OPTIONS /api/v1/health", &headers, "").await;
    assert_eq!(preflight.status, 204);
    assert_eq!(preflight.header("access-control-allow-headers"), Some("authorization, content-type"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_is_needed_and_only_in_the_header() {
    let address = Home::new().start().await.address;
    let host = host(address);
    for path in
        ["GET /api/v1", "GET /api/v1/openapi.json", "GET /api/v1/events", "GET /metrics", "GET /api/x"]
    {
        let answer = ask(address, path, &[&host], "").await;
        assert_eq!(answer.status, 401, "{path}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        assert_eq!(error(&answer)["details"]["code"], "AUTH_TOKEN_MISSING");
    }
    for line in [format!("POST /api/v1/health?token={TOKEN}"), format!("POST /api/v1/health?auth={TOKEN}")] {
        assert_eq!(ask(address, &line, &[&host, JSON], "{}").await.status, 401);
    }
    let wrong = ask(address, "POST /api/v1/health", &[&host, JSON, "Authorization: Bearer nope"], "{}").await;
    assert_eq!((wrong.status, &error(&wrong)["message"]), (401, &json!("unauthorized")));
    assert_eq!(error(&wrong)["details"]["code"], "AUTH_TOKEN_MISMATCH");
    let cookie = format!("Cookie: token={TOKEN}");
    assert_eq!(ask(address, "POST /api/v1/health", &[&host, JSON, &cookie], "{}").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_is_stopped() {
    let address = Home::new().start().await.address;
    let host = host(address);
    let guess = |number: u32| format!("Authorization: Bearer guess-{number}");
    for number in 0..10 {
        let answer = ask(address, "POST /api/v1/health", &[&host, &guess(number)], "").await;
        assert_eq!(answer.status, 401, "{number}");
    }
    let answer = ask(address, "POST /api/v1/health", &[&host, &guess(11)], "").await;
    assert_eq!(answer.status, 429);
    assert_eq!(error(&answer)["details"]["code"], "AUTH_RATE_LIMITED");
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=300).contains(&wait), "{wait}");
    assert_eq!(ask(address, "GET /healthz", &[&host], "").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_says_that_it_is_no_page_and_sets_no_cookie() {
    let address = Home::new().start().await.address;
    for line in ["GET /healthz", "GET /api/v1", "GET /assets/nothing.js", "POST /"] {
        let answer = ask_known(address, line, &[], "").await;
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{line}");
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{line}");
        assert!(answer.header("content-security-policy").unwrap().contains("default-src 'none'"), "{line}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{line}");
        assert_eq!(answer.header("set-cookie"), None, "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mount_is_behind_the_same_guard() {
    let home = Home::new();
    let mount = axum::Router::new()
        .route("/tool", axum::routing::get(async || "mounted"))
        .fallback(async || "whatever is asked");
    let gateway = home.start_with(|options| options.mounts.push(("/mcp".to_owned(), mount))).await;
    let address = gateway.address;
    assert_eq!(ask_known(address, "GET /mcp/tool", &[], "").await.body, "mounted");
    assert_eq!(ask_known(address, "GET /mcp", &[], "").await.body, "whatever is asked");
    for line in ["GET /mcp/tool", "GET /mcp", "GET /mcp/", "POST /mcp", "GET /mcp/else", "DELETE /mcp?x"] {
        assert_eq!(ask(address, line, &[&host(address)], "").await.status, 401, "{line}");
    }
    let stranger = ["Origin: https://evil.example"];
    assert_eq!(ask_known(address, "GET /mcp/tool", &stranger, "").await.status, 403);
}
