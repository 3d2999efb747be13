//! HTTP endpoints that the user configured, against a small server of our own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use super::Run;

/// Answers every request by a function of it; keeps the requests.
pub(super) struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(super) fn start(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, seen, answer) = (stream.unwrap(), Arc::clone(&seen), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let request = read_request(&stream);
                    seen.lock().unwrap().push(request.clone());
                    answer(&request, &mut stream);
                });
            }
        });
        Self { port, requests }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn read_request(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        request.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    request + "\n" + &String::from_utf8(body).unwrap()
}

pub(super) fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    // The client may have hung up already.
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    );
}

fn endpoint(url: &str) -> Value {
    json!({ "type": "http", "url": url, "description": "A test", "headers": { "Authorization": "Bearer planted-secret" } })
}

#[tokio::test]
async fn the_input_goes_there_and_the_answer_comes_back() {
    let server = Server::start(|_, stream| respond(stream, "200 OK", "", "{\"ok\":true}"));
    let mut run = Run::new();
    run.configure("post", endpoint(&server.url("/hook?channel=1"))).await;
    let output = run.call("post", json!({ "text": "hi \"there\"" })).await;
    assert_eq!((output.ok, output.text.as_str()), (true, "{\"ok\":true}"));
    let request = server.requests().remove(0);
    assert!(request.starts_with("POST /hook?channel=1 HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: Bearer planted-secret\r\n"), "{request}");
    assert!(request.ends_with("\n{\"text\":\"hi \\\"there\\\"\"}"), "{request}");
    let asked = run.consent("post", json!({ "text": "hi" })).unwrap();
    assert_eq!(asked, format!("send {{\"text\":\"hi\"}} to `http://127.0.0.1:{}` (POST)", server.port));
}

#[tokio::test]
async fn a_get_puts_the_fields_into_the_query() {
    let server = Server::start(|_, stream| respond(stream, "200 OK", "", "found"));
    let mut run = Run::new();
    let mut value = endpoint(&server.url("/find?a=1"));
    value["method"] = json!("get");
    run.configure("find", value).await;
    let output = run.call("find", json!({ "q": "a&b=c#d/../", "n": 2 })).await;
    assert_eq!(output.text, "found");
    let request = server.requests().remove(0);
    assert!(request.starts_with("GET /find?a=1&q=a%26b%3Dc%23d%2F..%2F&n=2 HTTP/1.1\r\n"), "{request}");
}

#[tokio::test]
async fn errors_of_the_server_are_told() {
    let server = Server::start(|_, stream| respond(stream, "403 Forbidden", "", "no such channel"));
    let mut run = Run::new();
    run.configure("post", endpoint(&server.url("/"))).await;
    let output = run.call("post", json!({})).await;
    assert_eq!((output.ok, output.text.as_str()), (false, "`post` answered 403 Forbidden\nno such channel"));
}

#[tokio::test]
async fn redirects_stay_on_the_same_origin() {
    let other = Server::start(|_, stream| respond(stream, "200 OK", "", "stolen"));
    let elsewhere = other.url("/catch");
    let server = Server::start(move |request, stream| {
        let target = match request.split_whitespace().nth(1) {
            Some("/same") => "/target",
            Some("/away") => elsewhere.as_str(),
            Some("/name") => "http://localhost/",
            Some("/loop") => "/loop",
            _ => return respond(stream, "200 OK", "", "arrived"),
        };
        respond(stream, "307 Temporary Redirect", &format!("Location: {target}\r\n"), "");
    });
    let mut run = Run::new();
    for path in ["same", "away", "name", "loop"] {
        run.configure(path, endpoint(&server.url(&format!("/{path}")))).await;
    }
    assert_eq!(run.call("same", json!({})).await.text, "arrived");
    for (path, reason) in [("away", "another origin"), ("name", "another origin"), ("loop", "too often")] {
        let output = run.call(path, json!({})).await;
        assert!(!output.ok && output.text.contains(reason), "{path}: {output:?}");
        assert!(!output.text.contains("planted"), "{path}: {output:?}");
    }
    assert!(other.requests().is_empty(), "no header reached another origin");
}

#[tokio::test]
async fn a_large_or_endless_answer_is_cut() {
    let server = Server::start(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nstart");
        while stream.write_all(&[b'x'; 8192]).is_ok() {}
    });
    let mut run = Run::new();
    run.configure("flood", endpoint(&server.url("/"))).await;
    let output = run.call("flood", json!({})).await;
    assert!(output.ok && output.text.starts_with("startxxx"), "{}", output.text.len());
    assert!(output.text.len() < 40 * 1024 && output.omitted_bytes > 1 << 20, "{}", output.omitted_bytes);
}

#[tokio::test]
async fn a_server_that_hangs_is_given_up() {
    let server = Server::start(|_, _| std::thread::sleep(Duration::from_mins(10)));
    let mut run = Run::new();
    let mut value = endpoint(&server.url("/"));
    value["timeoutMs"] = json!(300);
    run.configure("hang", value.clone()).await;
    assert_eq!(run.call("hang", json!({})).await.text, "`hang` did not answer within 0.3 s");
    value.as_object_mut().unwrap().remove("timeoutMs");
    run.configure("wait", value).await;
    let cancel = run.context.cancel.clone();
    let stop = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    };
    let (output, ()) = tokio::join!(run.call("wait", json!({})), stop);
    assert_eq!(output.text, "[stopped: the run was cancelled]");
}

#[tokio::test]
async fn nobody_there_is_told_without_the_address() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let mut run = Run::new();
    run.configure("gone", endpoint(&format!("http://127.0.0.1:{port}/planted-token"))).await;
    let output = run.call("gone", json!({})).await;
    assert!(!output.ok && output.text.starts_with("cannot ask `gone`: "), "{output:?}");
    assert!(!output.text.contains("planted"), "{output:?}");
}

#[tokio::test]
async fn a_name_that_leads_to_this_machine_is_refused() {
    let mut run = Run::new();
    // The system resolves names below `localhost` to this machine, or to nothing: neither is connected to.
    run.configure("rebound", endpoint("https://rebound.localhost:9/")).await;
    let output = run.call("rebound", json!({})).await;
    assert!(!output.ok, "{output:?}");
}
