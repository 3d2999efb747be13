//! `prowess mcp` as hosts use it: the official SDKs from npm start the program and talk to it.
//!
//! Where npm or its registry cannot be reached, the tests with the SDKs say so and end.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Home, Program as _};

/// The SDKs by exact versions, and the script that uses them.
const FILES: [(&str, &str); 3] = [
    ("package.json", include_str!("../../../../surface/prowess-mcp/tests/clients/package.json")),
    ("package-lock.json", include_str!("../../../../surface/prowess-mcp/tests/clients/package-lock.json")),
    ("client.mjs", include_str!("../../../../surface/prowess-mcp/tests/clients/client.mjs")),
];

fn program() -> PathBuf {
    PathBuf::from(assert_cmd::cargo::cargo_bin!("prowess"))
}

/// The folder with the SDKs; none where they cannot be had.
fn clients() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    prowess_testkit::npm_ci(folder.path()).then_some(folder)
}

/// A home with the skills that the script expects.
fn home() -> Home {
    let home = Home::new();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../surface/prowess-mcp/tests/clients/home");
    home.tree.lay_recorded(&fixture);
    home
}

#[test]
fn the_sdks_over_standard_input_and_output() {
    let Some(clients) = clients() else { return };
    for sdk in ["v1", "v2"] {
        let home = home();
        let output = Command::new("node")
            .arg(clients.path().join("client.mjs"))
            .args([sdk, "stdio"])
            .arg(home.tree.path("ws"))
            .arg(program())
            .arg("mcp")
            .env("HOME", home.tree.root())
            .env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("bundled"))
            .env_remove("NODE_OPTIONS")
            .current_dir(home.tree.path("ws"))
            .output()
            .expect("node starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let complained = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{sdk}\n{said}\n{complained}");
        assert_eq!(said.trim(), "everything is as it should be", "{complained}");
    }
}

#[test]
fn standard_output_carries_the_protocol_and_nothing_else() {
    let home = home();
    home.config("{ skills: { entries: 7 } }");
    let mut server = Command::new(program())
        .args(["mcp", "--agent", "main"])
        .env_clear()
        .env("HOME", home.tree.root())
        .env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("bundled"))
        .current_dir(home.tree.path("ws"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = server.stdin.take().expect("a pipe");
    let client = json!({"name": "x", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    writeln!(input, "nonsense\n{initialize}").expect("a line");
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).expect("a line");
    let mut lines = BufReader::new(server.stdout.take().expect("a pipe")).lines();
    let mut next = || -> Value {
        serde_json::from_str(&lines.next().expect("a line").expect("text")).expect("nothing but JSON")
    };
    assert_eq!(next()["error"]["code"], -32700);
    assert_eq!(next()["result"]["serverInfo"]["name"], "prowess");
    assert_eq!(next()["result"]["tools"].as_array().map(Vec::len), Some(7));
    drop(input);
    assert!(lines.next().is_none());
    let ended = server.wait_with_output().expect("it ends");
    // What is wrong in the config is told where people look.
    assert!(String::from_utf8_lossy(&ended.stderr).contains("skills.entries"), "{ended:?}");
}

#[test]
fn an_agent_that_does_not_exist_is_told_at_once() {
    let ran = home().run(&["mcp", "--agent", "nobody"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("nobody") && ran.stdout.is_empty(), "{}", ran.stderr);
}
