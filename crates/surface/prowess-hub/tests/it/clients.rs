//! The real command-line clients against the server: `clawhub` and `skills`, as npm installs them.
//!
//! `cargo xtask test` installs them beforehand; otherwise the first test here does. Where npm or its registry cannot
//! be reached, these tests say so and end.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use prowess_fs::Lock;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{BAD, Server, TEA};

/// What is installed, by exact versions.
const MANIFESTS: [(&str, &str); 2] = [
    ("package.json", include_str!("../clients/package.json")),
    ("package-lock.json", include_str!("../clients/package-lock.json")),
];

/// Variables of whoever runs the tests that would lead a client elsewhere.
const FOREIGN: [&str; 11] = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "CLAWHUB_CONFIG_PATH",
    "CLAWHUB_WORKDIR",
    "NODE_OPTIONS",
];

/// The folder with the clients; none where they cannot be had.
fn clients() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm-clients");
    let _alone = Lock::acquire(&folder, Duration::from_mins(10)).expect("a lock");
    let installed = folder.join("node_modules/.package-lock.json");
    let is_current = MANIFESTS
        .iter()
        .all(|(name, text)| std::fs::read_to_string(folder.join(name)).is_ok_and(|is| is == *text));
    if is_current && installed.is_file() {
        return Some(folder);
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in MANIFESTS {
        std::fs::write(folder.join(name), text).expect("a manifest");
    }
    prowess_testkit::npm_ci(&folder).then_some(folder)
}

/// A client in a home of its own.
struct Person<'a> {
    clients: &'a Path,
    home: TempDir,
    base: &'a str,
}

/// What a client printed, and how it ended.
struct Said {
    code: i32,
    text: String,
}

impl<'a> Person<'a> {
    fn new(clients: &'a Path, server: &'a Server) -> Self {
        let home = tempfile::tempdir().expect("a home");
        std::fs::create_dir(home.path().join("work")).expect("a folder");
        Self { clients, home, base: &server.base }
    }

    fn work(&self, path: &str) -> PathBuf {
        self.home.path().join("work").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.work(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.work(path)).unwrap_or_default()
    }

    /// A client that knows nothing but its own home and the server.
    fn command(&self, script: &str, args: &[&str]) -> Command {
        let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        let pinned = self.clients.join(format!("node_modules/node-linux-{machine}/bin/node"));
        let mut command = Command::new(if pinned.is_file() { pinned } else { "node".into() });
        for variable in FOREIGN {
            command.env_remove(variable);
        }
        command
            .env("HOME", self.home.path())
            .env("NO_COLOR", "1")
            .env("CI", "1")
            .env("DISABLE_TELEMETRY", "1")
            .env("CLAWHUB_DISABLE_TELEMETRY", "1")
            .env("CLAWHUB_REGISTRY", self.base)
            .env("CLAWHUB_SITE", self.base)
            .current_dir(self.work(""))
            .stdin(Stdio::null())
            .arg(self.clients.join("node_modules").join(script))
            .args(args);
        command
    }

    fn clawhub_command(&self, args: &[&str]) -> Command {
        let work = self.work("");
        let mut all = vec!["--workdir", work.to_str().expect("a path"), "--no-input"];
        all.extend(args);
        self.command("clawhub/bin/clawdhub.js", &all)
    }

    fn clawhub(&self, args: &[&str]) -> Said {
        finished(&mut self.clawhub_command(args))
    }

    /// Runs `clawhub`, which must work and say something.
    fn clawhub_says(&self, args: &[&str], expected: &str) -> String {
        let said = self.clawhub(args);
        assert!(
            said.code == 0 && said.text.contains(expected),
            "{args:?} ended with {}:\n{}",
            said.code,
            said.text
        );
        said.text
    }
}

fn finished(command: &mut Command) -> Said {
    let output = command.output().expect("the client starts");
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Said { code: output.status.code().unwrap_or(-1), text }
}

