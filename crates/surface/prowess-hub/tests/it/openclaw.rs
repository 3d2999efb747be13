//! The real OpenClaw against the server, as npm installs it.
//!
//! `cargo xtask test` installs it beforehand; otherwise the test here does. Where npm or its registry cannot be
//! reached, the test says so and ends.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use prowess_fs::Lock;
use tempfile::TempDir;

use crate::support::{BAD, Server, TEA};

const MANIFESTS: [(&str, &str); 2] = [
    ("package.json", include_str!("../openclaw/package.json")),
    ("package-lock.json", include_str!("../openclaw/package-lock.json")),
];

/// The folder with OpenClaw; none where it cannot be installed.
fn installed() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm-openclaw");
    let _alone = Lock::acquire(&folder, Duration::from_mins(10)).expect("a lock");
    let is_current = MANIFESTS
        .iter()
        .all(|(name, text)| std::fs::read_to_string(folder.join(name)).is_ok_and(|is| is == *text));
    if is_current && folder.join("node_modules/.package-lock.json").is_file() {
        return Some(folder);
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in MANIFESTS {
        std::fs::write(folder.join(name), text).expect("a manifest");
    }
    prowess_testkit::npm_ci(&folder).then_some(folder)
}

/// OpenClaw in a home of its own.
struct OpenClaw<'a> {
    program: &'a Path,
    home: TempDir,
    base: &'a str,
}

impl OpenClaw<'_> {
    /// Runs `openclaw skills`, and returns whether it worked and what it printed.
    fn skills(&self, args: &[&str]) -> (bool, String) {
        let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        let node = self.program.join(format!("node_modules/node-linux-{machine}/bin/node"));
        let mut command = Command::new(if node.is_file() { node } else { "node".into() });
        // The environment of the person who runs the tests would lead it elsewhere.
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.home.path())
            .env("OPENCLAW_CLAWHUB_URL", self.base)
            .env("NO_COLOR", "1")
            .env("CI", "1")
            .env("CLAWHUB_DISABLE_TELEMETRY", "1")
            .current_dir(self.home.path())
            .stdin(Stdio::null())
            .arg(self.program.join("node_modules/openclaw/openclaw.mjs"))
            .arg("skills")
            .args(args);
        let output = command.output().expect("it starts");
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&text).into_owned())
    }

    /// Runs it; it must work and print something.
    fn says(&self, args: &[&str], expected: &str) -> String {
        let (is_fine, text) = self.skills(args);
        assert!(is_fine && text.contains(expected), "{args:?}:\n{text}");
        text
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.home.path().join(".openclaw/workspace/skills").join(path))
            .unwrap_or_default()
    }
}

#[test]
fn openclaw_finds_installs_updates_and_verifies() {
    let Some(program) = installed() else { return };
    let server = Server::start();
    let (acme, other) = (server.token("acme"), server.token("harbour"));
    let lamp = TEA.replace("tea", "lamp");
    server.publish(&acme, "tea", "1.0.0", &[("SKILL.md", TEA), ("docs/a.md", "hello")]).json();
    server.publish(&acme, "lamp", "1.0.0", &[("SKILL.md", &lamp)]).json();
    server.publish(&acme, "lamp", "1.1.0", &[("SKILL.md", &lamp.replace("three", "four"))]).json();
    server.publish(&other, "tidy-up", "1.0.0", &[("SKILL.md", BAD)]).json();
    let openclaw =
        OpenClaw { program: &program, home: tempfile::tempdir().expect("a home"), base: &server.base };

    let found = openclaw.says(&["search", "cup", "of", "tea"], "@acme/tea");
    assert!(!found.contains("tidy-up"), "{found}");
    let trending = openclaw.says(&["search"], "@acme/lamp");
    assert!(trending.contains("@acme/tea") && !trending.contains("tidy-up"), "{trending}");

    openclaw.says(&["install", "tea"], "tea");
    assert_eq!(
        (openclaw.read("tea/SKILL.md").as_str(), openclaw.read("tea/docs/a.md").as_str()),
        (TEA, "hello")
    );
    openclaw.says(&["install", "@acme/lamp", "--version", "1.0.0"], "lamp");
    assert_eq!(openclaw.read("lamp/SKILL.md"), lamp);
    let (is_fine, refused) = openclaw.skills(&["install", "@harbour/tidy-up"]);
    assert!(!is_fine && openclaw.read("tidy-up/SKILL.md").is_empty(), "{refused}");

    openclaw.says(&["update", "lamp"], "1.1.0");
    assert!(openclaw.read("lamp/SKILL.md").contains("four minutes"));
    server.publish(&acme, "tea", "1.0.1", &[("SKILL.md", &TEA.replace("three", "five"))]).json();
    openclaw.says(&["update", "--all"], "1.0.1");
    assert!(openclaw.read("tea/SKILL.md").contains("five minutes"));
    // OpenClaw knows a skill by the name that it was installed with.
    for (name, version) in [("tea", "1.0.1"), ("@acme/lamp", "1.1.0")] {
        let verified = openclaw.says(&["verify", name, "--json"], "pass");
        assert!(verified.contains(version), "{verified}");
    }
}
