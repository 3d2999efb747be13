//! A home that version 0.1 wrote, opened by the program of today. `tests/fixtures/home-0.1` says how it was recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use prowess_testkit::Tree;
use serde_json::{Value, json};

use crate::support::{Home, Program as _, files_below, texts};

/// The gateway's token in the recorded config.
const TOKEN: &str = "fixture-gateway-token";

fn recorded() -> Home {
    let tree = Tree::new();
    tree.lay_recorded(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/home-0.1/files"));
    for folder in ["bundled", "bin"] {
        std::fs::create_dir_all(tree.path(folder)).unwrap();
    }
    // The record of a synced folder is named after the folder's path.
    let view = tree.path("ws/.claude/skills");
    let name = &prowess_fs::sha256_hex(view.as_os_str().as_encoded_bytes())[..16];
    let views = tree.path(".prowess/views");
    std::fs::rename(views.join("c72e22d904082e35.json"), views.join(format!("{name}.json"))).unwrap();
    let home = Home { tree };
    home.set_mode(".prowess/prowess.json", 0o600);
    home
}

/// The same after the first command, which tells once what is new.
fn started() -> Home {
    let home = recorded();
    let before = contents(&home);
    let ran = home.run(&["--version"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = home.run(&["list"]);
    assert!(ran.stderr.contains("To go back: prowess config set skills.prompt.select all"), "{}", ran.stderr);
    assert_eq!(changed(&home, &before), [".prowess/news.json"]);
    home
}

/// The answer of a command, which must end with `code`. The config has a key that nobody knows, which is reported on
/// standard error every time.
fn answer(home: &Home, folder: &str, args: &[&str], code: i32) -> Value {
    let mut command = home.command();
    let ran = home.finish(command.current_dir(home.tree.path(folder)).args(args).arg("--json"));
    assert_eq!(ran.code, code, "{args:?}\n{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("observatory"), "{args:?}\n{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{args:?}\n{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{args:?} {error}\n{}", ran.stdout))
}

fn in_workspace(home: &Home, args: &[&str]) -> Value {
    answer(home, "ws", args, 0)
}

/// Every file of the home with its bytes, without caches and locks.
fn contents(home: &Home) -> BTreeMap<String, Vec<u8>> {
    files_below(home.tree.root())
        .into_iter()
        .filter(|file| !file.starts_with(".prowess/cache/"))
        .filter(|file| Path::new(file).extension().is_none_or(|extension| extension != "lock"))
        .map(|file| {
            let bytes = std::fs::read(home.tree.path(&file)).unwrap();
            (file, bytes)
        })
        .collect()
}

/// The files that were added, removed or changed.
fn changed(home: &Home, before: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let after = contents(home);
    let files: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    files.into_iter().filter(|file| before.get(*file) != after.get(*file)).cloned().collect()
}

/// Fails if a file was added, removed or changed.
fn assert_unchanged(home: &Home, before: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(changed(home, before), Vec::<String>::new());
}

#[test]
fn skills_locks_and_trust_of_version_0_1_are_read_and_left_alone() {
    let home = started();
    let before = contents(&home);
    let list = in_workspace(&home, &["list"]);
    assert_eq!(texts(&list["skills"], "name"), ["knot-speed", "old-notes", "tide-table", "unit-price"]);
    let eligible: Vec<&Value> =
        list["skills"].as_array().unwrap().iter().map(|skill| &skill["eligible"]).collect();
    assert_eq!(eligible, [true, false, true, true]);
    assert_eq!(in_workspace(&home, &["why", "tide-table"])["inPrompt"], true);

    let installed = &in_workspace(&home, &["installed"])["skills"][0];
    assert_eq!(
        (&installed["folder"], &installed["version"], &installed["owner"], &installed["state"]),
        (&json!("@acme/knot-speed"), &json!("1.0.0"), &json!("acme"), &json!("intact"))
    );
    assert!(installed["pinned"].is_object(), "{installed}");
    assert_eq!(in_workspace(&home, &["verify"])["ok"], true);
    let secrets = in_workspace(&home, &["secret", "list"]);
    assert_eq!(texts(&secrets, "skill"), ["tide-table", "tide-table"]);
    assert_unchanged(&home, &before);

    // The answers hold and are stored again, under hashes that see the execute bit.
    for _ in 0..2 {
        let trust = answer(&home, "cloned", &["trust", "list"], 0);
        assert_eq!(texts(&trust["skills"], "name"), ["harbour-log", "ship-names"]);
        assert_eq!(texts(&trust["skills"], "decision"), ["trusted", "refused"]);
    }
    let cloned = answer(&home, "cloned", &["list"], 0);
    let is_eligible = |skill: &&Value| skill["eligible"] == true;
    let offered: Vec<&Value> =
        cloned["skills"].as_array().unwrap().iter().filter(is_eligible).map(|skill| &skill["name"]).collect();
    assert_eq!(offered, ["harbour-log", "unit-price"]);
    assert_eq!(changed(&home, &before), [".prowess/trust.json"]);
}

#[test]
fn sessions_learning_and_drafts_of_version_0_1_are_read_and_left_alone() {
    let home = started();
    let before = contents(&home);
    let sessions = in_workspace(&home, &["sessions", "list"]);
    let mut ids = texts(&sessions["sessions"], "id");
    ids.sort_unstable();
    assert_eq!(ids, ["claude-code-0b6c1d0e-3f0a-4d5e-9a44-5d1f8f6a7b21", "harbour", "jobs", "talk"]);
    let shown = in_workspace(&home, &["sessions", "show", "harbour"]);
    assert_eq!(shown["summary"]["runs"][0]["answer"], "High water is at 09:12 and at 21:40.");
    assert_eq!(shown["summary"]["runs"][0]["outcome"], json!({"result": "success", "by": "agent"}));
    assert_eq!((&shown["unread"], &shown["unknownFields"]), (&json!([]), &json!({})));
    let talk = in_workspace(&home, &["sessions", "show", "talk"]);
    assert_eq!(talk["summary"]["runs"].as_array().map(Vec::len), Some(2));

    let usage = in_workspace(&home, &["usage"]);
    assert_eq!(
        (&usage["sessions"], &usage["runs"], &usage["hookMessages"]),
        (&json!(5), &json!(5), &json!(1))
    );
    let used =
        usage["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "tide-table").unwrap();
    assert_eq!((&used["loaded"], &used["succeeded"]), (&json!(2), &json!(1)));

    let cortex = in_workspace(&home, &["cortex", "show"]);
    assert_eq!(cortex["events"], 5);
    assert_eq!(cortex["regions"][0]["candidates"][0]["candidate"]["slug"], "chart-reader");
    assert_eq!(cortex["longTerm"].as_array().map(Vec::len), Some(2));
    let replayed = in_workspace(&home, &["cortex", "replay"]);
    assert_eq!(
        (&replayed["same"], &replayed["cortex"]["blacklist"]),
        (&json!(true), &json!(["chart-thief"]))
    );

    let drafts = in_workspace(&home, &["forge", "list"]);
    assert_eq!(drafts["drafts"][0]["name"], "jobs-log");
    assert_eq!(drafts["drafts"][0]["fingerprint"], "0b1265b86597");
    assert_unchanged(&home, &before);
}

#[test]
fn other_programs_set_up_by_version_0_1_stay_in_step() {
    let home = started();
    #[cfg(unix)]
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin!("prowess"), home.tree.path("bin/prowess"))
        .unwrap();
    let before = contents(&home);
    let hooks = in_workspace(&home, &["hook", "status"]);
    assert_eq!(hooks["hooks"][0]["presence"], "installed", "{hooks}");
    assert_eq!(hooks["problems"].as_array().map(Vec::len), Some(1));
    let views = in_workspace(&home, &["sync", "--check", "--to", "claude-code", "--copy"]);
    let steps = &views["views"][0]["steps"];
    assert_eq!(texts(steps, "name"), ["knot-speed", "tide-table", "unit-price"]);
    assert_eq!(texts(steps, "change"), ["unchanged"; 3]);
    let doctor = answer(&home, "ws", &["doctor"], 1);
    let severities = texts(&doctor["findings"], "severity");
    assert!(!severities.contains(&"error"), "{doctor}");
    assert_unchanged(&home, &before);
}

#[test]
fn an_edit_keeps_what_version_0_1_did_not_know() {
    let home = started();
    let before = home.config_text();
    let ran = home.run(&["config", "set", "skills.entries[\"old-notes\"].enabled", "true"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        home.config_text(),
        before.replace("\"old-notes\": { enabled: false }", "\"old-notes\": { enabled: true }")
    );
    assert_eq!(
        in_workspace(&home, &["config", "get", "observatory"]),
        json!({"dome": "open", "mirrors": [1, 2, 3]})
    );
}

#[test]
fn a_session_of_version_0_1_goes_on() {
    let home = started();
    let ran = home.run(&["run", "--session", "talk", "--quiet", "One more report?"]);
    assert_eq!((ran.code, ran.stdout.trim()), (0, "Nothing new since yesterday."), "{}", ran.stderr);
    let talk = in_workspace(&home, &["sessions", "show", "talk"]);
    assert_eq!(talk["summary"]["runs"].as_array().map(Vec::len), Some(3));
}

/// A server of the program; ended when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(home: &Home, args: &[&str]) -> Self {
        let mut command = home.process();
        command.args(args).arg("--json").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).expect("one line of JSON");
        Self { child, address: said["address"].as_str().unwrap().to_owned() }
    }

    fn call(&self, method: &str, params: &Value) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (params, address) = (params.to_string(), &self.address);
        let head = format!("Host: {address}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close");
        let body =
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{params}", params.len());
        write!(stream, "POST /api/v1/{method} HTTP/1.0\r\n{head}\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_gateway_knows_the_devices_and_automations_of_version_0_1() {
    let home = started();
    let files = [".prowess/gateway/devices.json", ".prowess/cron/jobs.json", ".prowess/prowess.json"];
    let read = || files.map(|file| std::fs::read_to_string(home.tree.path(file)).unwrap());
    let before = read();
    let gateway = Server::start(&home, &["gateway", "--port", "0"]);
    let devices = in_workspace(&home, &["gateway", "devices"]);
    assert!(devices.to_string().contains("harbour-node"), "{devices}");
    let jobs = gateway.call("cron.list", &json!({"includeDisabled": true}));
    assert!(jobs.to_string().contains("Morning report"), "{jobs}");
    drop(gateway);
    assert_eq!(read(), before);
}

#[test]
fn a_registry_of_version_0_1_serves_what_was_published() {
    let home = started();
    let data = home.tree.path("registry").display().to_string();
    let registry = Server::start(&home, &["registry", "serve", "--listen", "127.0.0.1:0", "--data", &data]);
    let url = format!("http://{}", registry.address);
    std::fs::remove_dir_all(home.tree.path("ws/skills/@acme")).unwrap();
    std::fs::remove_dir_all(home.tree.path("ws/.prowess")).unwrap();
    let ran = home.run(&["install", "@acme/knot-speed", "--yes", "--registry", &url]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(in_workspace(&home, &["verify"])["skills"][0]["version"], "1.0.0");
}
