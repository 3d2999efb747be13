//! How long a text takes, and how long an encoder takes to be ready.

#![allow(clippy::expect_used, reason = "a benchmark stops at the first surprise")]

use std::path::PathBuf;
use std::sync::Arc;

use divan::{Bencher, black_box};
use prowess_embed::{Encoder, Pack, load};

const PACKS: [&str; 2] = ["prowess-minilm", "use-multilingual"];

/// Sixteen tokens in the English packs, first and last included.
const MESSAGE: &str = "Something is wrong with my session, could you please find out why?";

/// Sixty-four tokens in the English packs.
const DESCRIPTION: &str = "Search the web, read the pages that matter and answer with citations. Use when the user \
    asks about recent events, current prices, releases, documentation or anything else that is newer than what the \
    model knows, or when a claim needs a source. Not for questions about files of this project or its source code.";

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../models").join(format!("{name}.pack"))
}

fn encoder(name: &str) -> Arc<dyn Encoder> {
    load(Pack::open(&path(name)).expect("a pack")).expect("an encoder")
}

fn main() {
    divan::main();
}

/// Every byte of the pack looked at once.
#[divan::bench(args = PACKS)]
fn baseline(bencher: Bencher<'_, '_>, name: &str) {
    let bytes = std::fs::read(path(name)).expect("a pack");
    bencher.bench_local(|| black_box(&bytes).iter().map(|byte| u64::from(*byte)).sum::<u64>());
}

/// The file of the pack read by the standard library.
#[divan::bench(args = PACKS)]
fn baseline_of_open_and_load(name: &str) -> Vec<u8> {
    std::fs::read(path(black_box(name))).expect("a pack")
}

#[divan::bench(args = PACKS)]
fn message(bencher: Bencher<'_, '_>, name: &str) {
    let encoder = encoder(name);
    bencher.bench_local(|| encoder.encode(black_box(MESSAGE)).expect("a vector"));
}

#[divan::bench(args = PACKS)]
fn description(bencher: Bencher<'_, '_>, name: &str) {
    let encoder = encoder(name);
    bencher.bench_local(|| encoder.encode(black_box(DESCRIPTION)).expect("a vector"));
}

/// As a pack by path is loaded: mapped, its checksum compared.
#[divan::bench(args = PACKS)]
fn open_and_load(name: &str) -> Arc<dyn Encoder> {
    encoder(black_box(name))
}

/// As a pack inside the program is loaded: nothing is read but the header and small tables.
#[divan::bench(args = PACKS)]
fn load_embedded(bencher: Bencher<'_, '_>, name: &str) {
    let bytes: &'static [u8] = aligned(&std::fs::read(path(name)).expect("a pack"));
    bencher.bench_local(|| load(Pack::from_static(black_box(bytes)).expect("a pack")).expect("an encoder"));
}

/// A copy that begins at a multiple of 64, as `include_pack!` makes it.
fn aligned(bytes: &[u8]) -> &'static [u8] {
    let room = vec![0_u8; bytes.len() + 64].leak();
    let start = room.as_ptr().align_offset(64);
    room[start..start + bytes.len()].copy_from_slice(bytes);
    &room[start..start + bytes.len()]
}
