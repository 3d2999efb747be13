//! A cold start: 300 skills of about sixty tokens until the selector is ready for a message.
//!
//! The baseline encodes the same texts one by one. Compare ratios of one run, not times of two.

#![allow(clippy::expect_used, reason = "a broken fixture should stop the benchmark")]

use std::path::{Path, PathBuf};

use divan::Bencher;
use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_context::{Caching, Models};
use prowess_match::document;
use prowess_testkit::{SkillFile, Tree};

const SKILLS: usize = 300;
const TOPICS: [&str; 10] =
    ["mail", "calendars", "photos", "music", "travel", "invoices", "news", "notes", "weather", "lights"];

fn main() {
    divan::main();
}

/// Descriptions of different lengths, sixty tokens on average.
fn workspace() -> Tree {
    let tree = Tree::new();
    for number in 0..SKILLS {
        let topic = TOPICS[number % TOPICS.len()];
        let mut description =
            format!("Looks after {topic}, collection {number}: finds, sorts, renames and shares.");
        for part in 0..number % 7 {
            description +=
                &format!(" Use when the user asks about {topic} of part {part} or wants a summary.");
        }
        let name = format!("{topic}-{number:03}");
        let text = SkillFile::new(&name).description(&description).text();
        tree.write(&format!("ws/skills/{name}/SKILL.md"), text);
    }
    let limits = "{ skills: { limits: { maxCandidatesPerRoot: 5000, maxSkillsLoadedPerSource: 5000 } } }";
    tree.write("home/.prowess/prowess.json", limits);
    std::fs::create_dir_all(tree.path("bundled")).expect("a folder");
    tree
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models")
}

fn engine(tree: &Tree) -> Engine {
    let vars = [("HOME", tree.path("home").display().to_string()), ("PATH", "/usr/bin:/bin".to_owned())];
    Engine::open(EngineOptions {
        env: Env::new(vars.map(|(name, value)| (name.to_owned(), value)), tree.path("ws")),
        overrides: Overrides { bundled: Some(tree.path("bundled")), ..Overrides::default() },
        models: Models::in_folder(&models()).expect("the packs of the repository"),
        cache: Caching::Off,
        ..EngineOptions::default()
    })
    .expect("the engine opens")
}

/// The same texts on one core, one after the other, with the sentences that ask for nothing.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn baseline(bencher: Bencher<'_, '_>) {
    let tree = workspace();
    let engine = engine(&tree);
    let inventory = engine.inventory(None).expect("an inventory");
    let entries = inventory.entries.iter();
    let mut texts: Vec<String> = entries.map(|entry| document(&entry.skill, "").passage()).collect();
    let encoders = engine.context().encoders().expect("encoders");
    texts.extend(encoders.calibration().null_sentences().iter().cloned());
    let encoder = encoders.get("prowess-minilm").expect("the encoder");
    bencher.bench_local(|| {
        texts.iter().map(|text| encoder.encode(text).expect("a vector").len()).sum::<usize>()
    });
}

/// A selector without any vector until it is ready.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn ready(bencher: Bencher<'_, '_>) {
    let tree = workspace();
    let engine = engine(&tree);
    let inventory = engine.inventory(None).expect("an inventory");
    bencher.with_inputs(|| engine.selector(&inventory).expect("a selector")).bench_local_values(|selector| {
        selector.prepare_for("will it rain tomorrow?", |_| {}).expect("vectors");
        selector
    });
}
