//! Any bytes can be unpacked: what comes out is bounded and stays in its folder, and packs to what it was.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Component, Path};

use flate2::Compression;
use flate2::write::GzEncoder;
use prowess_fs::archive::{ArchiveKind, ArchiveLimits, ArchiveOptions, pack_zip, read_bundle};
use prowess_types::Bundle;

use crate::Choice;

const KINDS: [ArchiveKind; 4] = [ArchiveKind::Zip, ArchiveKind::Tar, ArchiveKind::TarGz, ArchiveKind::TarBz2];

/// Small enough that inputs of a few kilobytes reach them.
const LIMITS: ArchiveLimits = ArchiveLimits {
    archive: 1 << 20,
    entries: 20,
    total: 4096,
    entry: 2048,
    metadata: 512,
    parts: 8,
    ratio: 50,
};

/// Unpacks the bytes as what they look like. The first byte picks the way, so that its neighbours differ little.
pub fn check(bytes: &[u8]) {
    let Some((way, bytes)) = bytes.split_first() else { return };
    let bytes = repaired(bytes, way & 1 == 0);
    let mut choice = Choice::of(&[way >> 1]);
    let kind = ArchiveKind::detect("", &bytes).unwrap_or_else(|| *choice.one(&KINDS));
    let limits = *choice.one(&[LIMITS, ArchiveLimits::default()]);
    let options = ArchiveOptions {
        limits,
        strip_components: *choice.one(&[0, 1]),
        unwrap_single_root: *choice.one(&[false, true]),
    };
    match read_bundle(&bytes, kind, &options) {
        Ok(bundle) => check_bundle(&bundle, &limits),
        Err(error) => {
            assert!(!error.reason().is_empty());
            assert!(error.to_string().chars().all(|char| !char.is_control()));
        }
    }
    // The same tape, packed: checksums keep a fuzzer out of what is behind them.
    if kind == ArchiveKind::Tar {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&bytes).expect("memory");
        let packed = read_bundle(&encoder.finish().expect("memory"), ArchiveKind::TarGz, &options).ok();
        let plain = read_bundle(&bytes, kind, &options).ok();
        assert!(plain == packed || packed.is_none());
    }
}

/// A tape with right checksums, if that is wanted: no fuzzer guesses them.
fn repaired(bytes: &[u8], is_wanted: bool) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if is_wanted && ArchiveKind::detect("", &bytes) == Some(ArchiveKind::Tar) {
        for header in bytes.chunks_exact_mut(512).filter(|block| block[257..].starts_with(b"ustar")) {
            header[148..156].fill(b' ');
            let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
            header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
    bytes
}

fn check_bundle(bundle: &Bundle, limits: &ArchiveLimits) {
    assert!((1..=limits.entries).contains(&bundle.files.len()));
    assert!(bundle.files.is_sorted_by(|one, other| one.path < other.path));
    let sizes = bundle.files.iter().map(|file| file.bytes.len() as u64);
    assert!(sizes.clone().all(|size| size <= limits.entry) && sizes.sum::<u64>() <= limits.total);
    let paths: HashSet<&str> = bundle.files.iter().map(|file| file.path.as_str()).collect();
    for path in &paths {
        assert!(Path::new(path).components().all(|part| matches!(part, Component::Normal(_))), "{path:?}");
        assert!(!path.contains(['\\', '\0']) && path.split('/').count() <= limits.parts);
        let above = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
        assert!(above.into_iter().all(|folder| !paths.contains(folder)), "{path:?} is below a file");
    }
    let options = ArchiveOptions {
        limits: ArchiveLimits { archive: u64::MAX, ratio: u64::MAX, ..*limits },
        ..ArchiveOptions::default()
    };
    assert_eq!(
        &read_bundle(&pack_zip(bundle), ArchiveKind::Zip, &options).expect("what was read packs"),
        bundle
    );
}
