//! From folders to a prompt: cold, warm, and the prompt alone, for 52, 500 and 2,500 skills.
//!
//! The baseline reads the same files with the standard library and throws them away. Compare ratios of one run,
//! not times of two.

#![allow(clippy::expect_used, reason = "a broken fixture should stop the benchmark")]

use std::time::Duration;

use divan::Bencher;
use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_context::Caching;
use prowess_inventory::PromptRequest;
use prowess_testkit::{Tree, write_skills};

const COUNTS: [usize; 3] = [52, 500, 2_500];

fn main() {
    divan::main();
}

/// A workspace with that many skills.
fn workspace(count: usize) -> Tree {
    let tree = Tree::new();
    write_skills(&tree.path("ws/skills"), count);
    let limits = "{ skills: { limits: { maxCandidatesPerRoot: 5000, maxSkillsLoadedPerSource: 5000 } } }";
    tree.write("home/.prowess/prowess.json", limits);
    std::fs::create_dir_all(tree.path("bundled")).expect("a folder");
    tree
}

fn engine(tree: &Tree, cache: Caching) -> Engine {
    let vars = [("HOME", tree.path("home").display().to_string()), ("PATH", "/usr/bin:/bin".to_owned())];
    Engine::open(EngineOptions {
        env: Env::new(vars.map(|(name, value)| (name.to_owned(), value)), tree.path("ws")),
        overrides: Overrides { bundled: Some(tree.path("bundled")), ..Overrides::default() },
        cache,
        ..EngineOptions::default()
    })
    .expect("the engine opens")
}

/// The cost of the disk alone: every file read once.
#[divan::bench(args = COUNTS)]
fn baseline(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count);
    bencher.bench(|| {
        let mut bytes = 0;
        for entry in std::fs::read_dir(tree.path("ws/skills")).expect("a folder") {
            let file = entry.expect("an entry").path().join("SKILL.md");
            bytes += std::fs::read(file).expect("a file").len();
        }
        bytes
    });
}

/// Nothing is known: walk, read, parse, merge, gate.
#[divan::bench(args = COUNTS)]
fn cold(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count);
    let engine = engine(&tree, Caching::Off);
    bencher.bench(|| engine.inventory(None).expect("an inventory"));
}

/// A second process over an unchanged tree: walk, cache, merge, gate.
#[divan::bench(args = COUNTS)]
fn warm(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count);
    // The inode change time of a new file is now; the cache trusts it once the grain of the clock has passed.
    std::thread::sleep(Duration::from_secs(4));
    let engine = engine(&tree, Caching::On);
    engine.inventory(None).expect("an inventory");
    bencher.bench(|| engine.inventory(None).expect("an inventory"));
}

/// A copy of the text that `prompt` makes.
#[divan::bench(args = COUNTS)]
fn baseline_of_prompt(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count);
    let inventory = engine(&tree, Caching::Off).inventory(None).expect("an inventory");
    let text = inventory.prompt(&PromptRequest::default()).text;
    bencher.bench(|| divan::black_box(&text).clone().len());
}

/// The catalogue of an inventory that is there.
#[divan::bench(args = COUNTS)]
fn prompt(bencher: Bencher<'_, '_>, count: usize) {
    let tree = workspace(count);
    let inventory = engine(&tree, Caching::Off).inventory(None).expect("an inventory");
    bencher.bench(|| inventory.prompt(&PromptRequest::default()).text.len());
}
