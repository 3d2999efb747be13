//! The server over HTTP, as far as the SDKs do not go.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::support::{Home, McpHome as _, full};

async fn serve(home: &Home, cancel: CancellationToken) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = axum::Router::new().nest("/mcp", home.server_until(cancel).router());
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// One request: the status, and the message in the answer if there is one.
async fn post(address: SocketAddr, path: &str, headers: &str, body: &str) -> (u16, Option<Value>) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split_whitespace().nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let message = answer.lines().find_map(|line| {
        let data = line.strip_prefix("data:").unwrap_or(line).trim();
        serde_json::from_str(data).ok().filter(Value::is_object)
    });
    (status, message)
}

/// A request that says everything itself, as the newest protocol has it.
async fn ask(address: SocketAddr, path: &str, header: &str, method: &str) -> Value {
    let body = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": method,
        "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }},
    });
    let headers = format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n{header}");
    let (status, answer) = post(address, path, &headers, &body.to_string()).await;
    answer.unwrap_or_else(|| panic!("no message, status {status}"))
}

fn uris(answer: &Value) -> Vec<&str> {
    let skills = answer["result"]["skills"].as_array().unwrap_or_else(|| panic!("{answer}"));
    skills.iter().filter_map(|skill| skill["uri"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_is_named_in_the_address_or_a_header() {
    let home = full();
    home.config(
        r#"{ agents: { list: [{ id: "main", default: true, skills: ["dated"] }, { id: "writer", skills: ["tea"] }] } }"#,
    );
    let address = serve(&home, CancellationToken::new()).await;
    let dated = ["skill://dated/SKILL.md"];
    let tea = ["skill://tea/SKILL.md"];
    assert_eq!(uris(&ask(address, "/mcp", "", "skills/list").await), dated);
    assert_eq!(uris(&ask(address, "/mcp?agent=writer", "", "skills/list").await), tea);
    assert_eq!(uris(&ask(address, "/mcp", "Prowess-Agent: writer\r\n", "skills/list").await), tea);
    let unknown = ask(address, "/mcp?agent=nobody", "", "skills/list").await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_refused() {
    let home = Home::new();
    let address = serve(&home, CancellationToken::new()).await;
    for body in ["", "no JSON", "[]", "{}", "{\"jsonrpc\":\"2.0\",\"id\":1}"] {
        let (status, _) = post(address, "/mcp", "", body).await;
        assert!((400..500).contains(&status), "{body:?}: {status}");
    }
    let huge = "x".repeat(5 * 1024 * 1024);
    let (status, _) = post(address, "/mcp", "", &huge).await;
    assert_eq!(status, 413);
    let unknown = ask(address, "/mcp", "", "no/such/method").await;
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn so_many_sessions_and_no_more() {
    let home = Home::new();
    let address = serve(&home, CancellationToken::new()).await;
    let initialize = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
    });
    let mut refused = None;
    for count in 0..300 {
        let (status, _) = post(address, "/mcp", "", &initialize.to_string()).await;
        if status != 200 {
            refused = Some((count, status));
            break;
        }
    }
    assert_eq!(refused, Some((256, 500)));
}
