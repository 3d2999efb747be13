//! The gateway under more than it is made for. These take minutes: `cargo xtask soak` runs them, optimised, one after
//! the other, and keeps what they print.

mod socket;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use prowess_testkit::{figure, write_skills};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::{Home, Program as _};
use socket::Socket;

const TOKEN: &str = "a-token-for-hard-times-that-nobody-guesses";
const CLIENTS: usize = 1000;
const SKILLS: usize = 60;
/// Each client asks this often over HTTP: 200 calls a second in sum,
const PERIOD: Duration = Duration::from_secs(5);
/// and this often over a WebSocket: 1,000 calls a second in sum.
const SHORT_PERIOD: Duration = Duration::from_secs(1);
const TIME: Duration = Duration::from_mins(1);

/// The running gateway; killed when dropped.
struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn start(home: &Home) -> Self {
        let mut child = home
            .process()
            .env("PATH", "/usr/bin:/bin")
            .args(["gateway", "--json", "--port", "0", "--log-level", "error"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).expect("one line of JSON");
        Self { child, address: said["address"].as_str().unwrap().to_owned() }
    }

    fn request(&self, line: &str, token: &str, body: &str) -> String {
        let (host, length) = (&self.address, body.len());
        format!(
            "{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )
    }

    /// One call on a connection of its own; none if the gateway went away meanwhile.
    fn call(&self, method: &str, params: &Value) -> Option<(u16, Value)> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let request = self.request(&format!("POST /api/v1/{method}"), TOKEN, &params.to_string());
        stream.write_all(request.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let status = answer.split(' ').nth(1)?.parse().ok()?;
        Some((status, serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()?))
    }

    /// Resident memory in kilobytes.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// CPU time so far, in hundredths of a second.
    fn cpu(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn home() -> Home {
    let home = Home::new();
    home.config(&format!("{{gateway: {{auth: {{token: '{TOKEN}'}}}}}}"));
    write_skills(&home.tree.path("ws/skills"), SKILLS);
    home
}

/// One client that asks again and again on one connection. Gives how long each answer took.
async fn client(serving: Arc<Serving>, number: usize, until: Instant) -> Vec<Duration> {
    wait_for_turn(number, PERIOD).await;
    let request = serving.request("POST /api/v1/skills.status", TOKEN, "{}");
    let mut stream = tokio::net::TcpStream::connect(&serving.address).await.expect("a connection");
    let mut times = Vec::new();
    let mut turn = tokio::time::interval(PERIOD);
    while Instant::now() < until {
        turn.tick().await;
        let start = Instant::now();
        stream.write_all(request.as_bytes()).await.expect("a request is taken");
        let answer = answer(&mut stream).await;
        assert_eq!(answer["skills"].as_array().map(Vec::len), Some(SKILLS));
        times.push(start.elapsed());
    }
    times
}

/// The same on a WebSocket, more often.
async fn socket_client(serving: Arc<Serving>, number: usize, until: Instant) -> Vec<Duration> {
    wait_for_turn(number, PERIOD).await;
    let mut socket = Socket::open(&serving.address, TOKEN).await;
    let mut times = Vec::new();
    let mut turn = tokio::time::interval(SHORT_PERIOD);
    while Instant::now() < until {
        turn.tick().await;
        let start = Instant::now();
        let answer = socket.call("skills.status", &json!({})).await;
        times.push(start.elapsed());
        assert_eq!(answer.matches(r#""skillKey":"#).count(), SKILLS);
    }
    times
}

/// Clients come one after the other.
async fn wait_for_turn(number: usize, period: Duration) {
    tokio::time::sleep(period.mul_f64(number as f64 / CLIENTS as f64)).await;
}

/// A whole answer, read from a connection that stays open.
async fn answer(stream: &mut tokio::net::TcpStream) -> Value {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") {
            break end + 4;
        }
        assert!(stream.read_buf(&mut bytes).await.expect("an answer") > 0, "the connection was lost");
    };
    let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
    assert!(text.starts_with("http/1.1 200"), "{text}");
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")).expect("a length");
    let length: usize = length.trim().parse().expect("a number");
    while bytes.len() < head + length {
        assert!(stream.read_buf(&mut bytes).await.expect("an answer") > 0, "the connection was lost");
    }
    serde_json::from_slice(&bytes[head..]).expect("JSON")
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// A thousand clients for a minute; each of them asks at least so often.
fn a_thousand<Client>(how: &str, client: fn(Arc<Serving>, usize, Instant) -> Client, least: usize)
where
    Client: Future<Output = Vec<Duration>> + Send + 'static,
{
    let home = home();
    let serving = Arc::new(Serving::start(&home));
    serving.call("skills.status", &json!({})).unwrap();
    let (before, cpu, until) = (serving.memory(), serving.cpu(), Instant::now() + TIME);
    let (mut times, most) = runtime().block_on(async {
        let clients: Vec<_> =
            (0..CLIENTS).map(|number| tokio::spawn(client(Arc::clone(&serving), number, until))).collect();
        let mut most = 0;
        while Instant::now() < until {
            most = most.max(serving.memory());
            // How often memory is looked at.
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        let mut times = Vec::new();
        for client in clients {
            times.extend(client.await.expect("every request of every client is answered"));
        }
        (times, most)
    });
    times.sort();
    let calls = times.len();
    let figure = |what: &str, unit: &str, values: Vec<f64>| {
        figure(&format!("1,000 clients {how}, {what}"), unit, values);
    };
    let milliseconds = |time: &Duration| time.as_secs_f64() * 1000.0;
    figure("answers in a minute", "", vec![calls as f64]);
    figure("one call", "ms", times.iter().map(milliseconds).collect());
    figure("99th percentile", "ms", vec![milliseconds(&times[calls * 99 / 100])]);
    figure("CPU of one call", "CPU ms", vec![(serving.cpu() - cpu) as f64 * 10.0 / calls as f64]);
    figure("memory before", "MB", vec![before as f64 * 1024.0 / 1e6]);
    figure("memory at most", "MB", vec![most as f64 * 1024.0 / 1e6]);
    assert!(calls >= CLIENTS * least, "{calls}");
    assert!(most < 150_000, "{most} kB");
}

#[test]
#[ignore = "takes more than a minute; `cargo xtask soak` runs it"]
fn soak_a_thousand_clients_lose_no_answer() {
    a_thousand("over HTTP", client, 11);
}

#[test]
#[ignore = "takes more than a minute; `cargo xtask soak` runs it"]
fn soak_a_thousand_clients_on_websockets_lose_no_answer() {
    a_thousand("on WebSockets", socket_client, 50);
}

#[test]
#[ignore = "takes half a minute; `cargo xtask soak` runs it"]
fn soak_half_open_sockets_go_away_and_keep_nobody_out() {
    let home = home();
    let serving = Serving::start(&home);
    serving.call("skills.status", &json!({})).unwrap();
    let before = serving.memory();
    let mut open: Vec<TcpStream> = Vec::new();
    for _ in 0..5000 {
        open.push(TcpStream::connect(&serving.address).unwrap());
        // The descriptors of this process are not the point.
        if open.len() > 900 {
            open.remove(0);
        }
    }
    let last = Instant::now();
    assert_eq!(serving.call("health", &json!({})).unwrap().0, 200);
    let is_open = |stream: &TcpStream| {
        stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        matches!((&mut &*stream).read(&mut [0]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    };
    let held = open.iter().filter(|stream| is_open(stream)).count();
    for stream in &mut open {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        assert!(!matches!(stream.read(&mut [0]), Ok(1..)), "nothing was asked");
    }
    let (gone, after) = (last.elapsed(), serving.memory());
    println!(
        "soak: 5000 half-open sockets: {held} were held after the last one, all were closed {gone:?} later; memory \
         {before} kB before, {after} kB after"
    );
    assert!(held <= 32 && after < before + 10_000, "{held} held, {before} kB, {after} kB");
}

#[test]
#[ignore = "makes ten thousand requests; `cargo xtask soak` runs it"]
fn soak_guessing_gets_nowhere_and_keeps_nobody_out() {
    let home = home();
    let serving = Serving::start(&home);
    let before = serving.memory();
    let mut counts = std::collections::BTreeMap::new();
    for round in 0..100 {
        let mut stream = TcpStream::connect(&serving.address).unwrap();
        let origin = if round % 2 == 0 { "\r\nOrigin: http://localhost:3000\r\n" } else { "\r\n" };
        for guess in 0..100 {
            let request = serving.request("POST /api/v1/health", &format!("guess-{round}-{guess}"), "");
            stream.write_all(request.replacen("\r\n", origin, 1).as_bytes()).unwrap();
            let mut reader = BufReader::new(&stream);
            let (mut line, mut length) = (String::new(), 0);
            reader.read_line(&mut line).unwrap();
            let status: u16 = line.split(' ').nth(1).unwrap().parse().unwrap();
            *counts.entry(status).or_insert(0) += 1;
            while line != "\r\n" {
                line.clear();
                reader.read_line(&mut line).unwrap();
                if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
                    length = number.trim().parse().unwrap();
                }
            }
            reader.read_exact(&mut vec![0; length]).unwrap();
        }
        assert_eq!(serving.call("health", &json!({})).unwrap().0, 200, "{round}");
    }
    let after = serving.memory();
    println!("soak: 10000 wrong tokens: {counts:?} by status; memory {before} kB before, {after} kB after");
    assert_eq!(counts.get(&401), Some(&10));
    assert_eq!(counts.get(&429), Some(&9990));
    assert!(after < before + 10_000, "{before} kB, {after} kB");
}

#[test]
#[ignore = "kills the gateway many times; `cargo xtask soak` runs it"]
fn soak_kill_during_config_set_loses_nothing() {
    let home = home();
    let (mut written, mut acknowledged, mut kills) = (0_u64, 0_u64, 0);
    while kills < 40 {
        let mut serving = Serving::start(&home);
        let (_, snapshot) = serving.call("config.get", &json!({})).expect("an answer");
        let kept = snapshot["config"]["ui"]["counter"].as_u64().unwrap_or(0);
        assert!((acknowledged..=written).contains(&kept), "{kept} of {acknowledged}..={written}");
        assert_eq!(home.good(&["gateway", "url", "--token"]).split_once("#token=").unwrap().1.trim(), TOKEN);
        acknowledged = kept;
        written = kept;
        let id = serving.child.id().to_string();
        let pause = Duration::from_micros(2000 + 977 * kills);
        let killer = std::thread::spawn(move || {
            // Another moment each time: where a kill falls is what is tested.
            std::thread::sleep(pause);
            Command::new("/bin/kill").args(["-KILL", &id]).status().unwrap();
        });
        while let Some((200, snapshot)) = serving.call("config.get", &json!({})) {
            let mut config = snapshot["config"].clone();
            written = acknowledged + 1;
            config["ui"] = json!({ "counter": written });
            let params = json!({ "raw": config.to_string(), "baseHash": snapshot["hash"] });
            match serving.call("config.set", &params) {
                Some((200, _)) => acknowledged = written,
                Some(refused) => panic!("{refused:?}"),
                None => break,
            }
        }
        killer.join().unwrap();
        serving.child.wait().unwrap();
        kills += 1;
    }
    println!("soak: {kills} kills during config.set, {acknowledged} changes acknowledged, none lost");
}
