//! The cost of recording: one line, the end of a run, and reading a session back.
//!
//! The baseline appends the same line to a file that stays open, without a lock. Compare ratios of one run, not times
//! of two.

#![allow(clippy::expect_used, reason = "a broken fixture should stop the benchmark")]

use std::fs::File;
use std::io::Write as _;

use divan::Bencher;
use prowess::{Engine, EngineOptions};
use prowess_config::Env;
use prowess_context::Clock;
use prowess_sessions::{SessionId, SessionWriter, Sessions};
use prowess_testkit::Tree;
use prowess_types::{Outcome, TraceEvent, Usage};

/// Bytes of a tool's output: a short answer, and as much as a run keeps.
const SIZES: [usize; 2] = [200, 32 * 1024];

fn main() {
    divan::main();
}

fn sessions(tree: &Tree) -> Sessions {
    let vars = [("HOME".to_owned(), tree.path("home").display().to_string())];
    let env = Env::new(vars, tree.path("home"));
    Engine::open(EngineOptions { env, ..EngineOptions::default() }).expect("the engine opens").sessions()
}

fn writer(tree: &Tree) -> SessionWriter {
    let writer = sessions(tree).open(SessionId::new(1), "main", "/project", Clock::new(|| 1_000));
    writer.expect("a writer").run("r1")
}

fn result(bytes: usize) -> TraceEvent {
    TraceEvent::ToolResult {
        id: "1".into(),
        ok: true,
        output: "x".repeat(bytes),
        omitted_bytes: 0,
        exit_code: Some(0),
        ms: Some(3),
    }
}

#[divan::bench(args = SIZES)]
fn append(bencher: Bencher<'_, '_>, bytes: usize) {
    let tree = Tree::new();
    let writer = writer(&tree);
    bencher.with_inputs(|| result(bytes)).bench_values(|event| writer.append(event).expect("written"));
}

#[divan::bench(args = SIZES)]
fn baseline_of_append(bencher: Bencher<'_, '_>, bytes: usize) {
    let tree = Tree::new();
    let file = File::create(tree.path("log")).expect("a file");
    bencher.with_inputs(|| result(bytes)).bench_values(|event| {
        let line = serde_json::to_string(&event).expect("JSON") + "\n";
        (&file).write_all(line.as_bytes()).expect("written");
    });
}

/// The end of a run is forced to disk.
#[divan::bench]
fn end_run(bencher: Bencher<'_, '_>) {
    let tree = Tree::new();
    let writer = writer(&tree);
    bencher.bench(|| {
        let (outcome, usage) = (Outcome::default(), Usage::default());
        writer.append(TraceEvent::RunEnded { outcome, usage, ms: None, stopped: false }).expect("written");
    });
}

/// A line forced to disk.
#[divan::bench]
fn baseline_of_end_run(bencher: Bencher<'_, '_>) {
    let tree = Tree::new();
    let file = File::create(tree.path("log")).expect("a file");
    bencher.bench(|| {
        (&file).write_all(b"{}\n").expect("written");
        file.sync_data().expect("on disk");
    });
}

const LINES: [usize; 2] = [100, 10_000];

/// As many lines read as plain JSON.
#[divan::bench(args = LINES)]
fn baseline_of_show(bencher: Bencher<'_, '_>, lines: usize) {
    let tree = Tree::new();
    let line = serde_json::to_string(&result(200)).expect("JSON") + "\n";
    tree.write("log", line.repeat(lines));
    bencher.bench(|| {
        let text = std::fs::read_to_string(tree.path("log")).expect("a file");
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        lines.collect::<Vec<_>>()
    });
}

#[divan::bench(args = LINES)]
fn show(bencher: Bencher<'_, '_>, lines: usize) {
    let tree = Tree::new();
    let writer = writer(&tree);
    for _ in 0..lines {
        writer.append(result(200)).expect("written");
    }
    let sessions = sessions(&tree);
    bencher.bench(|| sessions.show(writer.id()).expect("a session"));
}
