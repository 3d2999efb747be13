//! `prowess gateway` and `prowess up`

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use prowess_testkit::{wait_for, wait_until};
use serde_json::{Value, json};

use crate::support::{Home, Program as _};

/// The running gateway; killed if a test fails before it ends.
struct Serving {
    child: Child,
    address: String,
    said: Value,
}

fn command(home: &Home, args: &[&str]) -> Command {
    let mut command = home.process();
    command.args(args);
    command
}

impl Serving {
    fn start(home: &Home, args: &[&str]) -> Self {
        Self::of(&mut command(home, &[&["--json"], args].concat()))
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).expect("one line of JSON");
        Self { child, address: said["address"].as_str().unwrap().to_owned(), said }
    }

    fn ask(&self, line: &str, token: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, token) = (&self.address, format!("Authorization: Bearer {token}"));
        write!(stream, "{line} HTTP/1.1\r\nHost: {host}\r\n{token}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Ends it as a service would, and gives its log.
    fn stop(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(Command::new("/bin/kill").args(["-TERM", &id]).status().unwrap().success());
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        log
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The token that a home's config has.
fn token(home: &Home) -> String {
    let url = home.good(&["gateway", "url", "--token"]);
    url.trim().split_once("#token=").expect("a token as a fragment").1.to_owned()
}

#[test]
fn the_token_is_made_once_and_shown_only_when_asked_for() {
    let home = Home::new();
    let none = home.run(&["gateway", "url"]);
    assert_eq!(none.code, 1);
    insta::assert_snapshot!(none.stderr, @r"
    error[not-ready]: no gateway serves this home
    help: `prowess up` starts one and opens the Studio; `prowess gateway url --token` prints the address with the token
    ");
    let none = home.run(&["gateway", "url", "--token"]);
    assert_eq!(none.code, 1);
    insta::assert_snapshot!(none.stderr, @r"
    error[not-ready]: there is no token yet
    help: `prowess gateway` creates one when it starts
    ");
    let first = Serving::start(&home, &["gateway", "--port", "0", "--log", "json", "--log-level", "debug"]);
    let token = token(&home);
    assert_eq!(token.len(), 64);
    assert_eq!(first.said["url"], format!("http://{}/", first.address));
    assert_eq!((&first.said["tokenIsNew"], &first.said["type"]), (&true.into(), &"serving".into()));
    let answer = first.ask("POST /api/v1/health", &token);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(first.ask("POST /api/v1/health", "wrong-token").starts_with("HTTP/1.1 401"));
    let log = first.stop();
    assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{log}");
    for part in [
        "\"message\":\"serving\"",
        "\"method\":\"health\"",
        "\"message\":\"authentication failed\"",
        "\"message\":\"stopped\"",
    ] {
        assert!(log.contains(part), "{part}\n{log}");
    }
    assert!(!log.contains(&token) && !log.contains("wrong-token"), "{log}");

    let second = Serving::start(&home, &["gateway", "--port", "0"]);
    assert_eq!(second.said["url"], format!("http://{}/", second.address));
    assert_eq!(second.said["tokenIsNew"], false);
    let url = home.good(&["gateway", "url", "--token"]);
    assert!(url.starts_with(&format!("http://{}/#token=", second.address)));
    let url = home.good(&["gateway", "url"]);
    assert!(url.starts_with(&format!("http://{}/#code=", second.address)), "{url}");
    assert_ne!(url, home.good(&["gateway", "url"]), "each code is another one");
}

#[test]
fn a_home_has_one_gateway_and_a_port_one_listener() {
    let home = Home::new();
    let serving = Serving::start(&home, &["gateway", "--port", "0"]);
    let second = home.run(&["gateway", "--port", "0"]);
    assert_eq!(second.code, 3);
    let owner = format!("a gateway already serves this home (process {})", serving.child.id());
    assert!(second.stderr.contains(&owner), "{}", second.stderr);

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let other = Home::new();
    let refused = other.run(&["gateway", "--port", &port]);
    assert_eq!(refused.code, 3);
    let said = format!("port {port} of 127.0.0.1 is taken");
    assert!(refused.stderr.contains(&said) && refused.stderr.contains("--port"), "{}", refused.stderr);
}

#[test]
fn a_gateway_that_was_killed_leaves_nothing_in_the_way() {
    let home = Home::new();
    let mut serving = Serving::start(&home, &["gateway", "--port", "0"]);
    serving.child.kill().unwrap();
    serving.child.wait().unwrap();
    let again = Serving::start(&home, &["gateway", "--port", "0"]);
    assert!(again.ask("GET /healthz", "").starts_with("HTTP/1.1 200"));
}

#[test]
fn what_cannot_be_listened_on_is_told() {
    let home = Home::new();
    let ran = home.run(&["gateway", "--bind", "somewhere"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr, @r"
    error[usage]: `somewhere` is not an address to listen on
    help: `loopback`, `lan` or an address such as 192.0.2.7
    ");
    let ran = home.run(&["gateway", "--bind", "192.0.2.7", "--port", "0"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stderr, @"
    error[address]: Cannot assign requested address (os error 99)
    help: 192.0.2.7 is not an address of this machine; see --bind
    ");
}

#[test]
fn others_are_let_in_only_with_a_warning() {
    let home = Home::new();
    let serving = Serving::start(&home, &["gateway", "--bind", "lan", "--port", "0"]);
    let port = serving.address.rsplit_once(':').unwrap().1;
    assert!(serving.said["url"].as_str().unwrap().starts_with(&format!("http://127.0.0.1:{port}/")));
    assert!(serving.ask("POST /api/v1/health", "").starts_with("HTTP/1.1 401"));
    assert!(serving.stop().contains("other machines can reach this gateway"));
}

/// A program that writes down what it is asked to open.
fn browser(home: &Home) -> std::path::PathBuf {
    let program = home.tree.path("bin/browser");
    let note = home.tree.path("opened");
    std::fs::write(
        &program,
        format!("#!/bin/sh\nprintf '%s' \"$*\" > '{0}.new'\n/bin/mv '{0}.new' '{0}'\n", note.display()),
    )
    .unwrap();
    std::os::unix::fs::PermissionsExt::set_mode(
        &mut std::fs::metadata(&program).unwrap().permissions(),
        0o755,
    );
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    program
}

fn opened(home: &Home) -> String {
    let note = home.tree.path("opened");
    let text = wait_for("an address that is opened", || std::fs::read_to_string(&note).ok());
    std::fs::remove_file(&note).unwrap();
    text
}

/// Every file below a folder that holds a text.
fn files_with(folder: &std::path::Path, text: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if let Ok(bytes) = std::fs::read(&path)
            && bytes.windows(text.len()).any(|window| window == text.as_bytes())
        {
            found.push(path);
        }
    }
    found
}

/// Waits until a page is gone.
fn gone(page: &str) {
    wait_until("the end of the page", || !std::path::Path::new(page).exists());
}

#[test]
fn up_opens_the_studio_with_a_code_and_no_file_but_the_config_holds_the_token() {
    let home = Home::new();
    // The page of an earlier version.
    home.tree.write(".prowess/gateway/open.html", "#token=old");
    let program = browser(&home);
    let up = ["up", "--port", "0", "--json"];
    let serving = Serving::of(command(&home, &up).env("BROWSER", &program));
    let page = opened(&home);
    assert!(!home.tree.path(".prowess/gateway/open.html").exists());
    let token = token(&home);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains(&format!("http://{}/#code=", serving.address)) && !text.contains(&token), "{text}");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&page).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);

    let mut again = home.command();
    let again = home.finish(again.args(["up"]).env("BROWSER", &program));
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stdout.contains("already serves this home at") && !again.stdout.contains(&token));
    let second = opened(&home);
    assert_ne!(second, page, "each browser gets a code of its own");
    assert_eq!(files_with(&home.tree.path(".prowess"), &token), [home.tree.path(".prowess/prowess.json")]);
    assert!(
        !home.tree.path(".prowess/gateway/proofs").read_dir().unwrap().any(|_| true),
        "proofs are used up"
    );
    let quiet = home.good(&["up", "--no-open", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&quiet).unwrap()["pid"], serving.child.id());
    serving.stop();
    assert!(!std::path::Path::new(&page).exists() && !std::path::Path::new(&second).exists());
}

#[test]
fn the_page_of_a_code_that_nobody_uses_is_removed() {
    let home = Home::new();
    let program = browser(&home);
    let up = ["up", "--port", "0", "--json", "--code-lifetime-ms", "1"];
    let _serving = Serving::of(command(&home, &up).env("BROWSER", &program));
    gone(&opened(&home));
}

#[test]
fn a_change_that_loosens_waits_for_the_terminal() {
    let home = Home::new();
    let serving = Serving::start(&home, &["gateway", "--port", "0"]);
    let token = token(&home);
    let post = |method: &str, body: Value| {
        let mut stream = TcpStream::connect(&serving.address).unwrap();
        let body = body.to_string();
        let host = &serving.address;
        write!(
            stream,
            "POST /api/v1/{method} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        serde_json::from_str::<Value>(body).unwrap_or_else(|_| panic!("{answer}"))
    };
    assert_eq!(home.good(&["gateway", "confirm"]), "No pending changes.\n");
    let hash = post("config.get", json!({}))["hash"].clone();
    let raw = "{run: {landlock: 'off'}, tools: {exec: {policy: 'allow'}}}";
    let held = post("config.patch", json!({ "raw": raw, "baseHash": hash }));
    assert_eq!(held["error"]["details"]["code"], "needs-confirmation", "{held}");
    let id = held["error"]["details"]["confirmationId"].as_str().unwrap();
    let listed = home.run(&["gateway", "confirm"]);
    assert_eq!(
        listed.stdout,
        format!(
            "{id}  config.patch by http\n  run.landlock: not set → \"off\"\n  tools.exec.policy: not set → \"allow\"\n"
        )
    );
    let unasked = home.run(&["gateway", "confirm", id]);
    assert_eq!(unasked.code, 1, "without a terminal somebody has to say yes: {}", unasked.stderr);
    assert_eq!(home.good(&["config", "get", "run.landlock"]).trim(), "auto");
    let confirmed = home.good(&["gateway", "confirm", id, "--yes"]);
    assert!(confirmed.ends_with("✓ The change was applied.\n"), "{confirmed}");
    assert_eq!(home.good(&["config", "get", "run.landlock"]).trim(), "off");
    assert_eq!(home.run(&["gateway", "confirm", id, "--yes"]).code, 1, "it is gone");
}

#[test]
fn devices_are_let_in_and_sent_away_at_the_terminal() {
    let home = Home::new();
    let alone = home.run(&["gateway", "devices"]);
    assert_eq!(alone.code, 3);
    insta::assert_snapshot!(alone.stderr, @"
    error[environment]: no gateway serves this home
    help: start one with `prowess gateway`, or choose another home with `--home`
    ");

    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis();
    let now = u64::try_from(now).unwrap();
    let request = |id: &str, device: &str| {
        json!({ "requestId": id, "deviceId": device, "publicKey": "k", "clientId": "webchat-ui", "platform": "ios",
                "displayName": "Phone", "role": "operator", "scopes": ["operator.read"], "remoteIp": "192.0.2.7",
                "ts": now })
    };
    let grants = json!({ "operator": { "scopes": ["operator.read"], "tokenHash": "00", "issuedAtMs": 1 } });
    let known = json!({ "clientId": "cli", "platform": "linux", "pairedAtMs": 1, "grants": grants });
    let book = json!({
        "requests": { "01A": request("01A", "d1"), "01B": request("01B", "d2"), "02": request("02", "d3") },
        "devices": { "abcdef0123456789": known },
    });
    home.tree.write(".prowess/gateway/devices.json", book.to_string());
    let serving = Serving::start(&home, &["gateway", "--port", "0"]);
    let listed = home.run(&["gateway", "devices"]);
    insta::assert_snapshot!(listed.stdout, @"
    Id            Device                       State  May
    01A           Phone (ios, from 192.0.2.7)  waits  operator operator.read
    01B           Phone (ios, from 192.0.2.7)  waits  operator operator.read
    02            Phone (ios, from 192.0.2.7)  waits  operator operator.read
    abcdef012345  cli (linux)                  known  operator operator.read
    ");
    assert_eq!(listed.stderr, "hint: prowess gateway devices approve 01A approves it\n");
    let vague = home.run(&["gateway", "devices", "approve", "01"]);
    assert_eq!(
        (vague.code, vague.stderr.contains("more than one request `01`")),
        (1, true),
        "{}",
        vague.stderr
    );
    let approved = home.json(&["gateway", "devices", "approve", "01A", "--json"]);
    assert_eq!(approved["deviceId"], "d1");
    assert_eq!(
        home.good(&["gateway", "devices", "reject", "02"]),
        "✓ Phone (ios, from 192.0.2.7) is rejected\n"
    );
    let revoked = home.good(&["gateway", "devices", "revoke", "abc"]);
    assert_eq!(revoked, "✓ cli (linux) is revoked and needs the gateway's token to connect again\n");
    let known = home.json(&["gateway", "devices", "list", "--json"]);
    assert_eq!(known["pending"].as_array().unwrap().len(), 1);
    assert_eq!(known["paired"][0]["tokens"][0]["active"], false);
    serving.stop();
}

#[test]
fn a_token_can_be_elsewhere() {
    let home = Home::new();
    home.config("{gateway: {auth: {token: {source: 'env', provider: 'default', id: 'MY_TOKEN'}}}}");
    let missing = home.run(&["gateway", "--port", "0"]);
    assert_eq!(missing.code, 3);
    insta::assert_snapshot!(missing.stderr, @"
    error[environment]: failed to resolve the gateway token (`gateway.auth.token`): `env:default:MY_TOKEN` cannot be resolved: there is no value
    help: `prowess doctor` finds common problems
    ");
    let mut with_token = command(&home, &["gateway", "--json", "--port", "0"]);
    let serving = Serving::of(with_token.env("MY_TOKEN", "from-elsewhere"));
    assert!(serving.ask("POST /api/v1/health", "from-elsewhere").starts_with("HTTP/1.1 200"));
    assert!(!home.config_text().contains("from-elsewhere"));
}

/// Calls a method with params.
fn call(serving: &Serving, method: &str, token: &str, params: &Value) -> String {
    let mut stream = TcpStream::connect(&serving.address).unwrap();
    let body = params.to_string();
    write!(
        stream,
        "POST /api/v1/{method} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: \
         application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        serving.address,
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_run_in_the_home_folder_is_refused_until_it_was_allowed_at_the_machine() {
    let home = Home::new();
    home.tree.write("script.json", r#"[{"when":"x","steps":[{"say":"Hello."}]}]"#);
    home.config(
        "{gateway: {auth: {token: 'planted-token-1234567890'}}, agents: {defaults: {model: 't/s'}}, \
         models: {providers: {t: {api: 'script', script: '$ROOT/script.json'}}}}",
    );
    let mut in_home = command(&home, &["gateway", "--json", "--port", "0"]);
    let serving = Serving::of(in_home.current_dir(home.tree.root()));
    let start = |id: &str| {
        let params = serde_json::json!({ "message": "x", "idempotencyKey": id });
        call(&serving, "runs.start", "planted-token-1234567890", &params)
    };
    let refused = start("first");
    assert!(refused.contains("WORKSPACE_EXPOSED") && refused.contains("is your home folder"), "{refused}");
    let mut allowed = home.command();
    allowed.current_dir(home.tree.root()).args(["run", "x", "--allow-workspace"]);
    assert_eq!(home.finish(&mut allowed).code, 0);
    let started = start("second");
    assert!(started.starts_with("HTTP/1.1 200") && !started.contains("WORKSPACE_EXPOSED"), "{started}");
    serving.stop();
}

#[test]
fn few_descriptors_are_survived() {
    let home = Home::new();
    let program = assert_cmd::cargo::cargo_bin!("prowess").display().to_string();
    let mut limited = Command::new("/bin/sh");
    limited
        .env_clear()
        .env("HOME", home.tree.root())
        .env("PATH", "/usr/bin:/bin")
        .env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("bundled"))
        .current_dir(home.tree.path("ws"))
        .args(["-c", "ulimit -n 64; exec \"$0\" gateway --json --port 0", &program]);
    let serving = Serving::of(&mut limited);
    let token = token(&home);
    // Each is answered and kept open, so that it takes a descriptor.
    let mut held: Vec<TcpStream> = Vec::new();
    for _ in 0..80 {
        let mut stream = TcpStream::connect(&serving.address).unwrap();
        let line = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", serving.address);
        stream.write_all(line.as_bytes()).unwrap();
        held.push(stream);
    }
    // Nothing but the log tells that the descriptors are used up, and that is read at the end.
    std::thread::sleep(Duration::from_millis(500));
    drop(held);
    assert!(serving.ask("POST /api/v1/health", &token).starts_with("HTTP/1.1 200"));
    let log = serving.stop();
    assert!(log.contains("cannot accept connections"), "{log}");
    assert!(log.contains("connections are accepted again"), "{log}");
    assert!(log.lines().count() < 40, "what lasts is told once: {log}");
}

/// A request of the Model Context Protocol, and the head and first line of the answer.
fn mcp(serving: &Serving, token: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(&serving.address).unwrap();
    let host = &serving.address;
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: \
         application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: \
         close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    let mut reader = BufReader::new(stream);
    while reader.read_line(&mut answer).unwrap() > 0 && !answer.contains("serverInfo") {}
    answer
}

#[test]
fn the_model_context_protocol_is_behind_the_token_and_its_streams_stay_open() {
    let home = Home::new();
    let serving = Serving::start(&home, &["gateway", "--port", "0"]);
    let token = token(&home);
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    assert!(mcp(&serving, "wrong", hello).starts_with("HTTP/1.1 401"));
    let answer = mcp(&serving, &token, hello);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("prowess"), "{answer}");
    let session = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");

    let mut stream = TcpStream::connect(&serving.address).unwrap();
    write!(
        stream,
        "GET /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n\
         Mcp-Session-Id: {session}\r\n\r\n",
        serving.address
    )
    .unwrap();
    // A stream is a place where nothing may happen for long. Four signs of life take longer than a silent connection
    // would last.
    let signs = BufReader::new(stream).lines().map_while(Result::ok).filter(|line| line.starts_with(':'));
    assert_eq!(signs.take(4).count(), 4);
}
