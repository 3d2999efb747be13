//! What is decided before anything is read: names, sizes, counts.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use reqwest::Method;
use serde_json::json;

use crate::support::{Server, TEA, client, reply};

#[test]
fn only_our_own_names_are_answered_to() {
    let server =
        Server::start_with(|options| options.public_url = Some("https://hub.example.org/r/".to_owned()));
    let ask = |host: &str| {
        let request = client().get(format!("{}/.well-known/clawhub.json", server.base)).header("host", host);
        reply(request.send().unwrap())
    };
    assert_eq!(ask("evil.example").refused().0, 421);
    let document = ask("hub.example.org").json();
    assert_eq!(document["apiBase"], "https://hub.example.org/r");
    let server = Server::start();
    let document = server.get("/.well-known/clawdhub.json").json();
    assert_eq!(document, json!({ "apiBase": server.base, "authBase": server.base }));
}

#[test]
fn a_request_that_comes_drop_by_drop_is_not_waited_for() {
    let server =
        Server::start_with(|options| options.forbearance.patience = std::time::Duration::from_millis(300));
    let mut stream = TcpStream::connect(server.base.trim_start_matches("http://")).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nx: ").unwrap();
    // Ends only if the server ends the connection. The pause between the drops is what is tested.
    while stream.write_all(b"y").is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(server.get("/.well-known/clawhub.json").status, 200);
}

#[test]
fn limits_are_told_and_kept() {
    let server = Server::start();
    let token = server.token("ada");
    let first = server.get("/api/v1/skills");
    assert_eq!((first.header("x-ratelimit-limit"), first.header("ratelimit-limit")), ("3000", "3000"));
    assert_eq!((first.header("ratelimit-reset"), first.header("x-ratelimit-reset")), ("60", "1700000060"));
    assert_eq!(first.header("x-ratelimit-remaining"), "");
    let known = server.send(Method::GET, "/api/v1/skills", Some(&token), None);
    assert_eq!(known.header("x-ratelimit-limit"), "12000");

    let ask = || server.get("/api/v1/skills/-/scan/x/download");
    for _ in 0..10 {
        assert_eq!(ask().refused().0, 401);
    }
    let refused = ask();
    assert_eq!(refused.refused(), (429, "Rate limit exceeded".to_owned()));
    assert_eq!((refused.header("retry-after"), refused.header("x-ratelimit-remaining")), ("60", "0"));
    assert_eq!(server.get("/api/v1/skills").status, 200, "other requests are counted apart");
    server.pass(60_000);
    assert_eq!(ask().refused().0, 401);
}

#[test]
fn too_much_is_refused_before_anybody_is_asked_for() {
    let server = Server::start();
    let address = server.base.trim_start_matches("http://");
    for (path, length) in [
        ("/api/v1/skills/-/upload-url", 2 * 1024 * 1024),
        ("/api/v1/skills/-/upload/x", 11 * 1024 * 1024),
        ("/api/v1/skills", 60 * 1024 * 1024),
    ] {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\n")
            .unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 413", "{path}");
    }
    // Without a length, no more is read than is allowed.
    let body = reqwest::blocking::Body::new(std::io::repeat(b' ').take(3 * 1024 * 1024));
    let token = server.token("ada");
    let request = client().post(format!("{}/api/v1/skills/tea/rename", server.base)).bearer_auth(token);
    if let Ok(answer) = request.body(body).send() {
        assert_eq!(answer.status().as_u16(), 413);
    }
    assert_eq!(server.get("/api/v1/skills").status, 200);
}

#[test]
fn nonsense_is_refused_and_the_server_goes_on() {
    let server = Server::start();
    let token = server.token("ada");
    let address = server.base.trim_start_matches("http://").to_owned();
    for line in ["GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET /%ff HTTP/1.1\r\nHost: localhost\r\n\r\n"]
    {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(line.as_bytes()).unwrap();
        let mut answer = [0; 10];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 4", "{line:?}");
    }
    for path in ["/api/v1/skills?limit=x", "/api/v1/skills/%00", "/api/v1/skills?cursor=%F0%9F%8D%B5.x"] {
        assert!(server.get(path).status < 500, "{path}");
    }
    for body in [json!(null), json!({ "slug": 1 }), json!({ "slug": "tea", "files": "x" })] {
        assert_eq!(server.post("/api/v1/skills", &token, body).refused().0, 400);
    }
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
}

#[test]
fn contents_are_never_shown_as_a_page() {
    let server = Server::start();
    let token = server.token("ada");
    let page = "<script>alert(1)</script>";
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA), ("index.html", page)]).json();
    let file = server.get("/api/v1/skills/tea/file?path=index.html");
    assert_eq!(file.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(file.header("x-content-type-options"), "nosniff");
    assert!(file.header("content-security-policy").contains("sandbox"));
}
