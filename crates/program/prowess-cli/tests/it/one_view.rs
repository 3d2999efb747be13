//! What a surface shows is what its run used: names and texts, over one tree that changes.
//!
//! The command line reads the tree anew for each command; the gateway and the MCP server hold a live view. A scripted
//! model logs every request, and what each surface said before and after is compared with that. The Studio shows the
//! gateway's answers and nothing else, so its part is compared here, too.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use prowess_testkit::chat::{ChatServer, Received, Turn};
use prowess_testkit::{SkillFile, wait_for};
use serde_json::{Value, json};

use crate::support::{Home, Program as _};

const MESSAGE: &str = "will it rain in Bern tomorrow?";

/// A tree with a few skills whose model is the server.
fn home(server: &ChatServer) -> Home {
    let home = Home::new();
    home.config(&format!(
        "{{agents: {{defaults: {{model: 'test/scripted'}}}}, models: {{providers: {{test: {{api: 'openai-completions', \
         baseUrl: '{}', apiKey: 'sk-scripted'}}}}}}}}",
        server.url()
    ));
    weather(&home, "first");
    skill(&home, "invoices", "Writes invoices and reminds customers who did not pay.", "Use the template.");
    skill(&home, "photos", "Sorts photos by place and day.", "Never delete a photo.");
    home
}

fn skill(home: &Home, name: &str, description: &str, body: &str) {
    home.add(&SkillFile::new(name).description(description).body(&format!("{body}\n")));
}

fn weather(home: &Home, version: &str) {
    let description = "Current weather and forecasts for any place: rain, snow, wind, temperature.";
    skill(home, "weather", description, &rule(version));
}

/// A text that occurs nowhere else.
fn rule(version: &str) -> String {
    format!("Always name the source, as the {version} edition says.")
}

/// A gateway of the home.
struct Gateway {
    child: Child,
    address: String,
    token: String,
}

