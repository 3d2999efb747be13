use std::path::PathBuf;

use super::*;

#[path = "../tests/it/tiny.rs"]
mod tiny;

fn pack(name: &str) -> Pack {
    let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../models");
    Pack::open(&models.join(name)).unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn every_path_gives_the_same_vector() {
    let long = "a long text that fills all positions, ".repeat(12);
    let texts = ["", "hi", "Can you schedule reminders?", "天気 🎉 naïve", &long];
    let tiny = Pack::from_bytes(tiny::byte_pairs().unwrap()).unwrap();
    for pack in [pack("prowess-minilm.pack"), tiny] {
        let name = &pack.header().name;
        let best = Bert::load(&pack).unwrap();
        for path in Path::available() {
            let encoder = Bert::load_for(&pack, path).unwrap();
            assert_eq!(encoder.id(), best.id());
            for text in texts {
                let cosine = cosine(&encoder.encode(text).unwrap(), &best.encode(text).unwrap());
                assert!(cosine > 1.0 - 1e-6, "{name}, {path:?}, {text:?}: {cosine}");
            }
        }
    }
}

#[test]
fn a_shape_that_does_not_add_up_is_an_error() {
    let header = |change: &dyn Fn(&mut crate::Header)| {
        let bytes = tiny::wordpiece().unwrap();
        let length = usize::try_from(u32::from_le_bytes(bytes[12..16].try_into().unwrap())).unwrap();
        let mut header: crate::Header = serde_json::from_slice(&bytes[64..64 + length]).unwrap();
        change(&mut header);
        let mut text = serde_json::to_vec(&header).unwrap();
        text.resize(text.len().next_multiple_of(64), b' ');
        let mut changed = bytes[..12].to_vec();
        changed.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        changed.resize(64, 0);
        changed.extend(text);
        changed.extend(&bytes[64 + length..]);
        // Aligned, and without comparing the checksum.
        let room = vec![0_u8; changed.len() + 64].leak();
        let start = room.as_ptr().align_offset(64);
        room[start..start + changed.len()].copy_from_slice(&changed);
        Bert::load(&Pack::from_static(&room[start..start + changed.len()]).unwrap())
    };
    assert!(header(&|_| ()).is_ok());
    for (key, value) in [
        ("width", 0),
        ("width", 16),
        ("heads", 0),
        ("heads", 3),
        ("heads", 4),
        ("inner", 32),
        ("inner", 31),
        ("group", 0),
        ("group", 3),
        ("group", 64),
        ("word_group", 0),
        ("layers", 2),
        ("layers", usize::MAX),
        ("vocabulary", 1),
        ("vocabulary", usize::MAX),
    ] {
        let result = header(&|header| header.settings[key] = value.into());
        assert!(result.is_err(), "{key} = {value}");
    }
    assert!(header(&|header| header.dimensions = 16).is_err());
    assert!(header(&|header| header.max_tokens = 65).is_err());
    assert!(header(&|header| header.tokenizer = "letters".into()).is_err());
    assert!(header(&|header| header.settings["tokenizer"]["last"] = 10_000.into()).is_err());
    assert!(header(&|header| header.settings["tokenizer"]["special"][0]["text"] = "".into()).is_err());
}

#[test]
fn tiny_encoders_work_on_every_path() {
    for bytes in [tiny::wordpiece().unwrap(), tiny::byte_pairs().unwrap()] {
        let pack = Pack::from_bytes(bytes).unwrap();
        let vectors = Path::available().map(|path| {
            let encoder = Bert::load_for(&pack, path).unwrap();
            let texts = ["", "hello", "hello hello skills", "many more letters than there are tokens"];
            texts.map(|text| encoder.encode(text).unwrap())
        });
        let vectors: Vec<_> = vectors.collect();
        for others in &vectors {
            for (a, b) in others.iter().zip(&vectors[0]) {
                assert!(cosine(a, b) > 1.0 - 1e-6);
            }
        }
        assert!(cosine(&vectors[0][0], &vectors[0][1]) < 0.999, "texts differ");
    }
}
