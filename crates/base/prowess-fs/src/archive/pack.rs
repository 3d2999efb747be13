//! Packing a skill so that equal content gives equal bytes.

use flate2::{Compress, Compression, Crc, FlushCompress};
use prowess_types::Bundle;

/// The flag that says that names are UTF-8.
const NAMES_ARE_UTF8: u16 = 1 << 11;
const NEEDS_VERSION: u16 = 20;
const DEFLATED: u16 = 8;
/// Written on Unix, by version 2.0 of the format: its permissions count.
const MADE_BY: u16 = 3 << 8 | NEEDS_VERSION;
/// 1 January 1980, midnight.
const NO_TIME: u16 = 0;
const FIRST_DATE: u16 = 1 << 5 | 1;

/// Packs a skill as a ZIP archive: files at the root in the order of their paths, of 1 January 1980, compressed
/// at level 6, with their exec bits and nothing else.
///
/// A bundle within the limits of [`read_bundle`](super::read_bundle) always fits the format.
///
/// ```
/// use prowess_fs::archive::{ArchiveKind, ArchiveOptions, pack_zip, read_bundle};
/// use prowess_types::{Bundle, BundleFile};
///
/// let file = BundleFile { path: "SKILL.md".into(), bytes: b"text".to_vec(), executable: false };
/// let bundle = Bundle { files: vec![file] };
/// let packed = pack_zip(&bundle);
/// assert_eq!(read_bundle(&packed, ArchiveKind::Zip, &ArchiveOptions::default())?, bundle);
/// # Ok::<(), prowess_fs::archive::ArchiveError>(())
/// ```
pub fn pack_zip(bundle: &Bundle) -> Vec<u8> {
    let mut files: Vec<_> = bundle.files.iter().collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let (mut archive, mut list) = (Vec::new(), Vec::new());
    for file in &files {
        let start = long(archive.len());
        let mut crc = Crc::new();
        crc.update(&file.bytes);
        let packed = deflate(&file.bytes);
        // What both headers say about an entry.
        let mut common = Vec::new();
        put(&mut common, &[NEEDS_VERSION, NAMES_ARE_UTF8, DEFLATED, NO_TIME, FIRST_DATE]);
        put_long(&mut common, &[crc.sum(), long(packed.len()), long(file.bytes.len())]);
        put(&mut common, &[short(file.path.len()), 0]);

        archive.extend(b"PK\x03\x04");
        archive.extend(&common);
        archive.extend(file.path.as_bytes());
        archive.extend(packed);

        list.extend(b"PK\x01\x02");
        put(&mut list, &[MADE_BY]);
        list.extend(&common);
        put(&mut list, &[0, 0, 0]);
        let mode: u32 = if file.executable { 0o100_755 } else { 0o100_644 };
        put_long(&mut list, &[mode << 16, start]);
        list.extend(file.path.as_bytes());
    }
    let (start, length, count) = (long(archive.len()), long(list.len()), short(files.len()));
    archive.extend(list);
    archive.extend(b"PK\x05\x06");
    put(&mut archive, &[0, 0, count, count]);
    put_long(&mut archive, &[length, start]);
    put(&mut archive, &[0]);
    archive
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut deflater = Compress::new(Compression::new(6), false);
    let mut packed = Vec::new();
    loop {
        let taken = usize::try_from(deflater.total_in()).unwrap_or(usize::MAX);
        packed.reserve((bytes.len() - taken) / 2 + 64);
        // Into memory that was reserved this only ever asks for more of it.
        let status = deflater.compress_vec(&bytes[taken..], &mut packed, FlushCompress::Finish);
        if !matches!(status, Ok(flate2::Status::Ok | flate2::Status::BufError)) {
            return packed;
        }
    }
}

fn put(bytes: &mut Vec<u8>, values: &[u16]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn put_long(bytes: &mut Vec<u8>, values: &[u32]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

/// Values beyond the format are marked as such, and refused by every reader.
fn short(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

fn long(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
