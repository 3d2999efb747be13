use std::path::Path as FilePath;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::pack::{Header, PackWriter};

/// A text as the reference sees it; `models/reference/use_multilingual.py` writes them.
#[derive(Deserialize)]
struct Case {
    text: String,
    tokens: Vec<usize>,
}

fn cases() -> impl Iterator<Item = Case> {
    let cases = include_str!("../tests/fixtures/multilingual.jsonl").lines();
    cases.map(|line| serde_json::from_str(line).unwrap())
}

fn pack() -> Pack {
    let models = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
    Pack::open(&models.join("use-multilingual.pack")).unwrap()
}

#[test]
fn tokens_are_those_of_the_reference() {
    let tokenizer = Unigram::load(&pack()).unwrap();
    for case in cases() {
        assert_eq!(tokenizer.tokens(&case.text), case.tokens, "{:?}", case.text);
    }
}

#[test]
fn every_path_gives_the_same_vector() {
    let texts = ["", "Regnet es morgen in Zürich?", "明日の天気は？", "one two three four five"];
    let vectors = |path| {
        let encoder = Multilingual::load(&pack(), path).unwrap();
        texts.map(|text| encoder.encode(text).unwrap())
    };
    let expected = vectors(Path::Portable);
    for path in Path::available() {
        assert_eq!(vectors(path), expected, "{path:?}");
    }
}

#[test]
fn a_pack_of_another_shape_is_refused() {
    let header = Header { name: "x".into(), dimensions: EMBEDDING, max_tokens: 8, ..Header::default() };
    let error = |header| {
        let pack = Pack::from_bytes(PackWriter::new(header).finish().unwrap()).unwrap();
        load(pack).err().unwrap().to_string()
    };
    assert_eq!(error(header.clone()), "tensor `tokenizer.scores` is missing");
    let error = error(Header { dimensions: 384, ..header });
    assert_eq!(error, "the pack is invalid: 384 dimensions, expected 512");
}

/// A pack that holds a tokenizer and a table, of whatever numbers.
#[derive(Debug, Clone)]
struct Noise {
    pieces: Vec<u32>,
    scores: Vec<f32>,
    rules: Vec<u32>,
    replacements: Vec<u8>,
    rows: Vec<u8>,
    offsets: Vec<u32>,
    codes: Vec<u16>,
    max_tokens: usize,
}

prop_compose! {
    fn noise()(
        // Small numbers, so that some units lead to others.
        pieces in prop::collection::vec(0_u32..0x8000, 0..600),
        scores in prop::collection::vec(prop::num::f32::ANY, 0..40),
        rules in prop::collection::vec(0_u32..0x8000, 0..600),
        replacements in prop::collection::vec(any::<u8>(), 0..60),
        rows in prop::collection::vec(any::<u8>(), 0..300),
        places in prop::collection::vec(0_u32..400, 40),
        codes in prop::collection::vec(any::<u16>(), 4096),
        max_tokens in prop_oneof![Just(0), Just(1), 2..50_usize, Just(usize::MAX)],
    ) -> Noise {
        let offsets = places[..=scores.len().min(39)].to_vec();
        Noise { pieces, scores, rules, replacements, rows, offsets, codes, max_tokens }
    }
}

proptest! {
    #[test]
    fn damaged_tables_never_panic(noise in noise(), text in ".{0,80}") {
        let mut writer = PackWriter::new(Header { max_tokens: noise.max_tokens, ..Header::default() });
        writer.tensor("tokenizer.pieces", &[noise.pieces.len()], &noise.pieces).unwrap();
        writer.tensor("tokenizer.scores", &[noise.scores.len()], &noise.scores).unwrap();
        writer.tensor("normalizer.rules", &[noise.rules.len()], &noise.rules).unwrap();
        writer.tensor("normalizer.replacements", &[noise.replacements.len()], &noise.replacements).unwrap();
        writer.tensor("table.rows", &[noise.rows.len()], &noise.rows).unwrap();
        writer.tensor("table.offsets", &[noise.offsets.len()], &noise.offsets).unwrap();
        writer.tensor("table.codes", &[1, 4096], &noise.codes).unwrap();
        writer.tensor("table.scale", &[2], &[1.0_f32, 2.0]).unwrap();
        writer.tensor("table.shift", &[2], &[0.5_f32, 0.0]).unwrap();
        let pack = Pack::from_bytes(writer.finish().unwrap()).unwrap();
        let tokenizer = Unigram::load(&pack).unwrap();
        let tokens = tokenizer.tokens(&text);
        prop_assert!(tokens.len() >= 3);
        if let Ok(table) = Table::load(&pack, tokenizer.vocabulary()) {
            for token in tokens {
                table.row(token);
            }
        }
    }

    #[test]
    fn any_text_has_tokens_within_the_limit(text in ".{0,400}") {
        thread_local! {
            static TOKENIZER: Unigram = Unigram::load(&pack()).unwrap();
        }
        let tokens = TOKENIZER.with(|tokenizer| tokenizer.tokens(&text));
        prop_assert!((3..=512).contains(&tokens.len()), "{}", tokens.len());
        prop_assert!(tokens.iter().all(|token| *token < 128_000));
    }
}
