//! The gateway as a process: from start to ready, at rest, and answering `skills.status`.
//!
//! Prints a table. Times are those of this machine; CPU time is that of the process, counted by the kernel in
//! hundredths of a second, so it is taken over many calls.

#![allow(clippy::expect_used, reason = "a broken fixture should stop the benchmark")]
#![allow(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use prowess_testkit::{Tree, write_skills};
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
    let mut starts: Vec<Duration> = (0..STARTS).map(|_| Gateway::start(&tree).ready).collect();
    starts.sort();
    println!("| {SKILLS} skills | measured |\n|---|---|");
    println!(
        "| start to ready, median of {STARTS} (fastest) | {} ({}) |",
        ms(starts[STARTS / 2]),
        ms(starts[0])
    );

    let gateway = Gateway::start(&tree);
    std::thread::sleep(Duration::from_secs(2));
    println!("| memory at rest, no encoder | {:.1} MB |", gateway.memory());
    let mut client = gateway.client();
    let size = client.call("skills.status", "{}").expect("an answer").len();
    for _ in 0..200 {
        client.call("skills.status", "{}").expect("an answer");
    }
    let before = gateway.cpu();
    let mut times: Vec<Duration> = (0..CALLS)
        .map(|_| {
            let start = Instant::now();
            client.call("skills.status", "{}").expect("an answer");
            start.elapsed()
        })
        .collect();
    let cpu = (gateway.cpu() - before) / TICKS / CALLS as f64;
    times.sort();
    println!("| `skills.status`, {} kB, p50 of {CALLS} | {} |", size / 1000, ms(times[CALLS / 2]));
    println!("| … p99 | {} |", ms(times[CALLS * 99 / 100]));
    println!("| … CPU per call, whole process | {:.3} ms |", cpu * 1000.0);
    println!("| memory after {CALLS} calls | {:.1} MB |", gateway.memory());
    match client.call("skills.match", "{\"message\":\"what is the weather in Bern?\"}") {
        Some(_) => println!("| memory with the encoder | {:.1} MB |", gateway.memory()),
        None => println!("| memory with the encoder | not measured: there is no `skills.match` |"),
    }
}

fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
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
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Client { stream: BufReader::new(stream), host: self.address.clone(), token: self.token.clone() }
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
