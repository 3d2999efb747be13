//! Readers from outside, with a small one on top of a small encoder.

use std::sync::LazyLock;

use proptest::prelude::*;
use prowess_embed::{Header, Pack, PackError, PackWriter, ReadError, Reader, Tokens, load};

use crate::tiny::{self, TINY};

static BASE: LazyLock<Pack> = LazyLock::new(|| Pack::from_bytes(tiny::wordpiece().unwrap()).unwrap());
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| tiny::reader(&BASE, 2, &TINY).unwrap());
static READER: LazyLock<Reader> =
    LazyLock::new(|| Reader::load(&Pack::from_bytes(BYTES.clone()).unwrap(), &BASE).unwrap());

#[test]
fn logits_are_those_of_the_reference() {
    // `models/reference/reader.py tiny`, in f64.
    let expected: [(&[u32], f32); 5] = [
        (&[], -2.428_637),
        (&[7], -2.316_213),
        (&[30, 31], -2.325_451),
        (&[8, 9, 10, 11, 12, 13, 14, 15, 16], -0.506_061),
        (&[65, 0, 1, 3, 2, 40], -0.960_126),
    ];
    let documents = expected.map(|(ids, _)| Tokens::from_ids(ids));
    let logits = READER.read_tokens("hello skill weather a b c", &documents.each_ref()).unwrap();
    for (logit, (ids, expected)) in logits.iter().zip(expected) {
        // Activations have 8 bits.
        assert!((logit - expected).abs() < 0.06, "{ids:?}: {logit}, expected {expected}");
    }
}

#[test]
fn tokens_and_text_give_the_same_logits() {
    let documents = ["", "hello", "skills and weather", "many more letters than a document may have"];
    let tokens = documents.map(|document| READER.tokens(document));
    assert_eq!(tokens[1].ids(), [30]);
    assert_eq!(tokens[3].ids().len(), TINY.document_tokens);
    let by_tokens = READER.read_tokens("hello", &tokens.each_ref()).unwrap();
    assert_eq!(READER.read("hello", &documents).unwrap(), by_tokens);
    assert!(READER.read("hello", &[]).unwrap().is_empty());
}

#[test]
fn what_comes_after_the_limits_does_not_count() {
    let long = "a ".repeat(100_000);
    let cut = "a ".repeat(TINY.document_tokens);
    assert_eq!(READER.read("b", &[&long]).unwrap(), READER.read("b", &[&cut]).unwrap());
    let cut = "a ".repeat(TINY.message_tokens);
    assert_eq!(READER.read(&long, &["b"]).unwrap(), READER.read(&cut, &["b"]).unwrap());
    let ids = Tokens::from_ids([4; 1_000]);
    assert_eq!(READER.read_tokens("b", &[&ids]).unwrap(), READER.read("b", &[&long]).unwrap());
}

#[test]
fn tokens_of_another_vocabulary_are_an_error() {
    let error = READER.read_tokens("hello", &[&Tokens::from_ids([66])]).unwrap_err();
    assert!(matches!(error, ReadError::UnknownToken { id: 66, vocabulary: 66, .. }), "{error}");
    // Beyond the limit too: the tokens are not those of this reader.
    assert!(
        READER.read_tokens("hello", &[&Tokens::from_ids([[4; 9].as_slice(), &[u32::MAX]].concat())]).is_err()
    );
}

#[test]
fn message_and_document_are_not_the_same() {
    let logits = READER.read("hello", &["weather"]).unwrap();
    assert_ne!(READER.read("weather", &["hello"]).unwrap(), logits);
    assert_eq!(READER.clone().read("hello", &["weather"]).unwrap(), logits);
    assert!(READER.id().starts_with("tiny-reader-") && READER.name() == "tiny-reader");
}

#[test]
fn a_reader_wants_its_own_encoder() {
    let pack = Pack::from_bytes(BYTES.clone()).unwrap();
    let other = Pack::from_bytes(tiny::byte_pairs().unwrap()).unwrap();
    let error = Reader::load(&pack, &other).unwrap_err();
    assert!(matches!(&error, PackError::Base { base, .. } if base == "tiny-byte-bpe"), "{error}");
    assert!(matches!(Reader::load(&BASE, &BASE), Err(PackError::Kind(kind)) if kind == "bert"));
    assert!(Reader::load(&pack, &pack).is_err());
    assert!(matches!(load(pack), Err(PackError::Kind(kind)) if kind == "reader"));
}

/// Reads bytes as a program reads a pack that it embeds: without comparing the checksum.
fn use_unchecked(bytes: &[u8]) -> Result<(), PackError> {
    let room = vec![0_u8; bytes.len() + 64].leak();
    let start = room.as_ptr().align_offset(64);
    room[start..start + bytes.len()].copy_from_slice(bytes);
    let reader = Reader::load(&Pack::from_static(&room[start..start + bytes.len()])?, &BASE)?;
    if let Ok(logits) = reader.read("天 hello [SEP] x", &["", "hello skills!", "weather"]) {
        assert!(logits.len() == 3 && logits.iter().all(|logit| logit.is_finite()));
    }
    Ok(())
}