#[test]
fn clawhub_publishes_finds_installs_and_updates() {
    let Some(clients) = clients() else { return };
    let server = Server::start();
    let ada = Person::new(&clients, &server);
    ada.clawhub_says(&["login", "--token", &server.token("ada")], "Logged in as @ada");
    ada.clawhub_says(&["whoami"], "ada");

    ada.write("mine/tea/SKILL.md", TEA);
    ada.write("mine/tea/scripts/run.sh", "#!/bin/sh\necho tea\n");
    let publish = ["publish", "mine/tea", "--name", "Tea", "--changelog", "first"];
    ada.clawhub_says(&publish, "Published tea@1.0.0");
    ada.clawhub_says(&publish, "tea@1.0.0 is already published");
    ada.write("mine/bad/SKILL.md", BAD);
    ada.clawhub_says(&["publish", "mine/bad", "--slug", "tidy-up"], "Published tidy-up@1.0.0");

    let bob = Person::new(&clients, &server);
    let found = bob.clawhub_says(&["search", "cup", "of", "tea"], "tea v1.0.0");
    assert!(found.contains("@ada") && found.contains("0 downloads") && !found.contains("tidy-up"), "{found}");
    bob.clawhub_says(&["search", "--prefix", "te"], "tea  v1.0.0");
    bob.clawhub_says(&["explore"], "tea  v1.0.0");
    let inspected = bob.clawhub_says(&["inspect", "tea", "--files", "--versions"], "scripts/run.sh");
    assert!(inspected.contains("CLEAN"), "{inspected}");
    assert_eq!(bob.clawhub_says(&["inspect", "tea", "--file", "SKILL.md"], "# Tea"), TEA);

    bob.clawhub_says(&["install", "tea"], "Installed tea v1.0.0");
    assert_eq!(bob.read("skills/tea/SKILL.md"), TEA);
    assert_eq!(bob.read("skills/tea/scripts/run.sh"), "#!/bin/sh\necho tea\n");
    bob.clawhub_says(&["list"], "tea  1.0.0");
    let blocked = bob.clawhub(&["install", "tidy-up", "--force"]);
    assert!(blocked.code == 1 && blocked.text.contains("flagged as malicious"), "{}", blocked.text);
    let missing = bob.clawhub(&["install", "nothing"]);
    assert!(missing.code == 1 && missing.text.to_lowercase().contains("not found"), "{}", missing.text);

    // A licence that the client does not know must not make it refuse the answer.
    let proprietary =
        TEA.replace("three", "four").replace("name: tea\n", "name: tea\nlicense: Proprietary\n");
    ada.write("mine/tea/SKILL.md", &proprietary);
    ada.clawhub_says(&["publish", "mine/tea", "--changelog", "longer"], "Published tea@1.0.1");
    bob.clawhub_says(&["update", "tea"], "1.0.1");
    assert!(bob.read("skills/tea/SKILL.md").contains("four minutes"));
    bob.clawhub_says(&["update", "--all"], "up to date");
    bob.clawhub_says(&["inspect", "tea", "--version", "1.0.1"], "CLEAN");
    bob.write("skills/tea/SKILL.md", "changed by hand");
    bob.clawhub_says(&["update", "tea"], "local changes (no match)");
}

