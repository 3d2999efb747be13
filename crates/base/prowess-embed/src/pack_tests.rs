use serde_json::json;

use super::*;
use crate::F16;

fn header() -> Header {
    Header {
        name: "tiny".into(),
        kind: "bert".into(),
        dimensions: 3,
        max_tokens: 128,
        tokenizer: "wordpiece".into(),
        licence: "Apache-2.0".into(),
        source: "a test".into(),
        settings: json!({"layers": 1}),
        ..Header::default()
    }
}

fn sample() -> Vec<u8> {
    let mut writer = PackWriter::new(header());
    writer.tensor("weights", &[2, 3], &[1_i8, -2, 3, -4, 5, -6]).unwrap();
    writer.tensor("scales", &[2], &[0.5_f32, 0.25]).unwrap();
    writer.tensor("halves", &[1], &[F16::from_f32(1.5)]).unwrap();
    writer.tensor("table", &[0], &[0_u32; 0]).unwrap();
    writer.finish().unwrap()
}

#[test]
fn what_was_written_is_read() {
    let pack = Pack::from_bytes(sample()).unwrap();
    assert_eq!(pack.header().name, "tiny");
    assert_eq!(pack.header().settings["layers"], 1);
    assert_eq!(*pack.tensor::<i8>("weights", &[2, 3]).unwrap(), [1, -2, 3, -4, 5, -6]);
    assert_eq!(*pack.tensor::<f32>("scales", &[2]).unwrap(), [0.5, 0.25]);
    assert_eq!(pack.tensor_of_any_shape::<F16>("halves").unwrap()[0].to_f32(), 1.5);
    assert!(pack.tensor::<u32>("table", &[0]).unwrap().is_empty());
}

#[test]
fn the_order_of_writing_does_not_matter() {
    let mut writer = PackWriter::new(header());
    writer.tensor("table", &[0], &[0_u32; 0]).unwrap();
    writer.tensor("halves", &[1], &[F16::from_f32(1.5)]).unwrap();
    writer.tensor("scales", &[2], &[0.5_f32, 0.25]).unwrap();
    writer.tensor("weights", &[2, 3], &[1_i8, -2, 3, -4, 5, -6]).unwrap();
    assert_eq!(writer.finish().unwrap(), sample());
}

#[test]
fn the_bytes_are_those_of_version_one() {
    let bytes = sample();
    assert_eq!(&bytes[..16], b"PROWPACK\x01\0\0\0\xc0\x01\0\0");
    let header = String::from_utf8_lossy(&bytes[64..64 + 0x1C0]);
    assert_eq!(
        header.trim_end(),
        concat!(
            r#"{"name":"tiny","kind":"bert","dimensions":3,"max_tokens":128,"tokenizer":"wordpiece","#,
            r#""licence":"Apache-2.0","source":"a test","settings":{"layers":1},"tensors":{"#,
            r#""halves":{"dtype":"f16","shape":[1],"offset":0,"length":2},"#,
            r#""scales":{"dtype":"f32","shape":[2],"offset":64,"length":8},"#,
            r#""table":{"dtype":"u32","shape":[0],"offset":128,"length":0},"#,
            r#""weights":{"dtype":"i8","shape":[2,3],"offset":128,"length":6}}}"#,
        )
    );
    assert_eq!(bytes.len() % 64, 0);
}

#[test]
fn the_id_follows_content_and_revision() {
    let pack = Pack::from_bytes(sample()).unwrap();
    let mut writer = PackWriter::new(header());
    writer.tensor("weights", &[2, 3], &[1_i8, -2, 3, -4, 5, 6]).unwrap();
    let other = Pack::from_bytes(writer.finish().unwrap()).unwrap();
    let ids = [pack.id(1), pack.id(2), other.id(1)];
    assert!(ids.iter().all(|id| id.starts_with("tiny-") && id.len() == 13), "{ids:?}");
    assert!(ids[0] != ids[1] && ids[0] != ids[2]);
}

