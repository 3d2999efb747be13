//! The cost of a scan: per megabyte, per skill, and over a tree of community size.
//!
//! The tree has the measure of the community snapshot of 31 January 2026: 109 MB in 12,200 files. Its texts are the
//! skills named by `PROWESS_BENCH_CORPUS` (JSON lines with `text`, gzip), or else what a community tree is made of: the skills,
//! documents and programs of this repository, without this crate, whose rules speak of attacks in every line, and the fixtures,
//! harmless ones with an attack here and there. Before the benchmarks, the tree is scanned once and its CPU time and the slowest skills are told.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use prowess_scan::{File, scan};
use prowess_testkit::figure;
use serde_json::Value;

const TREE_BYTES: usize = 109_000_000;
const TREE_FILES: usize = 12_200;
/// Files of one skill, on average, in the snapshot.
const FILES_PER_SKILL: usize = 5;
/// One in so many attacks of the fixtures is part of the tree.
const ATTACKS: usize = 40;

fn main() {
    if std::env::args().any(|argument| argument == "--bench") {
        cpu_time();
    }
    divan::main();
}

/// CPU seconds of this process, user and system together, where the system tells.
fn used() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit(')').next()?.split_ascii_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

fn cpu_time() {
    let tree = tree();
    let mut times = Vec::new();
    let before = used();
    for skill in tree.chunks(FILES_PER_SKILL) {
        let start = Instant::now();
        scan_skill(skill);
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    let cpu = used().zip(before).map(|(after, before)| after - before);
    figure("CPU for a tree of 109 MB in 12,200 files", "CPU s", cpu.into_iter().collect());
    times.sort_by(f64::total_cmp);
    let slow = times[times.len() * 99 / 100];
    figure("a skill of five files", "ms", times);
    figure("a skill of five files, 99th percentile", "ms", vec![slow]);
}

fn scan_skill(texts: &[String]) {
    let names = ["SKILL.md", "README.md", "references/a.md", "references/b.md", "scripts/c.sh"];
    let files: Vec<File<'_>> =
        names.iter().zip(texts).map(|(name, text)| File::new(name, text.as_bytes())).collect();
    black_box(scan(&files, None));
}

fn unpack(bytes: &[u8]) -> String {
    let mut text = String::new();
    let _ = flate2::read::GzDecoder::new(bytes).read_to_string(&mut text);
    text
}

/// The texts below a folder, in the order of their names; the largest are left out, as they would be most of the tree.
fn own_texts(folder: &Path, texts: &mut Vec<String>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.ends_with("prowess-scan") {
            continue;
        }
        if path.is_dir() {
            own_texts(&path, texts);
        } else if let Ok(text) = std::fs::read_to_string(&path)
            && text.len() < 32 << 10
        {
            texts.push(text);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is told where its data lies")]
fn texts() -> Vec<String> {
    let named = std::env::var("PROWESS_BENCH_CORPUS").ok().and_then(|path| std::fs::read(path).ok());
    if let Some(bytes) = named {
        let rows = unpack(&bytes);
        return rows
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter_map(|row| Some(row["text"].as_str()?.to_owned()))
            .collect();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut texts = Vec::new();
    for folder in ["skills", "docs", "crates"] {
        own_texts(&root.join(folder), &mut texts);
    }
    let sets: [&[u8]; 2] = [
        include_bytes!("../tests/fixtures/labelled.json.gz"),
        include_bytes!("../tests/fixtures/variants.json.gz"),
    ];
    let mut attacks = 0;
    for set in sets {
        let set: Value = serde_json::from_str(&unpack(set)).unwrap_or_default();
        for item in set["items"].as_array().into_iter().flatten() {
            let is_attack = item["truth"] == "malicious";
            attacks += usize::from(is_attack);
            if !is_attack || attacks % ATTACKS == 0 {
                texts.extend(
                    item["files"]
                        .as_object()
                        .into_iter()
                        .flatten()
                        .filter_map(|(_, text)| text.as_str().map(str::to_owned)),
                );
            }
        }
    }
    texts
}

/// Files of the size and number of the community tree, made of texts one after another.
fn tree() -> Vec<String> {
    let texts = texts();
    let mut next = texts.iter().cycle();
    let size = TREE_BYTES / TREE_FILES;
    (0..TREE_FILES)
        .map(|_| {
            let mut file = String::with_capacity(size + 4096);
            while file.len() < size {
                file.push_str(next.next().map_or("", String::as_str));
                file.push('\n');
            }
            let mut end = size;
            while !file.is_char_boundary(end) {
                end -= 1;
            }
            file.truncate(end);
            file
        })
        .collect()
}

/// A million characters of such texts.
fn megabyte() -> String {
    texts()
        .iter()
        .cycle()
        .take(20_000)
        .map(String::as_str)
        .collect::<String>()
        .chars()
        .take(1_000_000)
        .collect()
}

/// One pass of the standard library: the same text in small letters.
#[divan::bench(sample_count = 20)]
fn baseline_of_per_megabyte(bencher: Bencher<'_, '_>) {
    let text = megabyte();
    bencher.counter(BytesCount::new(text.len())).bench(|| black_box(&text).to_lowercase());
}

#[divan::bench(sample_count = 20)]
fn per_megabyte(bencher: Bencher<'_, '_>) {
    let text = megabyte();
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| scan(black_box(&[File::new("SKILL.md", text.as_bytes())]), None));
}

/// All texts in small letters.
#[divan::bench(sample_count = 20)]
fn baseline_of_all_texts(bencher: Bencher<'_, '_>) {
    let texts = texts();
    bencher.counter(ItemsCount::new(texts.len())).bench(|| {
        for text in &texts {
            black_box(text.to_lowercase());
        }
    });
}

/// Each text scanned as a skill of its own.
#[divan::bench(sample_count = 20)]
fn all_texts(bencher: Bencher<'_, '_>) {
    let texts = texts();
    bencher.counter(ItemsCount::new(texts.len())).bench(|| {
        for text in &texts {
            black_box(scan(&[File::new("SKILL.md", text.as_bytes())], None));
        }
    });
}

/// The whole tree in small letters.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn baseline_of_community_tree(bencher: Bencher<'_, '_>) {
    let tree = tree();
    bencher.bench(|| {
        for text in &tree {
            black_box(text.to_lowercase());
        }
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn community_tree(bencher: Bencher<'_, '_>) {
    let tree = tree();
    let bytes: usize = tree.iter().map(String::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench(|| tree.chunks(FILES_PER_SKILL).for_each(scan_skill));
}
