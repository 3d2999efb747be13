//! How long a reader takes, with arbitrary weights of the right shape, next to the plain encoder.

#![allow(clippy::expect_used, reason = "a benchmark stops at the first surprise")]

use std::path::PathBuf;

use divan::{Bencher, black_box};
use prowess_embed::{Pack, Reader, Tokens, load};

#[path = "../tests/it/tiny.rs"]
#[expect(dead_code, reason = "only the reader is made here")]
mod tiny;

const LAYERS: [usize; 3] = [3, 4, 6];

/// The widths of MiniLM.
const WIDTHS: tiny::Widths = tiny::Widths {
    heads: 12,
    width: 384,
    inner: 1536,
    group: 64,
    hidden: 192,
    outputs: 1,
    message_tokens: 64,
    document_tokens: 80,
};

/// Fourteen tokens, without those around it.
const MESSAGE: &str = "Something is wrong with my session, could you please find out why?";

fn main() {
    divan::main();
}

fn base() -> Pack {
    let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../models");
    Pack::open(&models.join("prowess-minilm.pack")).expect("a pack")
}

fn reader(layers: usize) -> Reader {
    let base = base();
    let bytes = tiny::reader(&base, layers, &WIDTHS).expect("a pack");
    Reader::load(&Pack::from_bytes(bytes).expect("a pack"), &base).expect("a reader")
}

/// So many tokens without a pattern.
fn document(tokens: u32) -> Tokens {
    Tokens::from_ids((0..tokens).map(|index| 2_000 + index * 7_919 % 20_000).collect::<Vec<_>>())
}

fn read(bencher: Bencher<'_, '_>, layers: usize, count: usize) {
    let reader = reader(layers);
    // With the message, its two marks and the last one: 80 tokens.
    let document = document(63);
    let documents = vec![&document; count];
    bencher.bench_local(|| reader.read_tokens(black_box(MESSAGE), black_box(&documents)).expect("logits"));
}

/// One pair, on one core.
#[divan::bench(args = LAYERS)]
fn pair(bencher: Bencher<'_, '_>, layers: usize) {
    read(bencher, layers, 1);
}

/// Ten pairs one after the other, on one core.
#[divan::bench(args = LAYERS)]
fn ten_pairs_on_one_core(bencher: Bencher<'_, '_>, layers: usize) {
    let reader = reader(layers);
    let document = document(63);
    bencher.bench_local(|| {
        (0..10)
            .map(|_| reader.read_tokens(black_box(MESSAGE), &[black_box(&document)]).expect("a logit"))
            .collect::<Vec<_>>()
    });
}

/// Five documents, on all cores.
#[divan::bench(args = LAYERS)]
fn five_documents(bencher: Bencher<'_, '_>, layers: usize) {
    read(bencher, layers, 5);
}

/// Ten documents, on all cores.
#[divan::bench(args = LAYERS)]
fn ten_documents(bencher: Bencher<'_, '_>, layers: usize) {
    read(bencher, layers, 10);
}

/// The plain encoder for a message of 16 tokens, those around it included.
#[divan::bench]
fn baseline_message(bencher: Bencher<'_, '_>) {
    let encoder = load(base()).expect("an encoder");
    bencher.bench_local(|| encoder.encode(black_box(MESSAGE)).expect("a vector"));
}

/// The plain encoder for a document of 96 tokens.
#[divan::bench]
fn baseline_document(bencher: Bencher<'_, '_>) {
    let encoder = load(base()).expect("an encoder");
    let document = "word ".repeat(94);
    bencher.bench_local(|| encoder.encode(black_box(&document)).expect("a vector"));
}