impl Gateway {
    fn start(home: &Home) -> Self {
        let mut child = home
            .process()
            .args(["--json", "gateway", "--port", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a gateway");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let said: Value = serde_json::from_str(&line).expect("JSON");
        let url = home.good(&["gateway", "url", "--token"]);
        let token = url.trim().split_once("#token=").expect("a token").1.to_owned();
        Self { child, address: said["address"].as_str().expect("an address").to_owned(), token }
    }

    fn call(&self, method: &str, params: &Value) -> Value {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let body = params.to_string();
        write!(
            stream,
            "POST /api/v1/{method} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        )
        .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        assert!(head.starts_with("HTTP/1.1 200"), "{method}: {answer}");
        let body = if head.to_lowercase().contains("transfer-encoding: chunked") {
            joined(body)
        } else {
            body.into()
        };
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{method}: {error}: {body}"))
    }

    /// The names of the skills that the page calls ready.
    fn ready(&self) -> BTreeSet<String> {
        let status = self.call("skills.status", &json!({}));
        let skills = status["skills"].as_array().expect("a list").iter();
        skills.filter(|skill| skill["eligible"] == true).filter_map(|skill| text(&skill["name"])).collect()
    }

    /// One run to its end; gives the id of its session.
    fn run(&self) -> String {
        let run = self.call("runs.start", &json!({ "message": MESSAGE }));
        let ended = self.call("runs.wait", &json!({ "runId": run["runId"], "timeoutMs": 60_000 }));
        assert_eq!(ended["report"]["answer"], "Yes.", "{ended:#}");
        text(&ended["report"]["session"]).expect("a session")
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The chunks of a body in one.
fn joined(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).expect("a size");
        whole += &rest[..size];
        body = rest[size..].trim_start_matches("\r\n");
    }
    whole
}

/// An MCP server of the home, spoken to as a host does.
struct Mcp {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Mcp {
    fn start(home: &Home) -> Self {
        let mut child = home
            .process()
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a server");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Self { child, input, output, next: 0 };
        let client = json!({ "name": "host", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        server.ask("initialize", &params);
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        writeln!(server.input, "{ready}").expect("a line");
        server
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(self.input, "{request}").expect("a line");
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("a line") > 0, "the server ended");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    }

    /// The names of the skills that the host is told about.
    fn listed(&mut self) -> BTreeSet<String> {
        let answer = self.ask("tools/call", &json!({ "name": "skill_list", "arguments": {} }));
        let skills = answer["structuredContent"]["skills"].as_array().unwrap_or_else(|| panic!("{answer:#}"));
        skills.iter().filter_map(|skill| text(&skill["name"])).collect()
    }

    /// The text of a skill, as the host gets it.
    fn read(&mut self, name: &str) -> String {
        let answer = self.ask("tools/call", &json!({ "name": "skill_read", "arguments": { "name": name } }));
        answer["content"].to_string()
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Asks until the answer is so.
fn until<T>(mut ask: impl FnMut() -> T, is_so: impl Fn(&T) -> bool) -> T {
    wait_for("an answer", || Some(ask()).filter(&is_so))
}

/// The last request that the model got.
fn last(server: &ChatServer) -> Received {
    server.requests().pop().expect("a request")
}

/// The names and forms of the skills in an answer.
fn forms(skills: &Value) -> Vec<(String, String)> {
    let skills = skills.as_array().unwrap_or_else(|| panic!("no list: {skills}")).iter();
    skills.filter_map(|skill| Some((text(&skill["name"])?, text(&skill["how"])?))).collect()
}

/// The user's words as they are sent, with the block in front of them.
fn sent(context: &Value, message: &str) -> String {
    context.as_str().map_or_else(|| message.to_owned(), |context| format!("{context}\n\n{message}"))
}

/// Compares what a stored prompt says with the request that the model got.
fn is_as_sent(stored: &Value, request: &Received) {
    assert_eq!(stored["system"], request.system());
    assert_eq!(
        sent(&stored["context"], stored["message"].as_str().expect("a message")),
        request.last_words()
    );
    for (name, how) in forms(&stored["skills"]) {
        let whole = format!("{}{}", request.system(), request.last_words());
        assert!(whole.contains(&name), "{name} {how} is in the request: {whole}");
    }
}

/// A run of the gateway: its pages before it, the model's request, and its pages after it tell the same.
fn gateway_agrees(gateway: &Gateway, server: &ChatServer) -> Received {
    let promised = gateway.call("skills.prompt", &json!({ "message": MESSAGE }));
    let session = gateway.run();
    let request = last(server);
    let system = promised["text"].as_str().expect("a text").trim().to_owned();
    assert!(request.system().contains(&system), "{system}\n\n{}", request.system());
    assert_eq!(request.last_words(), sent(&promised["context"], MESSAGE));
    let got = gateway.call("sessions.get", &json!({ "session": session }));
    assert_eq!(forms(&got["activations"][0]["shown"]), forms(&promised["skills"]));
    let stored = gateway.call("sessions.prompt", &json!({ "session": session }));
    is_as_sent(&stored["prompt"], &request);
    request
}

/// A run of the command line, compared in the same way.
fn command_line_agrees(home: &Home, server: &ChatServer) -> Received {
    let report = home.json(&["run", "--json", "--yes", MESSAGE]);
    let request = last(server);
    let session = report["session"].as_str().expect("a session");
    let stored = home.json(&["sessions", "prompt", session, "--json"]).to_string();
    let stored = stored.replace("[ROOT]", &home.tree.root().display().to_string());
    let stored: Value = serde_json::from_str(&stored).expect("JSON");
    is_as_sent(&stored, &request);
    let mut shown: Vec<String> = forms(&stored["skills"]).into_iter().map(|(name, _)| name).collect();
    shown.dedup();
    assert_eq!(report["prompt"]["shown"], json!(shown));
    let ready: BTreeSet<String> = ready(home);
    assert!(shown.iter().all(|name| ready.contains(name)), "{shown:?} of {ready:?}");
    request
}

/// The names of the skills that a command calls ready.
fn ready(home: &Home) -> BTreeSet<String> {
    let list = home.json(&["list", "--json"]);
    let skills = list["skills"].as_array().expect("a list").iter();
    skills.filter(|skill| skill["eligible"] == true).filter_map(|skill| text(&skill["name"])).collect()
}

fn has_text(request: &Received, version: &str) -> bool {
    request.last_words().contains(&rule(version)) || request.system().contains(&rule(version))
}

#[test]
fn what_a_surface_shows_is_what_the_run_used() {
    let server = ChatServer::answering(|_| Turn::say("Yes."));
    let home = home(&server);
    let gateway = Gateway::start(&home);
    let mut mcp = Mcp::start(&home);
    let names = |more: &[&str]| -> BTreeSet<String> {
        ["invoices", "photos", "weather"].iter().chain(more).map(|name| (*name).to_owned()).collect()
    };

    // The tree as it is at first.
    assert_eq!((ready(&home), gateway.ready(), mcp.listed()), (names(&[]), names(&[]), names(&[])));
    assert!(has_text(&gateway_agrees(&gateway, &server), "first"));
    assert!(has_text(&command_line_agrees(&home, &server), "first"));
    assert!(mcp.read("weather").contains(&rule("first")));

    // A skill comes, and a text changes.
    skill(&home, "tides", "Tells when the sea is high.", "Ask the harbour.");
    weather(&home, "second");
    until(|| gateway.ready(), |ready| *ready == names(&["tides"]));
    until(|| mcp.listed(), |listed| *listed == names(&["tides"]));
    until(|| mcp.read("weather"), |read| read.contains(&rule("second")));
    until(
        || gateway.call("skills.prompt", &json!({ "message": MESSAGE }))["context"].to_string(),
        |context| context.contains(&rule("second")),
    );
    assert_eq!(ready(&home), names(&["tides"]));
    assert!(has_text(&gateway_agrees(&gateway, &server), "second"));
    assert!(has_text(&command_line_agrees(&home, &server), "second"));

    // A broken edit: a live view keeps the last good version in its pages and in its runs; a new process has none.
    home.tree.write("ws/skills/weather/SKILL.md", "---\nname: weather\n---\nNo description.\n");
    until(
        || gateway.call("skills.status", &json!({}))["staleEdits"].clone(),
        |stale| stale.as_array().is_some_and(|stale| stale.len() == 1),
    );
    assert_eq!(gateway.ready(), names(&["tides"]));
    assert!(mcp.listed().contains("weather") && mcp.read("weather").contains(&rule("second")));
    assert!(has_text(&gateway_agrees(&gateway, &server), "second"));
    assert!(!ready(&home).contains("weather"));
    let request = command_line_agrees(&home, &server);
    assert!(!has_text(&request, "second") && !request.last_words().contains("forecasts"), "{request:?}");

    // Repaired, everything is new again, and a skill that went is gone everywhere.
    weather(&home, "third");
    std::fs::remove_dir_all(home.tree.path("ws/skills/tides")).expect("removed");
    until(|| gateway.ready(), |ready| *ready == names(&[]));
    until(|| mcp.listed(), |listed| *listed == names(&[]));
    until(|| mcp.read("weather"), |read| read.contains(&rule("third")));
    until(
        || gateway.call("skills.prompt", &json!({ "message": MESSAGE }))["context"].to_string(),
        |context| context.contains(&rule("third")),
    );
    assert!(has_text(&gateway_agrees(&gateway, &server), "third"));
    assert!(has_text(&command_line_agrees(&home, &server), "third"));
    assert_eq!(ready(&home), names(&[]));
}
