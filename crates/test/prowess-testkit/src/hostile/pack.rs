//! Writers of ZIP and tape archives that do whatever they are told.

use std::io::Write as _;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

/// An entry of a ZIP archive.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) content: Vec<u8>,
    pub(super) mode: u32,
}

impl Entry {
    pub(super) fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        Self::with_mode(name, content, 0o100_644)
    }

    pub(super) fn with_mode(name: &str, content: impl AsRef<[u8]>, mode: u32) -> Self {
        Self { name: name.to_owned(), content: content.as_ref().to_vec(), mode }
    }
}

fn narrow(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

fn wide(value: usize) -> u32 {
    u32::try_from(value).expect("an archive below 4 GiB")
}

fn put(bytes: &mut Vec<u8>, shorts: &[u16]) {
    bytes.extend(shorts.iter().flat_map(|value| value.to_le_bytes()));
}

fn put_long(bytes: &mut Vec<u8>, longs: &[u32]) {
    bytes.extend(longs.iter().flat_map(|value| value.to_le_bytes()));
}

/// A ZIP archive; with or without compression.
pub(super) fn zip(entries: &[Entry], is_packed: bool) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for entry in entries {
        let mut crc = Crc::new();
        crc.update(&entry.content);
        let packed = if is_packed { deflate(&entry.content) } else { entry.content.clone() };
        let method = if is_packed { 8 } else { 0 };
        let start = wide(bytes.len());
        let sizes = [crc.sum(), wide(packed.len()), wide(entry.content.len())];
        bytes.extend(b"PK\x03\x04");
        put(&mut bytes, &[20, 0x800, method, 0, 0x21]);
        put_long(&mut bytes, &sizes);
        put(&mut bytes, &[narrow(entry.name.len()), 0]);
        bytes.extend(entry.name.as_bytes());
        bytes.extend(packed);
        list.extend(b"PK\x01\x02");
        put(&mut list, &[0x0314, 20, 0x800, method, 0, 0x21]);
        put_long(&mut list, &sizes);
        put(&mut list, &[narrow(entry.name.len()), 0, 0, 0, 0]);
        put_long(&mut list, &[entry.mode << 16, start]);
        list.extend(entry.name.as_bytes());
    }
    end(bytes, &list, entries.len())
}

/// Appends an entry list and the record that points to it.
pub(super) fn end(mut bytes: Vec<u8>, list: &[u8], count: usize) -> Vec<u8> {
    let start = wide(bytes.len());
    bytes.extend(list);
    bytes.extend(b"PK\x05\x06");
    put(&mut bytes, &[0, 0, narrow(count), narrow(count)]);
    put_long(&mut bytes, &[wide(list.len()), start]);
    put(&mut bytes, &[0]);
    bytes
}

fn deflate(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("memory");
    encoder.finish().expect("memory")
}

/// An entry of a tape archive: name, kind, target of a link, content, mode.
pub(super) struct Record<'a> {
    pub(super) name: &'a str,
    pub(super) kind: u8,
    pub(super) target: &'a str,
    pub(super) content: &'a [u8],
    pub(super) mode: u32,
}

impl<'a> Record<'a> {
    pub(super) fn file(name: &'a str, content: &'a [u8]) -> Self {
        Self { name, kind: b'0', target: "", content, mode: 0o644 }
    }

    pub(super) fn special(name: &'a str, kind: u8, target: &'a str) -> Self {
        Self { name, kind, target, content: b"", mode: 0o644 }
    }
}

/// A compressed tape archive.
pub(super) fn tar_gz(records: &[Record<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        let mut header = [0u8; 512];
        let mut field = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
        field(0, record.name.as_bytes());
        field(100, format!("{:07o}\0", record.mode).as_bytes());
        field(108, b"0000000\0");
        field(116, b"0000000\0");
        field(124, format!("{:011o}\0", record.content.len()).as_bytes());
        field(136, b"00000000000\0");
        field(148, b"        ");
        field(156, &[record.kind]);
        field(157, record.target.as_bytes());
        field(257, b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        bytes.extend(header);
        bytes.extend(record.content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes).expect("memory");
    encoder.finish().expect("memory")
}
