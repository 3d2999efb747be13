//! A call over the Model Context Protocol: a line to `prowess mcp` and its answer.
//!
//! The baseline is `cat`, which sends the same line back.

#![allow(clippy::expect_used, reason = "a broken fixture should stop the benchmark")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use divan::Bencher;
use prowess_testkit::{Tree, write_skills};
use serde_json::{Value, json};

const SKILLS: usize = 60;

fn main() {
    divan::main();
}

/// A program that answers each line with a line; ended when dropped.
struct Partner {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Partner {
    fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    fn ask(&mut self, line: &str) -> String {
        self.input.write_all(line.as_bytes()).expect("a line is taken");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("a line");
        answer
    }
}

impl Drop for Partner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn request(method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string() + "\n"
}

fn call(tool: &str, arguments: Value) -> String {
    request("tools/call", json!({"name": tool, "arguments": arguments}))
}

/// Calls one tool again and again; every answer is a success.
fn bench_call(bencher: Bencher<'_, '_>, line: &str) {
    let tree = Tree::new();
    write_skills(&tree.path("ws/skills"), SKILLS);
    let mut command = Command::new(env!("CARGO_BIN_EXE_prowess"));
    command.arg("mcp").current_dir(tree.path("ws"));
    let mut server = Partner::start(command.env_clear().stderr(Stdio::null()).envs([
        ("HOME", tree.path("home")),
        ("PATH", "/usr/bin:/bin".into()),
        ("PROWESS_BUNDLED_SKILLS_DIR", tree.path("bundled")),
    ]));
    let client = json!({"name": "bench", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    server.ask(&request("initialize", params));
    let first: Value = serde_json::from_str(&server.ask(line)).expect("JSON");
    assert!(first["error"].is_null() && first["result"]["isError"] != true, "{first}");
    bencher.bench_local(|| server.ask(line));
}

#[divan::bench]
fn baseline(bencher: Bencher<'_, '_>) {
    let line = call("skill_read", json!({"name": "skill-00003"}));
    let mut cat = Partner::start(&mut Command::new("/bin/cat"));
    bencher.bench_local(|| cat.ask(&line));
}

#[divan::bench]
fn skill_read(bencher: Bencher<'_, '_>) {
    bench_call(bencher, &call("skill_read", json!({"name": "skill-00003"})));
}

#[divan::bench]
fn skill_list(bencher: Bencher<'_, '_>) {
    bench_call(bencher, &call("skill_list", json!({})));
}

#[divan::bench]
fn skill_search(bencher: Bencher<'_, '_>) {
    bench_call(bencher, &call("skill_search", json!({"query": "do task number 17 and its report"})));
}
