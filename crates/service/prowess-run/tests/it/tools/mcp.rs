//! MCP servers: a small real one, written in Python, and some that are none.
#![allow(clippy::print_stderr, reason = "a test that cannot run here says so")]

use prowess_run::process::find_program;
use prowess_testkit::reached;
use prowess_testkit::web::{Answer, Web};
use serde_json::{Value, json};

use super::Run;
use crate::process::{assert_gone, environment, number_in, usual};

/// Line-delimited JSON-RPC: lists its tools on two pages, answers calls, has a child.
const SERVER: &str = r#"
import json, os, subprocess, sys
child = subprocess.Popen(["sleep", "600"])
with open("child", "w") as file:
    file.write(f"{child.pid}\n")
TOOLS = [
    {"name": "add", "description": "Adds", "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}}},
    {"name": "say it!", "inputSchema": {"type": "object"}},
    {"name": "fail", "inputSchema": {"type": "object"}},
    {"name": "environment", "inputSchema": {"type": "object"}},
    {"name": "hang", "inputSchema": {"type": "object"}},
]
def call(name, arguments):
    if name == "add":
        return {"content": [{"type": "text", "text": str(arguments["a"] + arguments["b"])}]}
    if name == "say it!":
        return {"content": [{"type": "text", "text": "x" * 100000}, {"type": "image", "data": "AAAA", "mimeType": "image/png"}]}
    if name == "environment":
        return {"content": [], "structuredContent": {"names": sorted(os.environ)}}
    return {"content": [{"type": "text", "text": "it broke"}], "isError": True}
for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if "id" not in message or method == "notifications/cancelled":
        continue
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "test", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": TOOLS[2:]} if params.get("cursor") == "2" else {"tools": TOOLS[:2], "nextCursor": "2"}
    elif method == "tools/call" and params["name"] == "hang":
        open("hangs", "a").write("x")
        continue
    elif method == "tools/call":
        result = call(params["name"], params.get("arguments") or {})
    else:
        result = {}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"#;

/// A run in which Python is found; none if there is no Python here.
fn run() -> Option<Run> {
    let path = format!("{}:/opt/homebrew/bin", usual().get("PATH").unwrap().expose());
    let run = Run::with(environment(&[("PATH", &path), ("KEY", "value")]));
    let python = find_program("python3", &run.context.environment.now());
    if python.is_none() {
        eprintln!("skipped: there is no python3 here");
    }
    python.map(|_| run)
}

fn server(script: &str) -> Value {
    json!({ "type": "mcp", "command": ["python3", "-c", script] })
}

#[tokio::test]
async fn the_tools_of_a_server_become_tools_of_the_run() {
    let Some(mut run) = run() else { return };
    run.configure("calc", server(SERVER)).await;
    let names = run.names();
    let ours: Vec<&str> = names.iter().map(String::as_str).filter(|name| name.starts_with("calc")).collect();
    assert_eq!(
        ours,
        ["calc_add", "calc_environment", "calc_fail", "calc_hang", "calc_say_it_"],
        "{:?}",
        run.notices()
    );
    let spec = run.tools.get("calc_add").unwrap().spec().clone();
    assert_eq!(
        (spec.description.as_str(), &spec.input["properties"]["a"]["type"]),
        ("Adds", &json!("number"))
    );
    let output = run.call("calc_add", json!({ "a": 2, "b": 3 })).await;
    assert_eq!((output.ok, output.text.as_str()), (true, "5"));
    let output = run.call("calc_fail", json!({})).await;
    assert_eq!((output.ok, output.text.as_str()), (false, "it broke"));
    let output = run.call("calc_say_it_", json!({})).await;
    assert!(
        output.ok && output.text.ends_with("[an image, image/png]") && output.omitted_bytes > 60_000,
        "{output:?}"
    );
    let asked = run.consent("calc_add", json!({ "a": 1 })).unwrap();
    assert_eq!(asked, "call `add` of the MCP server behind `calc_add` with {\"a\":1}");
    let output = run.call("calc_add", json!([1])).await;
    assert!(!output.ok, "{output:?}");
}

#[tokio::test]
async fn a_server_sees_the_environment_of_the_run_only_and_ends_with_it() {
    let Some(mut run) = run() else { return };
    run.configure("calc", server(SERVER)).await;
    let output = run.call("calc_environment", json!({})).await;
    let names = serde_json::from_str::<Value>(&output.text).unwrap();
    // Python adds the locale it chose by itself.
    let names: Vec<&str> = names["names"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .filter(|name| *name != "LC_CTYPE")
        .collect();
    assert_eq!(names, ["KEY", "PATH"]);
    let child = number_in(run.path("workspace/child")).await;
    drop(run);
    assert_gone(child).await;
}

#[tokio::test]
async fn one_tool_can_be_had_under_the_configured_name() {
    let Some(mut run) = run() else { return };
    let mut value = server(SERVER);
    value["tool"] = json!("add");
    run.configure("plus", value.clone()).await;
    assert_eq!(run.call("plus", json!({ "a": 1, "b": 1 })).await.text, "2");
    assert!(!run.names().iter().any(|name| name.starts_with("plus_")));
    value["tool"] = json!("subtract");
    run.configure("minus", value).await;
    let told = run.notices();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("the tool `minus` is not available: it has no tool `subtract`; it has `add`, "),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_call_that_hangs_is_given_up() {
    let Some(mut run) = run() else { return };
    let mut value = server(SERVER);
    value["timeoutMs"] = json!(300);
    run.configure("calc", value).await;
    let output = run.call("calc_hang", json!({})).await;
    assert_eq!(output.text, "`calc_hang` did not answer within 0.3 s");
    run.configure("patient", server(SERVER)).await;
    let (cancel, hangs) = (run.context.cancel.clone(), run.path("workspace/hangs"));
    let stop = async {
        reached("the second call", || std::fs::read(&hangs).is_ok_and(|calls| calls.len() == 2)).await;
        cancel.cancel();
    };
    let (output, ()) = tokio::join!(run.call("patient_hang", json!({})), stop);
    assert_eq!(output.text, "[stopped: the run was cancelled]");
}

#[tokio::test]
async fn what_is_no_server_is_told_and_the_run_goes_on() {
    let mut run = Run::new();
    let script = "echo broken config >&2; exit 1";
    run.configure("broken", json!({ "type": "mcp", "command": ["sh", "-c", script] })).await;
    run.configure("talker", json!({ "type": "mcp", "command": ["sh", "-c", "echo hello; echo '{}'"] })).await;
    run.configure("absent", json!({ "type": "mcp", "command": ["no-such-server"] })).await;
    run.configure("remote", json!({ "type": "mcp", "url": "http://127.0.0.1:9/planted-token" })).await;
    let told = run.notices();
    assert_eq!(told.len(), 4, "{told:?}");
    for (told, name) in told.iter().zip(["broken", "talker", "absent", "remote"]) {
        assert!(told.starts_with(&format!("the tool `{name}` is not available: ")), "{told}");
    }
    assert!(told[0].contains("broken config"), "{told:?}");
    assert!(told[2].ends_with("there is no program `no-such-server` on this machine"), "{told:?}");
    assert!(!told.concat().contains("planted"), "an address may have a secret in it: {told:?}");
    assert!(run.call("exec", json!({ "command": "true" })).await.ok);
}

/// Streamable HTTP without streams: each message is a request, each answer a JSON body.
fn remote() -> Web {
    Web::start(|request| {
        let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let result = match message["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "remote", "version": "1" }
            }),
            Some("tools/list") => json!({ "tools": [{ "name": "up", "inputSchema": { "type": "object" } }] }),
            Some("tools/call") => {
                let text = message["params"]["arguments"]["text"].as_str().unwrap_or_default().to_uppercase();
                json!({ "content": [{ "type": "text", "text": text }] })
            }
            Some(_) => return Answer::status(202, ""),
            None => return Answer::status(405, ""),
        };
        Answer::json(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }))
            .header("content-type", "application/json")
    })
}

#[tokio::test]
async fn a_server_is_reached_over_http_with_the_users_headers() {
    let server = remote();
    let mut run = Run::new();
    let headers = json!({ "Authorization": "Bearer planted-secret" });
    run.configure("far", json!({ "type": "mcp", "url": server.url("/mcp"), "headers": headers })).await;
    let output = run.call("far_up", json!({ "text": "hello" })).await;
    assert_eq!((output.ok, output.text.as_str()), (true, "HELLO"));
    let requests = server.requests();
    assert!(requests.iter().all(|request| request.header("authorization") == Some("Bearer planted-secret")));
    assert_eq!(run.notices(), Vec::<String>::new());
}

#[tokio::test]
async fn a_server_over_http_does_not_lead_elsewhere() {
    let server = remote();
    let target = server.url("/mcp");
    let front = Web::start(move |_| Answer::redirect(307, &target));
    let mut run = Run::new();
    run.configure("far", json!({ "type": "mcp", "url": front.url("/mcp") })).await;
    let told = run.notices();
    assert_eq!(
        told,
        ["the tool `far` is not available: it does not speak MCP: it redirects to another origin"]
    );
    assert!(server.requests().is_empty());
}