#[test]
fn another_type_or_shape_is_an_error() {
    let pack = Pack::from_bytes(sample()).unwrap();
    let text = |error: PackError| error.to_string();
    let wrong_type = text(pack.tensor::<f32>("weights", &[2, 3]).unwrap_err());
    assert_eq!(wrong_type, "tensor `weights` holds I8, expected F32");
    let wrong_shape = text(pack.tensor::<i8>("weights", &[3, 2]).unwrap_err());
    assert_eq!(wrong_shape, "tensor `weights` has shape [2, 3], expected [3, 2]");
    assert_eq!(text(pack.tensor::<i8>("bias", &[3]).unwrap_err()), "tensor `bias` is missing");
}

#[test]
fn every_flipped_bit_is_noticed() {
    let bytes = sample();
    for index in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[index] ^= 1 << (index % 8);
        // The reserved bytes of the preface are outside the checksum.
        assert_eq!(Pack::from_bytes(damaged).is_ok(), (48..64).contains(&index), "byte {index}");
    }
}

#[test]
fn every_truncation_is_noticed() {
    let bytes = sample();
    for length in 0..bytes.len() {
        assert!(Pack::from_bytes(bytes[..length].to_vec()).is_err(), "{length} bytes");
    }
}

#[test]
fn a_hostile_header_is_an_error() {
    let with = |tensor: serde_json::Value| {
        let mut json = serde_json::to_value(header()).unwrap();
        json["tensors"] = json!({"t": tensor});
        let mut text = serde_json::to_vec(&json).unwrap();
        text.resize(text.len().next_multiple_of(64), b' ');
        let mut bytes = vec![0; 64];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&u32::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend(text);
        bytes.resize(bytes.len() + 64, 0);
        Pack::from_static(bytes.leak())
    };
    assert!(with(json!({"dtype": "f32", "shape": [16], "offset": 0, "length": 64})).is_ok());
    for tensor in [
        json!({"dtype": "f32", "shape": [17], "offset": 0, "length": 68}),
        json!({"dtype": "f32", "shape": [16], "offset": 0, "length": 60}),
        json!({"dtype": "f32", "shape": [1], "offset": 4, "length": 4}),
        json!({"dtype": "f32", "shape": [1], "offset": 18_446_744_073_709_551_552_u64, "length": 4}),
        json!({"dtype": "i8", "shape": [u64::MAX, 2], "offset": 0, "length": u64::MAX - 1}),
        json!({"dtype": "i8", "shape": [-1], "offset": 0, "length": 1}),
        json!({"dtype": "f64", "shape": [1], "offset": 0, "length": 8}),
    ] {
        assert!(with(tensor.clone()).is_err(), "{tensor}");
    }
}

#[test]
fn a_static_pack_must_be_aligned() {
    let mut bytes = sample();
    bytes.splice(0..0, [0]);
    bytes.reserve_exact(64);
    let bytes: &'static [u8] = bytes.leak();
    let start = bytes.as_ptr().align_offset(4);
    let shifted = &bytes[1..];
    let pack = Pack::from_static(shifted).unwrap();
    let is_aligned = (start + 3).is_multiple_of(4);
    assert_eq!(pack.tensor::<f32>("scales", &[2]).is_ok(), is_aligned);
    assert!(pack.tensor::<i8>("weights", &[2, 3]).is_ok(), "bytes need no alignment");
}

#[test]
fn a_file_is_mapped() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tiny.pack");
    std::fs::write(&path, sample()).unwrap();
    assert_eq!(Pack::open(&path).unwrap().id(1), Pack::from_bytes(sample()).unwrap().id(1));
    let missing = Pack::open(&directory.path().join("none.pack")).unwrap_err();
    assert!(missing.to_string().contains("none.pack"));
    std::fs::write(&path, []).unwrap();
    assert!(Pack::open(&path).is_err());
}
