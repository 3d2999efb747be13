//! How long a selection takes, at the size of a large registry and at the largest size that is searched exactly.
//!
//! The skills are made up, the same every time: words drawn from a vocabulary where few are frequent and most
//! are rare, and vectors around a few hundred topics.

#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up should stop")]

use std::collections::HashSet;
use std::sync::OnceLock;

use divan::{Bencher, black_box};
use prowess_select::{Calibration, Index, Languages, Query, Route, SelectDocument, SelectOptions, Voice};

const SIZES: [usize; 2] = [2_417, 100_000];
const ENCODERS: [&str; 2] = ["first", "second"];
const DIMENSIONS: usize = 384;
const TOPICS: usize = 300;
const MESSAGE_WORDS: usize = 14;

fn main() {
    divan::main();
}

/// One plain loop over the vectors of one encoder: the nearest skill, and nothing else.
#[divan::bench(args = SIZES)]
fn baseline(bencher: Bencher<'_, '_>, size: usize) {
    let mut random = Random(3);
    let vectors: Vec<f32> = (0..size * DIMENSIONS).map(|_| random.unit() - 0.5).collect();
    let message = random.vector(1.0);
    bencher.bench_local(|| {
        let near = |vector: &[f32]| vector.iter().zip(&message).map(|(one, other)| one * other).sum::<f32>();
        black_box(&vectors).chunks(DIMENSIONS).map(near).fold(f32::MIN, f32::max)
    });
}

/// Words alone, without an encoder.
#[divan::bench(args = SIZES)]
fn lexical_only(bencher: Bencher<'_, '_>, size: usize) {
    let world = world(size);
    let calibration = Calibration::default();
    let query = Query::new(&world.message);
    bencher.bench_local(|| {
        world.index.select(black_box(&query), calibration.route(true, &[]), &SelectOptions::default())
    });
}

/// Two encoders and a message without words.
#[divan::bench(args = SIZES)]
fn vectors_only(bencher: Bencher<'_, '_>, size: usize) {
    let world = world(size);
    let (route, vectors) = (route(), world.vectors());
    let query = Query { vectors: &vectors, ..Query::default() };
    bencher.bench_local(|| world.index.select(black_box(&query), &route, &SelectOptions::default()));
}

/// Two encoders and the words.
#[divan::bench(args = SIZES)]
fn whole(bencher: Bencher<'_, '_>, size: usize) {
    let world = world(size);
    let (route, vectors) = (route(), world.vectors());
    let query = Query { text: &world.message, vectors: &vectors, ..Query::default() };
    bencher.bench_local(|| world.index.select(black_box(&query), &route, &SelectOptions::default()));
}

/// Counting the different words of all skills.
#[divan::bench(args = [SIZES[0]])]
fn baseline_of_index(bencher: Bencher<'_, '_>, size: usize) {
    let documents = documents(size);
    bencher.bench_local(|| {
        let words = black_box(&documents).iter().flat_map(|document| document.body.split(' '));
        words.collect::<HashSet<_>>().len()
    });
}

/// Indexing the words of all skills.
#[divan::bench(args = [SIZES[0]])]
fn index(bencher: Bencher<'_, '_>, size: usize) {
    let documents = documents(size);
    bencher.bench_local(|| Index::new(black_box(&documents)));
}

struct World {
    index: Index,
    message: String,
    message_vector: Vec<f32>,
}

impl World {
    fn vectors(&self) -> [(&'static str, &[f32]); 2] {
        ENCODERS.map(|encoder| (encoder, &self.message_vector[..]))
    }
}

fn world(size: usize) -> &'static World {
    static SMALL: OnceLock<World> = OnceLock::new();
    static LARGE: OnceLock<World> = OnceLock::new();
    let cell = if size == SIZES[0] { &SMALL } else { &LARGE };
    cell.get_or_init(|| {
        let mut index = Index::new(&documents(size));
        let mut random = Random(7);
        let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| random.vector(1.0)).collect();
        for encoder in ENCODERS {
            for row in 0..size {
                let vector = random.near(&topics[row % TOPICS]);
                index.set_vector(encoder, row, &vector).expect("a vector that fits");
            }
            let nulls: Vec<Vec<f32>> = (0..48).map(|_| random.vector(1.0)).collect();
            index.set_nulls(encoder, &nulls).expect("vectors that fit");
        }
        let message = random.text(MESSAGE_WORDS);
        World { index, message, message_vector: random.near(&topics[0]) }
    })
}

fn route() -> Route {
    let voice = |encoder: &str| Voice {
        encoder: encoder.to_owned(),
        mean: 0.1,
        deviation: 0.1,
        weight: 1.0,
        bridge: None,
    };
    Route {
        languages: Languages::Any,
        voices: ENCODERS.map(voice).to_vec(),
        ..Calibration::default().route(true, &[]).clone()
    }
}

fn documents(size: usize) -> Vec<SelectDocument> {
    let mut random = Random(1);
    let mut document = |_| SelectDocument {
        name: random.text(2).replace(' ', "-"),
        description: random.text(25),
        body: random.text(180),
        ..SelectDocument::default()
    };
    (0..size).map(&mut document).collect()
}

/// A generator of numbers that are the same in every run.
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// Words of which the `n`-th is about `1 / n` as frequent as the first, of a vocabulary of 30,000.
    fn text(&mut self, words: usize) -> String {
        let mut word = || format!("w{:.0}x", 30_000_f32.powf(self.unit()));
        (0..words).map(|_| word()).collect::<Vec<_>>().join(" ")
    }

    fn vector(&mut self, size: f32) -> Vec<f32> {
        (0..DIMENSIONS).map(|_| (self.unit() - 0.5) * size).collect()
    }

    fn near(&mut self, topic: &[f32]) -> Vec<f32> {
        topic.iter().zip(self.vector(1.5)).map(|(topic, noise)| topic + noise).collect()
    }
}
