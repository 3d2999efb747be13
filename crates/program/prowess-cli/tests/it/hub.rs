//! `prowess registry serve` and `registry token`

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{Home, Program as _};

/// The running registry; killed if a test fails before it ends.
pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
}

impl Serving {
    pub(crate) fn start(home: &Home) -> Self {
        let mut child = home
            .process()
            .args(["registry", "serve", "--json", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let line: Value = serde_json::from_str(&line).unwrap();
        Self { child, address: line["address"].as_str().unwrap().to_owned() }
    }

    fn ask(&self, path: &str, token: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        let authorization = format!("Authorization: Bearer {token}");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n{authorization}\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn tokens_are_made_listed_and_taken_back() {
    let home = Home::new();
    let ran = home.run(&["registry", "token", "create", "ada", "--label", "laptop"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let token = ran.stdout.trim();
    assert!(token.starts_with("clh_") && token.len() == 68, "{token}");
    let list = home.json(&["registry", "token", "list", "--json"]);
    let listed = &list["tokens"][0];
    assert_eq!((&listed["handle"], &listed["label"]), (&"ada".into(), &"laptop".into()));
    assert!(!list.to_string().contains(token));
    let id = listed["id"].as_str().unwrap();
    home.good(&["registry", "token", "revoke", id]);
    insta::assert_snapshot!(prowess_testkit::stable::text(&home.good(&["registry", "token", "list"])), @"
    ID                HANDLE  LABEL   STATE    LAST USED
    [HEX]  ada     laptop  revoked  never
    ");
    let again = home.run(&["registry", "token", "revoke", id]);
    assert_eq!(again.code, 1);
    insta::assert_snapshot!(home.run(&["registry", "token", "create", "Ada"]).stderr, @r"
    error[usage]: `Ada` is not a handle: at most 40 lower-case letters, digits and `.` `_` `-`, none of these at the ends
    help: `--help` after the command shows its usage
    ");
    insta::assert_snapshot!(home.run(&["registry", "token", "approve", "bcdf-ghjk", "ada"]).stderr, @r"
    error[not-found]: no pending login has the code `bcdf-ghjk`
    help: a code is valid for 15 minutes; request a new one in the client
    ");
}

#[test]
fn a_registry_is_served_once_and_stops_when_told() {
    let home = Home::new();
    let created = home.json(&["registry", "token", "create", "ada", "--json"]);
    let token = created["token"].as_str().unwrap();
    let mut serving = Serving::start(&home);
    let answer = serving.ask("/api/v1/whoami", token);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"handle\":\"ada\""), "{answer}");

    let second = home.run(&["registry", "serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, 3);
    let owner = format!("is already served by process {}", serving.child.id());
    assert!(second.stderr.contains(&owner), "{}", second.stderr);

    // Tokens can be revoked while it serves.
    home.good(&["registry", "token", "revoke", created["id"].as_str().unwrap()]);
    assert!(serving.ask("/api/v1/whoami", token).starts_with("HTTP/1.1 401"));

    let stop = Command::new("kill").args(["-TERM", &serving.child.id().to_string()]).status().unwrap();
    assert!(stop.success());
    assert_eq!(serving.child.wait().unwrap().code(), Some(0));
    drop(Serving::start(&home));
}

#[test]
fn wrong_options_are_told() {
    let home = Home::new();
    for (args, part) in [
        (["--public-url", "skills.example.org"], "is not a site URL"),
        (["--feature", "tea"], "does not name a skill of a publisher"),
        (["--listen", "nowhere"], "invalid value"),
    ] {
        let ran = home.run(&["registry", "serve", args[0], args[1]]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
}