#[test]
fn clawhub_manages_what_it_published() {
    let Some(clients) = clients() else { return };
    let server = Server::start();
    let ada = Person::new(&clients, &server);
    log_in_by_device(&ada, &server);
    ada.write("mine/tea/SKILL.md", TEA);
    ada.clawhub_says(&["publish", "mine/tea"], "Published tea@1.0.0");

    // What was installed is known again: nothing to publish.
    let mut install = ada.clawhub_command(&["install", "tea"]);
    assert_eq!(finished(install.env_remove("CLAWHUB_DISABLE_TELEMETRY")).code, 0);
    let stats = server.get("/api/v1/skills/tea").json()["skill"]["stats"].clone();
    assert_eq!((&stats["installs"], &stats["downloads"]), (&Value::from(1), &Value::from(1)));
    let sync: Value = serde_json::from_str(&ada.clawhub_says(&["sync", "--dry-run", "--all", "--json"], "{"))
        .expect("JSON");
    assert!(!sync.to_string().contains("would-publish"), "{sync}");
    ada.write("skills/coffee/SKILL.md", &TEA.replace("tea", "coffee"));
    ada.clawhub_says(&["sync", "--dry-run", "--all"], "coffee");

    ada.clawhub_says(&["star", "tea", "--yes"], "Starred tea");
    ada.clawhub_says(&["unstar", "tea", "--yes"], "tea");
    ada.clawhub_says(&["skill", "verify", "tea"], "\"decision\": \"pass\"");
    ada.clawhub_says(&["skill", "tag", "tea", "1.0.0", "--tag", "stable", "--yes"], "Set stable");
    ada.clawhub_says(&["skill", "rename", "tea", "green-tea", "--yes"], "Renamed tea to green-tea");
    ada.clawhub_says(&["delete", "green-tea", "--yes"], "Slug reserved until");
    let gone = ada.clawhub(&["install", "green-tea"]);
    assert_eq!(gone.code, 1, "{}", gone.text);
    ada.clawhub_says(&["undelete", "green-tea", "--yes"], "Undeleted green-tea");
    ada.clawhub_says(&["inspect", "@ada/tea"], "stable=1.0.0");
    ada.clawhub_says(&["logout"], "Logged out");
}

/// Logs in without a token: the client shows a code, the operator lets it in.
fn log_in_by_device(person: &Person<'_>, server: &Server) {
    let mut login =
        person.clawhub_command(&["login"]).stdout(Stdio::piped()).spawn().expect("the client starts");
    let mut lines = BufReader::new(login.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let code = lines.find_map(|line| line.split_once("enter code: ").map(|(_, code)| code.trim().to_owned()));
    assert!(server.desk().approve(&code.expect("a code"), "ada").expect("a desk"));
    let rest: Vec<String> = lines.collect();
    assert!(login.wait().expect("it ends").success(), "{rest:?}");
    person.clawhub_says(&["whoami"], "ada");
}

#[test]
fn skills_adds_from_the_index_of_a_skill_and_of_a_publisher() {
    let Some(clients) = clients() else { return };
    let server = Server::start();
    let token = server.token("ada");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA), ("docs/a.md", "hello")]).json();
    server.publish(&token, "cake", "1.0.0", &[("SKILL.md", &TEA.replace("tea", "cake"))]).json();
    server.publish(&token, "tidy-up", "1.0.0", &[("SKILL.md", BAD)]).json();
    let person = Person::new(&clients, &server);
    let skills = |args: &[&str]| finished(&mut person.command("skills/bin/cli.mjs", args));

    let listed = skills(&["add", &format!("{}/ada", server.base), "--list"]);
    assert_eq!(listed.code, 0, "{}", listed.text);
    assert!(listed.text.contains("cake") && listed.text.contains("tea"), "{}", listed.text);
    assert!(!listed.text.contains("tidy-up"), "{}", listed.text);

    let added = skills(&[
        "add",
        &format!("{}/ada/skills/tea", server.base),
        "--yes",
        "--agent",
        "claude-code",
        "--copy",
    ]);
    assert_eq!(added.code, 0, "{}", added.text);
    assert_eq!(person.read(".claude/skills/tea/SKILL.md"), TEA);
    assert_eq!(person.read(".claude/skills/tea/docs/a.md"), "hello");
    let lock: Value = serde_json::from_str(&person.read("skills-lock.json")).expect("a lock");
    let archive = server.get("/api/v1/agent-skills/ada/tea/archive?version=1.0.0").body;
    let digest = format!("sha256:{}", prowess_fs::sha256_hex(&archive));
    assert_eq!(lock["skills"]["tea"]["sourceType"], "well-known", "{lock}");
    assert_eq!(lock["skills"]["tea"]["wellKnownDigest"], Value::from(digest), "{lock}");
}
