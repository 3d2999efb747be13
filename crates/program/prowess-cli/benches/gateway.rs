//! The gateway as a process: from start to ready, at rest, and answering `skills.status`.
//!
//! CPU time is that of the process, counted by the kernel in hundredths of a second, so it is taken over many calls. The
//! baseline of a start is `prowess --version`; that of a call, as many bytes from a thread that answers without a thought.

#![allow(clippy::expect_used, reason = "a broken fixture should stop the benchmark")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use prowess_testkit::{Tree, figure, write_skills};
use serde_json::Value;

const SKILLS: usize = 60;
const STARTS: usize = 10;
const CALLS: usize = 5000;
/// What the kernel counts CPU time in, per second.
const TICKS: f64 = 100.0;

fn main() {
    // `cargo test --benches` only wants to know that it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let tree = Tree::new();
    write_skills(&tree.path("ws/skills"), SKILLS);
    std::fs::create_dir_all(tree.path("bundled")).expect("a folder");
    drop(Gateway::start(&tree));
    // The cache trusts a file once the grain of the clock has passed.
    std::thread::sleep(Duration::from_secs(4));
    figure("baseline of start to ready", "ms", (0..STARTS).map(|_| milliseconds(version)).collect());
    let starts = (0..STARTS).map(|_| Gateway::start(&tree).ready.as_secs_f64() * 1000.0);
    figure("start to ready", "ms", starts.collect());

    let gateway = Gateway::start(&tree);
    std::thread::sleep(Duration::from_secs(2));
    figure("memory at rest", "MB", vec![gateway.memory()]);
    let mut client = gateway.client();
    let size = client.call("skills.status", "{}").expect("an answer").len();
    for _ in 0..200 {
        client.call("skills.status", "{}").expect("an answer");
    }
    let before = gateway.cpu();
    let times = times_of_calls(&mut client);
    let cpu = (gateway.cpu() - before) / TICKS / CALLS as f64;
    figure("baseline of skills.status", "ms", times_of_calls(&mut thoughtless(size)));
    let mut sorted = times.clone();
    sorted.sort_by(f64::total_cmp);
    figure("skills.status", "ms", times);
    figure("skills.status, 99th percentile", "ms", vec![sorted[CALLS * 99 / 100]]);
    figure("CPU of one skills.status", "CPU ms", vec![cpu * 1000.0]);
    figure("memory after the calls", "MB", vec![gateway.memory()]);
    client.call("skills.match", "{\"message\":\"what is the weather in Bern?\"}").expect("an answer");
    figure("memory with the encoder", "MB", vec![gateway.memory()]);
}

fn milliseconds(mut act: impl FnMut()) -> f64 {
    let start = Instant::now();
    act();
    start.elapsed().as_secs_f64() * 1000.0
}

fn times_of_calls(client: &mut Client) -> Vec<f64> {
    let mut call = || drop(client.call("skills.status", "{}").expect("an answer"));
    (0..CALLS).map(|_| milliseconds(&mut call)).collect()
}

/// The program started and ended without doing anything.
fn version() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_prowess"));
    assert!(
        program.arg("--version").env_clear().stdout(Stdio::null()).status().expect("it starts").success()
    );
}

/// A client of a server that answers every request with the same bytes.
fn thoughtless(size: usize) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let host = listener.local_addr().expect("an address").to_string();
    let answer =
        [format!("HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n").into_bytes(), vec![b' '; size]]
            .concat();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut request = [0; 4096];
        // The requests are short and come one by one: a read is a request.
        while stream.read(&mut request).is_ok_and(|read| read > 0) && stream.write_all(&answer).is_ok() {}
    });
    Client::connect(&host, "")
}

/// A gateway that runs; ended when dropped.
struct Gateway {
    child: Child,
    address: String,
    token: String,
    ready: Duration,
}

impl Gateway {
    fn start(tree: &Tree) -> Self {
        let token = "a-token-for-a-benchmark-of-the-gateway";
        tree.write("home/.prowess/prowess.json", format!("{{gateway: {{auth: {{token: '{token}'}}}}}}"));
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_prowess"))
            .args(["gateway", "--json", "--port", "0", "--log-level", "warn"])
            .env_clear()
            .env("HOME", tree.path("home"))
            .env("PATH", "/usr/bin:/bin")
            .env("PROWESS_BUNDLED_SKILLS_DIR", tree.path("bundled"))
            .current_dir(tree.path("ws"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("output")).read_line(&mut line).expect("a line");
        let said: Value = serde_json::from_str(&line).expect("JSON");
        let address = said["address"].as_str().expect("an address").to_owned();
        let mut gateway = Self { child, address, token: token.to_owned(), ready: Duration::ZERO };
        assert_eq!(gateway.client().ask("GET /readyz", "").0, 200);
        gateway.ready = start.elapsed();
        gateway
    }

    fn client(&self) -> Client {
        Client::connect(&self.address, &self.token)
    }

    /// Resident memory in megabytes.
    fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a figure");
        line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number") / 1000.0
    }

    /// CPU time so far, in ticks.
    fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("Linux");
        let fields: Vec<&str> = stat.rsplit(") ").next().expect("fields").split(' ').collect();
        fields[11].parse::<f64>().expect("user time") + fields[12].parse::<f64>().expect("system time")
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One connection that is used again and again.
struct Client {
    stream: BufReader<TcpStream>,
    host: String,
    token: String,
}

impl Client {
    fn connect(host: &str, token: &str) -> Self {
        let stream = TcpStream::connect(host).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Self { stream: BufReader::new(stream), host: host.to_owned(), token: token.to_owned() }
    }

    /// The answer to a call; none if it was refused.
    fn call(&mut self, method: &str, params: &str) -> Option<Vec<u8>> {
        let (status, body) = self.ask(&format!("POST /api/v1/{method}"), params);
        (status == 200).then_some(body)
    }

    fn ask(&mut self, line: &str, body: &str) -> (u16, Vec<u8>) {
        let (host, token, length) = (&self.host, &self.token, body.len());
        let request = format!(
            "{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes()).expect("a request");
        let (mut status, mut length) = (0, 0);
        loop {
            let mut header = String::new();
            self.stream.read_line(&mut header).expect("a header");
            if status == 0 {
                status = header.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
            }
            if let Some(number) = header.to_lowercase().strip_prefix("content-length:") {
                length = number.trim().parse().expect("a length");
            }
            if header == "\r\n" {
                break;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer).expect("a body");
        (status, answer)
    }
}
