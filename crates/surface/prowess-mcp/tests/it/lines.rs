//! What a client may write that is no message, and what it gets for it.

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::{Home, McpHome as _, Raw, full};

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_default()
}

#[tokio::test]
async fn nonsense_is_answered_and_the_next_request_too() {
    let home = full();
    let mut client = Raw::begin(&home.server()).await;
    for (line, expected, id) in [
        ("this is no JSON", -32700, Value::Null),
        ("{\"jsonrpc\":\"2.0\",\"id\":1", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        ("7", -32600, Value::Null),
        ("{}", -32600, Value::Null),
        ("{\"id\":5}", -32600, json!(5)),
        ("{\"jsonrpc\":\"1.0\",\"id\":\"x\",\"method\":\"tools/list\"}", -32600, json!("x")),
        ("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":7}", -32600, json!(6)),
        ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\"}", -32602, json!(7)),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"resources/read\",\"params\":{\"uri\":[]}}",
            -32602,
            json!(8),
        ),
        ("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"does/not/exist\"}", -32601, json!(9)),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"skills/get\",\"params\":{\"uri\":\"skill://x\"}}",
            -32602,
            json!(10),
        ),
    ] {
        client.send(line).await;
        let answer = client.answer().await;
        assert_eq!((code(&answer), &answer["id"]), (expected, &id), "{line}\n{answer}");
    }
    // What needs no answer gets none.
    for line in ["", "   ", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/made-up\",\"params\":{}}"] {
        client.send(line).await;
    }
    client.send(b"\xff\xfe\x00").await;
    assert_eq!(code(&client.answer().await), -32700);
    let tools = client.ask("tools/list", json!({})).await;
    assert_eq!(tools["result"]["tools"].as_array().map(Vec::len), Some(7), "{tools}");
    client.end().await.unwrap();
}

#[tokio::test]
async fn nothing_is_understood_before_the_beginning_but_nothing_breaks() {
    let home = Home::new();
    let server = home.server();
    let mut client = Raw::connect(&server);
    client.send("hello?").await;
    assert_eq!(code(&client.answer().await), -32700);
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    client.send(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#).await;
    let early = client.ask("tools/list", json!({})).await;
    assert_eq!(code(&early), -32602, "{early}");
    let params = json!({"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
    let begun = client.ask("initialize", params).await;
    assert_eq!(begun["result"]["protocolVersion"], "2025-11-25", "{begun}");
    client.end().await.unwrap();
    // Somebody who hangs up at once is no failure.
    Raw::connect(&server).end().await.unwrap();
}

#[tokio::test]
async fn a_line_without_end_does_not_fill_the_memory() {
    let home = Home::new();
    let mut client = Raw::begin(&home.server()).await;
    let part = vec![b'x'; 1024 * 1024];
    let long = vec![part.as_slice(); 17].concat();
    client.send(&long).await;
    assert_eq!(code(&client.answer().await), -32600);
    assert!(client.ask("tools/list", json!({})).await["result"].is_object());
    client.end().await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_stopped_lets_its_clients_go() {
    let home = Home::new();
    let cancel = CancellationToken::new();
    let client = Raw::begin(&home.server_until(cancel.clone())).await;
    cancel.cancel();
    client.served.await.unwrap().unwrap();
}

#[tokio::test]
async fn lists_come_in_pages() {
    let home = Home::new();
    prowess_testkit::write_skills(&home.workspace().join("skills"), 160);
    let mut client = Raw::begin(&home.server()).await;
    for (method, field) in
        [("resources/list", "resources"), ("skills/list", "skills"), ("prompts/list", "prompts")]
    {
        let mut names: Vec<String> = Vec::new();
        let mut cursor = Value::Null;
        let mut pages = 0;
        loop {
            let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
            let page = client.ask(method, params).await["result"].clone();
            let key = if field == "prompts" { "name" } else { "uri" };
            names.extend(
                page[field].as_array().unwrap().iter().map(|item| item[key].as_str().unwrap().to_owned()),
            );
            pages += 1;
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert!(pages > 1, "{method}");
        // Three quarters of them can be used here: the rest needs programs and variables.
        let total = names.len();
        names.sort();
        names.dedup();
        assert_eq!((names.len(), total), (120, 120), "{method}");
    }
    client.end().await.unwrap();
}

#[tokio::test]
async fn an_agent_sees_what_it_may_use_and_nothing_else() {
    let home = full();
    home.config(r#"{ agents: { list: [{ id: "main", default: true, skills: ["dated"] }] } }"#);
    let mut client = Raw::begin(&home.server()).await;
    let listed = client.ask("skills/list", json!({})).await["result"]["skills"].clone();
    let uris: Vec<&Value> = listed.as_array().unwrap().iter().map(|skill| &skill["uri"]).collect();
    assert_eq!(uris, ["skill://dated/SKILL.md"]);
    let read = client.ask("resources/read", json!({"uri": "skill://tea/SKILL.md"})).await;
    assert_eq!(code(&read), -32602, "{read}");
    let all = json!({"name": "skill_list", "arguments": {"all": true}});
    let all = client.ask("tools/call", all).await["result"]["structuredContent"]["skills"].clone();
    assert_eq!(all.as_array().map(Vec::len), Some(1), "{all}");
    let call = json!({"name": "skill_read", "arguments": {"name": "tea"}});
    let read = client.ask("tools/call", call).await["result"].clone();
    assert!(
        read["isError"] == true
            && read["content"][0]["text"].as_str().unwrap().starts_with("there is no skill")
    );
    client.end().await.unwrap();
}

#[tokio::test]
async fn files_that_lead_elsewhere_are_not_served() {
    let home = full();
    home.write("elsewhere/secret.txt", "secret");
    let link = home.workspace().join("skills/tea/link.md");
    std::os::unix::fs::symlink(home.path().join("elsewhere/secret.txt"), link).unwrap();
    let mut client = Raw::begin(&home.server()).await;
    let entry = client.ask("skills/get", json!({"uri": "skill://tea/SKILL.md"})).await["result"].clone();
    assert!(!entry.to_string().contains("link.md"), "{entry}");
    let read = client.ask("resources/read", json!({"uri": "skill://tea/link.md"})).await;
    assert_eq!(code(&read), -32602, "{read}");
    client.end().await.unwrap();
}
