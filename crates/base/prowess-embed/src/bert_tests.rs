use std::path::PathBuf;

use super::*;
use crate::tiny;

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

/// A small encoder whose tensors are those of `tiny`, but for those that `change` gives for a name.
fn changed(change: impl Fn(&mut crate::PackWriter, &str) -> bool, word_group: usize) -> Pack {
    let pack = Pack::from_bytes(tiny::wordpiece().unwrap()).unwrap();
    let mut header = pack.header().clone();
    header.settings["word_group"] = word_group.into();
    let mut writer = crate::PackWriter::new(header);
    for (name, info) in &pack.header().tensors {
        if change(&mut writer, name) {
            continue;
        }
        match info.dtype {
            crate::DType::I8 => {
                writer.tensor(name, &info.shape, &pack.tensor::<i8>(name, &info.shape).unwrap())
            }
            crate::DType::U8 => {
                writer.tensor(name, &info.shape, &pack.tensor::<u8>(name, &info.shape).unwrap())
            }
            crate::DType::U32 => {
                writer.tensor(name, &info.shape, &pack.tensor::<u32>(name, &info.shape).unwrap())
            }
            _ => writer.tensor(name, &info.shape, &pack.tensor::<f32>(name, &info.shape).unwrap()),
        }
        .unwrap();
    }
    Pack::from_bytes(writer.finish().unwrap()).unwrap()
}

/// Steps from -8 to 7 without a pattern.
fn steps(count: usize) -> Vec<i8> {
    (0_i32..).take(count).map(|index| i8::try_from(index * 7 % 13 * (index % 5) % 16).unwrap() - 8).collect()
}

fn nibbles(steps: &[i8]) -> Vec<u8> {
    let code = |step: i8| u8::try_from(step + 8).unwrap();
    steps.as_chunks().0.iter().map(|[low, high]| code(*low) | (code(*high) << 4)).collect()
}

const TEXTS: [&str; 4] = ["", "hello", "skills and weather", "天 more [SEP] letters"];

#[test]
fn a_word_table_of_four_bits_is_read() {
    let (rows, width) = (66, 32);
    let scales: Vec<crate::F16> =
        (0..rows * 2).map(|index| crate::F16::from_f32(0.01 + index as f32 * 0.001)).collect();
    let small = changed(
        |writer, name| match name {
            "words" => writer.tensor(name, &[rows, width / 2], &nibbles(&steps(rows * width))).is_ok(),
            "words.scales" => writer.tensor(name, &[rows, 2], &scales).is_ok(),
            _ => false,
        },
        32,
    );
    let wide: Vec<f32> = scales.iter().map(|scale| scale.to_f32()).collect();
    let same = changed(
        |writer, name| match name {
            "words" => writer.tensor(name, &[rows, width], &steps(rows * width)).is_ok(),
            "words.scales" => writer.tensor(name, &[rows, 2], &wide).is_ok(),
            _ => false,
        },
        16,
    );
    let (small, same) = (Bert::load(&small).unwrap(), Bert::load(&same).unwrap());
    for text in TEXTS {
        assert_eq!(small.encode(text).unwrap(), same.encode(text).unwrap(), "{text:?}");
    }
    let short = changed(
        |writer, name| match name {
            "words" => writer.tensor(name, &[rows, width / 4], &vec![0_u8; rows * width / 4]).is_ok(),
            _ => false,
        },
        32,
    );
    assert!(matches!(Bert::load(&short), Err(PackError::Shape { .. })));
}

#[test]
fn a_matrix_of_four_bits_is_read() {
    let (inputs, outputs) = (32, 64);
    let name = "layers.0.inner";
    let with = |columns: usize| {
        changed(
            |writer, tensor| match tensor.strip_prefix(name) {
                Some(".weight") => {
                    writer.tensor(tensor, &[outputs, inputs / 2], &nibbles(&steps(inputs * outputs))).is_ok()
                }
                Some(".scales") => {
                    let scales = vec![crate::F16::from_f32(0.125); outputs * columns];
                    writer.tensor(tensor, &[outputs, columns], &scales).is_ok()
                }
                _ => false,
            },
            32,
        )
    };
    // The same numbers in tiles, as exact as 8 bits are.
    let tiles = changed(
        |writer, tensor| match tensor.strip_prefix(name) {
            Some(".weight") => {
                let steps = steps(inputs * outputs);
                let tile = |index: usize| {
                    let (side, row, pair, strip) =
                        (index % 2, index / 2 % 16, index / 32 % (inputs / 2), index / (16 * inputs));
                    steps[(strip * 16 + row) * inputs + 2 * pair + side] * 15
                };
                let codes: Vec<i8> = (0..inputs * outputs).map(tile).collect();
                writer.tensor(tensor, &[outputs / 16, inputs / 2, 16, 2], &codes).is_ok()
            }
            Some(".scales") => {
                let scales = vec![0.125_f32 / 15.0; outputs * inputs / 8];
                writer.tensor(tensor, &[outputs / 16, inputs / 8, 16], &scales).is_ok()
            }
            _ => false,
        },
        32,
    );
    let tiles = Bert::load(&tiles).unwrap();
    for columns in [1, 2] {
        let small = Bert::load(&with(columns)).unwrap();
        for text in TEXTS {
            let cosine = cosine(&small.encode(text).unwrap(), &tiles.encode(text).unwrap());
            assert!(cosine > 0.9999, "{text:?}: {cosine}");
        }
    }
    assert!(Bert::load(&with(4)).is_err(), "groups of eight");
    assert!(Bert::load(&with(0)).is_err());
}
