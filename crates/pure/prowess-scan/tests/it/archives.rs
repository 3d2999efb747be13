//! Entry lists of archives, read without unpacking.

use std::io::Write as _;

use flate2::write::GzEncoder;
use prowess_scan::{File, scan};

/// A stored ZIP archive with the given names, flags and modes.
fn zip(entries: &[(&str, u16, u32)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut list = Vec::new();
    for (name, flags, mode) in entries {
        let start = u32::try_from(bytes.len()).unwrap();
        let length = u16::try_from(name.len()).unwrap();
        bytes.extend(b"PK\x03\x04\x14\0");
        bytes.extend(flags.to_le_bytes());
        bytes.extend([0; 18]);
        bytes.extend(length.to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(name.as_bytes());
        list.extend(b"PK\x01\x02\x14\x03\x14\0");
        list.extend(flags.to_le_bytes());
        list.extend([0; 18]);
        list.extend(length.to_le_bytes());
        list.extend([0; 8]);
        list.extend((mode << 16).to_le_bytes());
        list.extend(start.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let (count, size, start) = (
        u16::try_from(entries.len()).unwrap(),
        u32::try_from(list.len()).unwrap(),
        u32::try_from(bytes.len()).unwrap(),
    );
    bytes.extend(list);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(size.to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}

fn tar(entries: &[(&str, u8)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, kind) in entries {
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(b"00000000000");
        header[156] = *kind;
        header[257..262].copy_from_slice(b"ustar");
        bytes.extend(header);
    }
    bytes.extend([0; 1024]);
    bytes
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn rules(bytes: &[u8]) -> Vec<String> {
    let report = scan(&[File::new("assets/a.bin", bytes)], None);
    report.findings.iter().map(|finding| finding.rule.clone().into_owned()).collect()
}

const PLAIN: u32 = 0o100_644;

#[test]
fn good_archives_are_only_noted() {
    assert_eq!(rules(&zip(&[("good/SKILL.md", 0, PLAIN), ("good/a.sh", 0, PLAIN)])), ["structure/archive"]);
    assert_eq!(rules(&packed(&tar(&[("good/SKILL.md", b'0')]))), ["structure/archive"]);
}

#[test]
fn entries_that_leave_the_folder_are_critical() {
    for name in ["../owned", "good/../../owned", "/etc/owned", "..\\owned", "C:/owned", "//server/owned"] {
        assert_eq!(rules(&zip(&[(name, 0, PLAIN)]))[0], "structure/archive-escape", "{name}");
        assert_eq!(rules(&tar(&[(name, b'0')]))[0], "structure/archive-escape", "{name}");
    }
    assert_eq!(rules(&zip(&[("link", 0, 0o120_777)]))[0], "structure/archive-escape");
    for kind in [b'1', b'2', b'3', b'6'] {
        assert_eq!(rules(&packed(&tar(&[("x", kind)])))[0], "structure/archive-escape");
    }
}

#[test]
fn encrypted_ambiguous_and_cut_archives_are_told() {
    assert_eq!(rules(&zip(&[("secret", 1, PLAIN)]))[0], "structure/archive-encrypted");
    assert_eq!(rules(&zip(&[("a", 0, PLAIN), ("A", 0, PLAIN)]))[0], "structure/archive-broken");
    let mut glued = zip(&[("a", 0, PLAIN)]);
    glued.extend(zip(&[("b", 0, PLAIN)]));
    assert_eq!(rules(&glued)[0], "structure/archive-broken");
    let whole = zip(&[("a", 0, PLAIN)]);
    assert_eq!(rules(&whole[..whole.len() - 30])[0], "structure/archive-broken");
    let stream = packed(&tar(&[("a", b'0')]));
    assert_eq!(rules(&stream[..stream.len() / 2])[0], "structure/archive-broken");
    assert_eq!(rules(&zip(&[("setup.exe", 0, PLAIN)]))[0], "structure/archive-program");
}

#[test]
fn bombs_are_not_unpacked() {
    let bomb = packed(&vec![0; 40 << 20]);
    assert!(bomb.len() < 400_000);
    assert_eq!(rules(&bomb)[0], "structure/archive-bomb");
}
