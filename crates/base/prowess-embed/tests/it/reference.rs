//! The English encoders against the vectors of `models/reference/fixture.py`.

use std::path::Path;
use std::sync::Arc;

use prowess_embed::{Encoder, Pack, load};
use serde_json::Value;

const DIMENSIONS: usize = 384;
const TEXTS: usize = 200;

pub(crate) fn encoder(name: &str) -> Arc<dyn Encoder> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
    load(Pack::open(&models.join(format!("{name}.pack"))).unwrap()).unwrap()
}

fn texts() -> Vec<String> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../fixtures/reference.json")).unwrap();
    cases.iter().map(|case| case["text"].as_str().unwrap().to_owned()).collect()
}

fn check(name: &str, bytes: &[u8]) {
    let encoder = encoder(name);
    assert_eq!((encoder.name(), encoder.dimensions()), (name, DIMENSIONS));
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut cosines = Vec::new();
    for ((text, vector), expected) in
        texts.iter().zip(encoder.encode_all(&texts).unwrap()).zip(bytes.chunks_exact(DIMENSIONS))
    {
        let expected: Vec<f32> = expected.iter().map(|byte| f32::from(byte.cast_signed())).collect();
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        assert!((dot(&vector, &vector) - 1.0).abs() < 1e-4, "unit length: {text:?}");
        let cosine = dot(&vector, &expected) / dot(&expected, &expected).sqrt();
        assert!(cosine >= 0.998, "{cosine}: {text:?}");
        cosines.push(cosine);
    }
    assert_eq!(cosines.len(), TEXTS);
    let mean = cosines.iter().sum::<f32>() / cosines.len() as f32;
    assert!(mean >= 0.9995, "{mean}");
}

#[test]
fn minilm_is_its_reference() {
    check("prowess-minilm", &include_bytes!("../fixtures/reference.i8")[..TEXTS * DIMENSIONS]);
}

#[test]
#[ignore = "needs models/granite-30m.pack, which `cargo xtask models` makes"]
fn granite_is_its_reference() {
    check("granite-30m", &include_bytes!("../fixtures/reference.i8")[TEXTS * DIMENSIONS..]);
}
