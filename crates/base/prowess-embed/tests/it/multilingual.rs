//! USE-multilingual against its reference, through the public interface alone.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use prowess_embed::{Encoder, Pack, load};
use serde_json::Value;

const DIMENSIONS: usize = 512;

fn encoder() -> Arc<dyn Encoder> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
    load(Pack::open(&models.join("use-multilingual.pack")).unwrap()).unwrap()
}

/// Texts, and their vectors times some number; `models/reference/use_multilingual.py` writes both.
fn cases() -> Vec<(String, Vec<f32>)> {
    let texts = include_str!("../fixtures/multilingual.jsonl").lines();
    let vectors = include_bytes!("../fixtures/multilingual.vectors").chunks_exact(DIMENSIONS);
    let text = |line| serde_json::from_str::<Value>(line).unwrap()["text"].as_str().unwrap().to_owned();
    let vector = |bytes: &[u8]| bytes.iter().map(|byte| f32::from(byte.cast_signed())).collect();
    texts.map(text).zip(vectors.map(vector)).collect()
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[test]
fn vectors_are_those_of_the_reference() {
    let encoder = encoder();
    assert_eq!((encoder.name(), encoder.dimensions()), ("use-multilingual", DIMENSIONS));
    let cases = cases();
    let mut sum = 0.0;
    for (text, expected) in &cases {
        let vector = encoder.encode(text).unwrap();
        assert!((dot(&vector, &vector) - 1.0).abs() < 1e-4, "unit length: {text:?}");
        let cosine = dot(&vector, expected) / dot(expected, expected).sqrt();
        assert!(cosine > 0.999, "{cosine}: {text:?}");
        sum += cosine;
    }
    let mean = sum / cases.len() as f32;
    assert!(mean > 0.9998, "{mean}");
}

#[test]
fn languages_share_one_space() {
    let encoder = encoder();
    let encode = |text| encoder.encode(text).unwrap();
    let english = encode("What will the weather be like tomorrow?");
    let other = encode("Write a letter to my bank");
    for text in
        ["Wie wird das Wetter morgen?", "¿Qué tiempo hará mañana?", "明日の天気は？", "明天天气怎么样？"]
    {
        let vector = encode(text);
        assert!(dot(&vector, &english) > 2.0 * dot(&vector, &other).abs(), "{text}");
    }
}

#[test]
fn threads_share_one_encoder() {
    let encoder = encoder();
    let texts = ["hola", "Wie wird das Wetter morgen?", "", "明日の天気は？"];
    let alone = texts.map(|text| encoder.encode(text).unwrap());
    assert_eq!(encoder.encode_all(&texts).unwrap(), alone);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(texts.map(|text| encoder.encode(text).unwrap()), alone));
        }
    });
}
