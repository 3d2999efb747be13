use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;

use super::Tokenizer;
use crate::pack::Pack;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn tokenizer(name: &str) -> Tokenizer {
    let pack = Pack::open(&root().join("../../../models").join(name)).unwrap();
    let vocabulary = pack.shape("words").unwrap()[0];
    Tokenizer::load(&pack, vocabulary).unwrap()
}

fn check_against_reference(pack: &str, model: &str) {
    let tokenizer = tokenizer(pack);
    let text = std::fs::read_to_string(root().join("tests/fixtures/reference.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(cases.len(), 200);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let expected: Vec<u32> = serde_json::from_value(case[model].clone()).unwrap();
        assert_eq!(tokenizer.tokens(text), expected, "{text:?}");
    }
}

#[test]
fn wordpiece_is_the_reference_token_for_token() {
    check_against_reference("prowess-minilm.pack", "minilm");
}

#[test]
#[ignore = "needs models/granite-30m.pack, which `cargo xtask models` makes"]
fn byte_pairs_are_the_reference_token_for_token() {
    check_against_reference("granite-30m.pack", "granite");
}

#[test]
fn a_megabyte_without_a_blank_is_no_trouble() {
    let text = "x".repeat(1 << 20);
    assert_eq!(tokenizer("prowess-minilm.pack").tokens(&text), [101, 100, 102]);
}

#[test]
fn any_text_has_tokens_within_the_limit() {
    let tokenizer = tokenizer("prowess-minilm.pack");
    proptest!(|(text in any::<String>())| {
        let tokens = tokenizer.tokens(&text);
        prop_assert!((2..=128).contains(&tokens.len()));
    });
}
