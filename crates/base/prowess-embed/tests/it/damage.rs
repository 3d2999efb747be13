//! Damaged packs: an error, or an encoder that answers; never a panic.

use proptest::prelude::*;
use prowess_embed::{Pack, PackError, load};

use crate::tiny;

fn packs() -> [Vec<u8>; 2] {
    [tiny::wordpiece().unwrap(), tiny::byte_pairs().unwrap()]
}

/// Reads bytes as a program reads a pack that it embeds: without comparing the checksum.
fn use_unchecked(bytes: &[u8]) {
    let room = vec![0_u8; bytes.len() + 64].leak();
    let start = room.as_ptr().align_offset(64);
    room[start..start + bytes.len()].copy_from_slice(bytes);
    let Ok(pack) = Pack::from_static(&room[start..start + bytes.len()]) else { return };
    let Ok(encoder) = load(pack) else { return };
    for text in ["", "hello skills!", "天 </s> [SEP] x"] {
        if let Ok(vector) = encoder.encode(text) {
            let length: f32 = vector.iter().map(|number| number * number).sum();
            assert!((length - 1.0).abs() < 1e-3, "{length}");
        }
    }
}

#[test]
fn tiny_packs_work() {
    for bytes in packs() {
        use_unchecked(&bytes);
        let encoder = load(Pack::from_bytes(bytes).unwrap()).unwrap();
        assert_eq!(encoder.encode("hello").unwrap().len(), encoder.dimensions());
    }
}

#[test]
fn every_truncation_is_an_error() {
    for bytes in packs() {
        for length in (0..bytes.len()).step_by(61) {
            assert!(Pack::from_bytes(bytes[..length].to_vec()).is_err(), "{length} bytes");
            use_unchecked(&bytes[..length]);
        }
    }
}

#[test]
fn damage_is_noticed_by_the_checksum() {
    let mut bytes = tiny::wordpiece().unwrap();
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    assert!(matches!(Pack::from_bytes(bytes), Err(PackError::Checksum)));
}

#[test]
fn an_unknown_kind_is_told() {
    let mut writer = prowess_embed::PackWriter::new(prowess_embed::Header {
        kind: "crystal-ball".into(),
        ..prowess_embed::Header::default()
    });
    writer.tensor("t", &[1], &[1_u8]).unwrap();
    let error = load(Pack::from_bytes(writer.finish().unwrap()).unwrap()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the pack holds an encoder of kind `crystal-ball`, which this program does not know"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn flipped_bytes_do_no_harm(
        which in 0..2_usize,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = packs()[which].clone();
        for (index, byte) in flips {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        use_unchecked(&bytes);
    }

    #[test]
    fn flipped_headers_do_no_harm(
        which in 0..2_usize,
        flips in prop::collection::vec((64..4_000_usize, "[0-9a-z\",:{}\\[\\]-]"), 1..4),
    ) {
        let mut bytes = packs()[which].clone();
        for (index, byte) in flips {
            bytes[index] = byte.as_bytes()[0];
        }
        use_unchecked(&bytes);
    }

    #[test]
    fn any_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        use_unchecked(&bytes);
    }
}