#[test]
fn every_truncation_is_an_error() {
    use_unchecked(&BYTES).unwrap();
    for length in (0..BYTES.len()).step_by(61) {
        assert!(Pack::from_bytes(BYTES[..length].to_vec()).is_err(), "{length} bytes");
        // Only zeros after the last tensor may be missing.
        assert!(use_unchecked(&BYTES[..length]).is_err() || length + 64 > BYTES.len(), "{length} bytes");
    }
}

#[test]
fn shapes_that_do_not_add_up_are_errors() {
    let length = usize::try_from(u32::from_le_bytes(BYTES[12..16].try_into().unwrap())).unwrap();
    let header: Header = serde_json::from_slice(&BYTES[64..64 + length]).unwrap();
    let changed = |change: &dyn Fn(&mut Header)| {
        let mut header = header.clone();
        change(&mut header);
        let mut text = serde_json::to_vec(&header).unwrap();
        text.resize(text.len().next_multiple_of(64), b' ');
        let mut bytes = BYTES[..12].to_vec();
        bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        bytes.resize(64, 0);
        bytes.extend(text);
        bytes.extend(&BYTES[64 + length..]);
        use_unchecked(&bytes)
    };
    changed(&|_| ()).unwrap();
    for (key, value) in [
        ("layers", 3),
        ("layers", usize::MAX),
        ("heads", 0),
        ("heads", 3),
        ("width", 0),
        ("width", 16),
        ("inner", 32),
        ("group", 0),
        ("group", 2),
        ("group", 64),
        ("hidden", 0),
        ("hidden", 8),
        ("hidden", 32),
        ("outputs", 0),
        ("outputs", 1),
        ("message_tokens", 7),
        ("document_tokens", usize::MAX),
    ] {
        assert!(changed(&|header| header.settings[key] = value.into()).is_err(), "{key} = {value}");
    }
    assert!(changed(&|header| header.max_tokens = 17).is_err());
    assert!(changed(&|header| header.settings["base"] = "0".into()).is_err());
    for name in header.tensors.keys() {
        let missing = changed(&|header| drop(header.tensors.remove(name)));
        assert!(matches!(missing, Err(PackError::Missing(missing)) if &missing == name), "{name}");
    }
}

#[test]
fn numbers_that_are_none_are_an_error() {
    let mut writer = PackWriter::new(Pack::from_bytes(BYTES.clone()).unwrap().header().clone());
    let pack = Pack::from_bytes(BYTES.clone()).unwrap();
    for (name, info) in &pack.header().tensors {
        use prowess_embed::DType;
        match info.dtype {
            DType::I8 => writer.tensor(name, &info.shape, &pack.tensor::<i8>(name, &info.shape).unwrap()),
            DType::F16 => writer.tensor(
                name,
                &info.shape,
                &pack.tensor::<prowess_embed::F16>(name, &info.shape).unwrap(),
            ),
            _ if name == "head.output.bias" => writer.tensor(name, &info.shape, &[f32::NAN; 2]),
            _ => writer.tensor(name, &info.shape, &pack.tensor::<f32>(name, &info.shape).unwrap()),
        }
        .unwrap();
    }
    let reader = Reader::load(&Pack::from_bytes(writer.finish().unwrap()).unwrap(), &BASE).unwrap();
    let error = reader.read("hello", &["hello"]).unwrap_err();
    assert!(matches!(error, ReadError::Degenerate(_)), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any texts have logits: the same alone, among others and in another order.
    #[test]
    fn a_document_does_not_care_for_its_neighbours(
        message in any::<String>(),
        documents in prop::collection::vec("\\PC{0,40}|[a-z ]{0,40}", 1..6),
    ) {
        let mut documents: Vec<&str> = documents.iter().map(String::as_str).collect();
        let logits = READER.read(&message, &documents).unwrap();
        for (document, logit) in documents.iter().zip(&logits) {
            prop_assert_eq!(READER.read(&message, &[document]).unwrap(), [*logit]);
        }
        documents.reverse();
        let reversed: Vec<f32> = logits.into_iter().rev().collect();
        prop_assert_eq!(READER.read(&message, &documents).unwrap(), reversed);
    }

    #[test]
    fn flipped_bytes_do_no_harm(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = BYTES.clone();
        for (index, byte) in flips {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        let _ = use_unchecked(&bytes);
    }

    #[test]
    fn flipped_headers_do_no_harm(
        flips in prop::collection::vec((64..4_000_usize, "[0-9a-z\",:{}\\[\\]-]"), 1..4),
    ) {
        let mut bytes = BYTES.clone();
        for (index, byte) in flips {
            bytes[index] = byte.as_bytes()[0];
        }
        let _ = use_unchecked(&bytes);
    }
}
