//! The time until a change is published, and the cost of a rebuild beside reading everything.
//!
//! `edit_to_publish` is the time from a save to the event, with debounces of 50 and 250 ms: the baseline is the debounce.
//! A rebuild is compared with what a new engine does on the same tree. Compare ratios of one run, not times of two.

#![allow(clippy::expect_used, reason = "a broken fixture should stop the benchmark")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use divan::Bencher;
use prowess::{Engine, EngineOptions, Live};
use prowess_config::{Env, Overrides};
use prowess_context::{Caching, Clock};
use prowess_fs::ChangeReason;
use prowess_inventory::PromptRequest;
use prowess_match::LiveOptions;
use prowess_testkit::{Tree, skill_md, write_skills};

const COUNTS: [usize; 2] = [500, 2_500];
const DEBOUNCES: [u64; 2] = [50, 250];

fn main() {
    divan::main();
}

fn workspace(count: usize, debounce_ms: u64) -> Tree {
    let tree = Tree::new();
    write_skills(&tree.path("ws/skills"), count);
    let limits = "limits: { maxCandidatesPerRoot: 5000, maxSkillsLoadedPerSource: 5000 }";
    tree.write(
        "home/.prowess/prowess.json",
        format!("{{ skills: {{ {limits}, load: {{ debounceMs: {debounce_ms} }} }} }}"),
    );
    std::fs::create_dir_all(tree.path("bundled")).expect("a folder");
    tree
}

fn engine(tree: &Tree) -> Engine {
    let vars = [("HOME", tree.path("home").display().to_string()), ("PATH", "/usr/bin:/bin".to_owned())];
    Engine::open(EngineOptions {
        env: Env::new(vars.map(|(name, value)| (name.to_owned(), value)), tree.path("ws")),
        overrides: Overrides { bundled: Some(tree.path("bundled")), ..Overrides::default() },
        cache: Caching::Off,
        ..EngineOptions::default()
    })
    .expect("the engine opens")
}

fn live(tree: &Tree) -> Live {
    let live = engine(tree).watch(LiveOptions::new(Clock::new(|| 0))).expect("it watches");
    live.snapshot(None).expect("a snapshot");
    live
}

/// Another text for the first skill, each time.
fn edit(tree: &Tree) {
    static EDITS: AtomicUsize = AtomicUsize::new(0);
    let number = EDITS.fetch_add(1, Ordering::Relaxed);
    tree.write("ws/skills/skill-00003/SKILL.md", skill_md(3) + &format!("Edit {number}.\n"));
}

/// From a save to the event, for 500 skills.
#[divan::bench(args = DEBOUNCES, sample_count = 20, sample_size = 1)]
fn edit_to_publish(bencher: Bencher<'_, '_>, debounce_ms: u64) {
    let tree = workspace(500, debounce_ms);
    let live = live(&tree);
    let events = live.subscribe();
    bencher.bench_local(|| {
        edit(&tree);
        events.next(Duration::from_mins(1)).expect("an event")
    });
}

/// The debounce alone.
#[divan::bench(args = DEBOUNCES, sample_count = 20, sample_size = 1)]
fn baseline_of_edit_to_publish(debounce_ms: u64) {
    std::thread::sleep(Duration::from_millis(debounce_ms));
}

/// From a save to the event without any debounce: what noticing and rebuilding cost.
#[divan::bench(args = COUNTS, sample_count = 50, sample_size = 1)]
fn rebuild_after_an_edit(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count, 0);
    let live = live(&tree);
    let events = live.subscribe();
    bencher.bench_local(|| {
        edit(&tree);
        events.next(Duration::from_mins(1)).expect("an event")
    });
}

/// Everything read again by the same engine.
#[divan::bench(args = COUNTS, sample_count = 20, sample_size = 1)]
fn rebuild_everything(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count, 250);
    let live = live(&tree);
    bencher.bench_local(|| live.refresh(ChangeReason::Manual));
}

/// The work of a new engine: walk, read, parse, merge, gate, render.
#[divan::bench(args = COUNTS, sample_count = 20, sample_size = 1)]
fn baseline(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count, 250);
    let engine = engine(&tree);
    bencher.bench_local(|| {
        let inventory = engine.inventory(None).expect("an inventory");
        inventory.snapshot(&PromptRequest::default(), 1)
    });
}

/// A shared value behind a lock.
#[divan::bench]
fn baseline_of_read_snapshot(bencher: Bencher<'_, '_>) {
    let shared = Mutex::new(Arc::new(1));
    bencher.bench_local(|| Arc::clone(&divan::black_box(&shared).lock().expect("a lock")));
}

/// The cost of reading the current snapshot.
#[divan::bench]
fn read_snapshot(bencher: Bencher<'_, '_>) {
    let tree = workspace(500, 250);
    let live = live(&tree);
    bencher.bench_local(|| live.snapshot(None).expect("a snapshot"));
}
