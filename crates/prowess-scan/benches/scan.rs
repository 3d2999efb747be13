//! The cost of a scan: per megabyte, per skill, and over a tree of community size.
//!
//! The tree has the measure of the community snapshot of 31 January 2026: 109 MB in 12,200 files. Its texts are the
//! skills named by `PROWESS_BENCH_CORPUS` (JSON lines with `text`, gzip), or else the labelled fixtures, repeated.

use std::io::Read as _;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use prowess_scan::{File, scan};
use serde_json::Value;

const TREE_BYTES: usize = 109_000_000;
const TREE_FILES: usize = 12_200;
/// Files of one skill, on average, in the snapshot.
const FILES_PER_SKILL: usize = 5;

fn main() {
    divan::main();
}

fn unpack(bytes: &[u8]) -> String {
    let mut text = String::new();
    let _ = flate2::read::GzDecoder::new(bytes).read_to_string(&mut text);
    text
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
    let set: Value = serde_json::from_str(&unpack(include_bytes!("../tests/fixtures/labelled.json.gz")))
        .unwrap_or_default();
    let items = set["items"].as_array().cloned().unwrap_or_default();
    items.iter().filter_map(|item| Some(item["files"]["SKILL.md"].as_str()?.to_owned())).collect()
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

#[divan::bench(sample_count = 20)]
fn per_megabyte(bencher: Bencher<'_, '_>) {
    let text: String = texts()
        .iter()
        .cycle()
        .take(20_000)
        .map(String::as_str)
        .collect::<String>()
        .chars()
        .take(1_000_000)
        .collect();
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| scan(black_box(&[File::new("SKILL.md", text.as_bytes())]), None));
}

#[divan::bench(sample_count = 20)]
fn per_skill(bencher: Bencher<'_, '_>) {
    let texts = texts();
    bencher.counter(ItemsCount::new(texts.len())).bench(|| {
        for text in &texts {
            black_box(scan(&[File::new("SKILL.md", text.as_bytes())], None));
        }
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn community_tree(bencher: Bencher<'_, '_>) {
    let tree = tree();
    let bytes: usize = tree.iter().map(String::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench(|| {
        for skill in tree.chunks(FILES_PER_SKILL) {
            let names = ["SKILL.md", "README.md", "references/a.md", "references/b.md", "scripts/c.sh"];
            let files: Vec<File<'_>> =
                names.iter().zip(skill).map(|(name, text)| File::new(name, text.as_bytes())).collect();
            black_box(scan(&files, None));
        }
    });
}
