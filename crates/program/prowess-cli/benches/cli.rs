//! The command from start to end, against the cost of starting any program at all.

#![allow(clippy::expect_used, reason = "a broken fixture should stop the benchmark")]

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use divan::Bencher;
use prowess_testkit::{Tree, write_skills};

fn main() {
    divan::main();
}

fn workspace(count: usize) -> Tree {
    let tree = Tree::new();
    write_skills(&tree.path("ws/skills"), count);
    let limits = "{ skills: { limits: { maxCandidatesPerRoot: 5000, maxSkillsLoadedPerSource: 5000 } } }";
    tree.write("home/.prowess/prowess.json", limits);
    tree
}

fn run(program: &Path, tree: &Tree, args: &[&str]) {
    run_with(program, tree, args, Stdio::null());
}

fn run_with(program: &Path, tree: &Tree, args: &[&str], input: Stdio) {
    let status = Command::new(program)
        .args(args)
        .env_clear()
        .env("HOME", tree.path("home"))
        .env("PATH", "/usr/bin:/bin")
        .env("PROWESS_BUNDLED_SKILLS_DIR", tree.path("bundled"))
        .current_dir(tree.path("ws"))
        .stdin(input)
        .stdout(Stdio::null())
        .status()
        .expect("the program starts");
    assert!(status.success());
}

/// What starting and ending any program costs here.
#[divan::bench]
fn baseline(bencher: Bencher<'_, '_>) {
    let tree = workspace(0);
    std::fs::create_dir_all(tree.path("ws")).expect("a folder");
    bencher.bench(|| run(Path::new("/bin/true"), &tree, &[]));
}

/// `prowess list --json`, again and again over the same tree.
#[divan::bench(args = [60, 500, 2_500])]
fn list_json(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count);
    // The cache trusts a file once the grain of the clock has passed.
    std::thread::sleep(std::time::Duration::from_secs(4));
    let program = Path::new(env!("CARGO_BIN_EXE_prowess"));
    run(program, &tree, &["list", "--json"]);
    bencher.bench(|| run(program, &tree, &["list", "--json"]));
}

/// `prowess prompt`, the same way.
#[divan::bench(args = [60])]
fn prompt(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count);
    std::thread::sleep(std::time::Duration::from_secs(4));
    let program = Path::new(env!("CARGO_BIN_EXE_prowess"));
    run(program, &tree, &["prompt"]);
    bencher.bench(|| run(program, &tree, &["prompt"]));
}

/// `prowess match`: the vectors of the skills are cached, the message is encoded.
#[divan::bench(args = [60, 2_500])]
fn match_message(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count);
    std::thread::sleep(std::time::Duration::from_secs(4));
    let program = Path::new(env!("CARGO_BIN_EXE_prowess"));
    let args = ["match", "--json", "do I need an umbrella tomorrow?"];
    run(program, &tree, &args);
    bencher.bench(|| run(program, &tree, &args));
}

/// `prowess hook run`, as another program starts it for every message of its user.
#[divan::bench(args = [60, 2_500])]
fn hook_run(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count);
    std::thread::sleep(std::time::Duration::from_secs(4));
    let program = Path::new(env!("CARGO_BIN_EXE_prowess"));
    let folder = tree.path("ws").display().to_string();
    let input = serde_json::json!({
        "session_id": "4f35e220-c435-4cf7-b9b9-f40426042847", "cwd": folder, "hook_event_name": "UserPromptSubmit",
        "prompt": "do task number 17 for me, and its report",
    });
    tree.write("input.json", input.to_string());
    let run = || {
        let input = File::open(tree.path("input.json")).expect("a file");
        run_with(program, &tree, &["hook", "run", "claude-code"], input.into());
    };
    run();
    bencher.bench(run);
}
