//! The English encoders as a caller sees them.

use std::thread;

use proptest::prelude::*;

use crate::reference::encoder;

#[test]
fn close_meanings_have_close_vectors() {
    let encoder = encoder("prowess-minilm");
    let dot = |a: &str, b: &str| -> f32 {
        let (a, b) = (encoder.encode(a).unwrap(), encoder.encode(b).unwrap());
        a.iter().zip(&b).map(|(a, b)| a * b).sum()
    };
    let skill = "Weather forecast for any city; no API key required.";
    let close = dot("will it rain in Paris tomorrow?", skill);
    let far = dot("merge my pull request", skill);
    assert!(close > far + 0.1, "{close} and {far}");
}

#[test]
fn the_id_names_the_family() {
    let id = encoder("prowess-minilm").id().to_owned();
    let digest = id.strip_prefix("prowess-minilm-").unwrap();
    assert!(digest.len() == 8 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{id}");
    assert_eq!(id, encoder("prowess-minilm").id(), "the same every time");
}

#[test]
fn threads_and_batches_give_the_same_vectors() {
    let encoder = encoder("prowess-minilm");
    let texts: Vec<String> = (0..24).map(|index| "a skill that counts ".repeat(index)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let one_by_one: Vec<_> = texts.iter().map(|text| encoder.encode(text).unwrap()).collect();
    assert_eq!(encoder.encode_all(&texts).unwrap(), one_by_one);
    assert!(encoder.encode_all(&[]).unwrap().is_empty());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (text, expected) in texts.iter().zip(&one_by_one).rev() {
                    assert_eq!(&encoder.encode(text).unwrap(), expected);
                }
            });
        }
    });
}

#[test]
fn what_comes_after_the_limit_does_not_count() {
    let encoder = encoder("prowess-minilm");
    let text = "word ".repeat(126);
    let longer = format!("{text} and much more");
    assert_eq!(encoder.encode(&text).unwrap(), encoder.encode(&longer).unwrap());
}

#[test]
fn any_text_has_a_vector_of_unit_length() {
    let encoder = encoder("prowess-minilm");
    proptest!(ProptestConfig::with_cases(24), |(text in any::<String>())| {
        let vector = encoder.encode(&text).unwrap();
        prop_assert_eq!(vector.len(), encoder.dimensions());
        let length: f32 = vector.iter().map(|number| number * number).sum();
        prop_assert!((length - 1.0).abs() < 1e-4);
    });
}
