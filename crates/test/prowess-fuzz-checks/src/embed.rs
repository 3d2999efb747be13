//! Any bytes are a pack or an error, any text has a vector, and any pair a logit.

use std::sync::{Arc, LazyLock};

use prowess_embed::{Encoder, Pack, Reader, load};
use sha2::{Digest as _, Sha256};

/// Encoders of a few kilobytes, made by the tests of the crate.
#[path = "../../../base/prowess-embed/tests/it/tiny.rs"]
mod tiny;

/// The encoder that the small reader belongs to.
static BASE: LazyLock<Pack> =
    LazyLock::new(|| Pack::from_bytes(tiny::wordpiece().expect("a tiny pack")).expect("a pack"));

static PACKS: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let reader = tiny::reader(&BASE, 1, &tiny::TINY);
    [tiny::wordpiece(), tiny::byte_pairs(), reader].map(|pack| pack.expect("a tiny pack"))
});

static ENCODERS: LazyLock<[Arc<dyn Encoder>; 2]> = LazyLock::new(|| {
    let packs = [tiny::wordpiece(), tiny::byte_pairs()].map(|pack| pack.expect("a tiny pack"));
    packs.map(|pack| load(Pack::from_bytes(pack).expect("a pack")).expect("an encoder"))
});

/// The first byte tells what the others are: a whole pack, or changes to a small one that works.
pub fn check_pack(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let mut pack = match PACKS.get(usize::from(*kind)) {
        Some(pack) => pack.clone(),
        None => rest.to_vec(),
    };
    if usize::from(*kind) < PACKS.len() {
        for [low, high, byte] in rest.as_chunks().0 {
            let place = usize::from(u16::from_le_bytes([*low, *high]));
            if let Some(old) = pack.get_mut(place) {
                *old = *byte;
            }
        }
    }
    // A right checksum, or nothing behind it would ever be reached.
    if let Some((preface, content)) = pack.split_at_mut_checked(64) {
        preface[16..48].copy_from_slice(&Sha256::digest(content));
    }
    let Ok(pack) = Pack::from_bytes(pack) else { return };
    if let Ok(reader) = Reader::load(&pack, &BASE)
        && let Ok(logits) = reader.read("天 hello [SEP]", &["", "hello skills!"])
    {
        assert!(logits.len() == 2 && logits.iter().all(|logit| logit.is_finite()), "a logit is a number");
    }
    let Ok(encoder) = load(pack) else { return };
    for text in ["", "hello skills!", "天 </s> [SEP] <mask> x"] {
        if let Ok(vector) = encoder.encode(text) {
            check_length(&vector);
        }
    }
}

/// Encodes a text with each small encoder.
pub fn check_text(text: &str) {
    for encoder in &*ENCODERS {
        let vector = encoder.encode(text).expect("any text has a vector");
        assert_eq!(vector.len(), encoder.dimensions());
        check_length(&vector);
    }
}

fn check_length(vector: &[f32]) {
    let length: f32 = vector.iter().map(|number| number * number).sum();
    assert!((length - 1.0).abs() < 1e-3, "a vector has unit length, not {length}");
}
