use std::fs;
use std::io::Write as _;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};
use proptest::prelude::*;
use prowess_testkit::Tree;
use prowess_testkit::hostile::{Area, Expect, HostileTree};
use prowess_types::BundleFile;

use super::*;

fn file(path: &str, bytes: &[u8], executable: bool) -> BundleFile {
    BundleFile { path: path.to_owned(), bytes: bytes.to_vec(), executable }
}

fn options() -> ArchiveOptions {
    ArchiveOptions::default()
}

fn reason(result: Result<Bundle, ArchiveError>) -> &'static str {
    result.expect_err("it is refused").reason()
}

/// Everything below a folder, with whether it can be run.
fn tree_of(folder: &Path) -> Vec<(String, Vec<u8>, bool)> {
    let listing = crate::list_all(folder, 100_000, 300);
    assert!(listing.unread.is_empty() && !listing.is_cut);
    let read = |entry: crate::ListedEntry| {
        let executable = crate::platform::is_executable(&entry.path);
        (entry.relative, fs::read(entry.path).unwrap(), executable)
    };
    listing.entries.into_iter().map(read).collect()
}

/// The reason for each archive of the test kit that is not unpacked.
const REFUSED: &[(&str, &str)] = &[
    ("slip-dotdot.zip", "unsafe-path"),
    ("slip-deep.zip", "unsafe-path"),
    ("slip-abs.zip", "unsafe-path"),
    ("slip-backslash.zip", "unsafe-path"),
    ("slip-drive.zip", "unsafe-path"),
    ("slip-unc.zip", "unsafe-path"),
    ("link-then-write.zip", "link"),
    ("link-abs.zip", "link"),
    ("dup-names.zip", "duplicate"),
    ("case-collide.zip", "collision"),
    ("nfc-collide.zip", "collision"),
    ("file-as-dir.zip", "file-and-folder"),
    ("win-names.zip", "unsafe-path"),
    ("nul-name.zip", "unsafe-path"),
    ("long-name.zip", "unsafe-path"),
    ("deep-name.zip", "unsafe-path"),
    ("bomb-flat.zip", "bomb"),
    ("many-entries.zip", "too-many-entries"),
    ("bomb-overlap.zip", "overlap"),
    ("lying-size.zip", "contradiction"),
    ("bad-crc.zip", "damaged"),
    ("truncated.zip", "damaged"),
    ("truncated-mid.zip", "damaged"),
    ("prefix-junk.zip", "damaged"),
    ("two-eocd.zip", "damaged"),
    ("encrypted.zip", "encrypted"),
    ("empty.zip", "empty"),
    ("not-a-zip.zip", "damaged"),
    ("dotdot.tar.gz", "unsafe-path"),
    ("abs.tar.gz", "unsafe-path"),
    ("strip-escape.tar.gz", "unsafe-path"),
    ("sym-then-write.tar.gz", "link"),
    ("hardlink.tar.gz", "link"),
    ("fifo.tar.gz", "special"),
    ("device.tar.gz", "special"),
    ("pax-path.tar.gz", "unsafe-path"),
    ("bomb.tar.gz", "bomb"),
    ("truncated.tar.gz", "damaged"),
    ("gzip-tail.tar.gz", "damaged"),
];

#[test]
fn hostile_archives_are_refused_by_name_and_leave_nothing_behind() {
    let hostile = HostileTree::new();
    let place = Tree::new();
    let mut count = 0;
    for case in hostile.area(Area::Archive) {
        count += 1;
        let bytes = fs::read(&case.path).unwrap();
        let kind = ArchiveKind::detect(&case.name, &bytes).expect("an archive");
        let into = place.path("skills/new");
        let extracted = extract(&mut Cursor::new(&bytes), kind, &into, &options());
        let bundle = read_bundle(&bytes, kind, &options());
        assert!(hostile.canary_is_unchanged(), "{}", case.name);
        let must_unpack =
            matches!(case.expect, Expect::Extract | Expect::ExtractMasked | Expect::ExtractFlat);
        if let Some((_, expected)) = REFUSED.iter().find(|(name, _)| *name == case.name) {
            assert!(!must_unpack, "{}", case.name);
            assert_eq!(extracted.expect_err(&case.name).reason(), *expected, "{}", case.name);
            assert_eq!(reason(bundle), *expected, "{}", case.name);
            assert_eq!(fs::read_dir(place.path("skills")).unwrap().count(), 0, "{}", case.name);
        } else {
            assert!(must_unpack, "{}", case.name);
            let files: Vec<_> = bundle.unwrap().files;
            let written: Vec<_> =
                tree_of(&into).into_iter().map(|(path, bytes, run)| file(&path, &bytes, run)).collect();
            assert_eq!(written, files, "{}", case.name);
            assert_eq!(extracted.unwrap().files, files.len(), "{}", case.name);
            fs::remove_dir_all(&into).unwrap();
        }
        assert!(!place.path("outside").exists() && !place.path("skills/outside").exists());
    }
    assert_eq!(count, 45);
}

#[cfg(unix)]
#[test]
fn only_the_exec_bit_is_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let hostile = HostileTree::new();
    for (name, kind) in [("setuid.zip", ArchiveKind::Zip), ("setuid.tar.gz", ArchiveKind::TarGz)] {
        let into = hostile.tree.path(&format!("out-{name}"));
        let mut archive = fs::File::open(hostile.tree.path(&format!("archives/{name}"))).unwrap();
        extract(&mut archive, kind, &into, &options()).unwrap();
        let mode = |path: &str| fs::metadata(into.join(path)).unwrap().permissions().mode();
        assert_eq!(mode("good/su") & 0o7000, 0);
        assert_eq!(mode("good/su") & 0o100, 0o100);
        assert_eq!(mode("good/SKILL.md") & 0o111, 0);
    }
}

#[test]
fn kinds_are_told_by_content_before_name() {
    let tar = [vec![0; 257], b"ustar\0".to_vec()].concat();
    for (name, head, kind) in [
        ("a.zip", b"\x1f\x8b".as_slice(), Some(ArchiveKind::TarGz)),
        ("a.tar.gz", b"PK\x05\x06", Some(ArchiveKind::Zip)),
        ("a", b"BZh9", Some(ArchiveKind::TarBz2)),
        ("a", &tar, Some(ArchiveKind::Tar)),
        ("A.TGZ", b"", Some(ArchiveKind::TarGz)),
        ("a.tbz2", b"", Some(ArchiveKind::TarBz2)),
        ("a.tar", b"", Some(ArchiveKind::Tar)),
        ("a.skill", b"", Some(ArchiveKind::Zip)),
        ("a.gz", b"plain", None),
    ] {
        assert_eq!(ArchiveKind::detect(name, head), kind, "{name}");
    }
}

#[test]
fn packing_is_stable_and_reads_back_everywhere() {
    let bundle = Bundle {
        files: vec![
            file("SKILL.md", b"---\nname: a\n---\n", false),
            file("assets/empty", b"", false),
            file("scripts/run.sh", &[b'x'; 100_000], true),
        ],
    };
    let packed = pack_zip(&bundle);
    assert_eq!(read_bundle(&packed, ArchiveKind::Zip, &options()).unwrap(), bundle);
    let shuffled = Bundle { files: bundle.files.iter().rev().cloned().collect() };
    assert_eq!(pack_zip(&shuffled), packed);

    let mut other = ::zip::ZipArchive::new(Cursor::new(&packed)).unwrap();
    assert_eq!(other.len(), 3);
    let mut script = other.by_name("scripts/run.sh").unwrap();
    assert_eq!(script.unix_mode(), Some(0o100_755));
    assert_eq!(script.compression(), ::zip::CompressionMethod::Deflated);
    assert_eq!(
        script.last_modified().map(|time| (time.year(), time.month(), time.day())),
        Some((1980, 1, 1))
    );
    assert_eq!(script.extra_data().unwrap_or_default().len(), 0);
    let mut bytes = Vec::new();
    script.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, bundle.files[2].bytes);
}

/// The same archive on every machine: a change of these bytes changes every digest that was ever published.
#[test]
fn a_small_archive_has_exactly_these_bytes() {
    let packed = pack_zip(&Bundle { files: vec![file("a", b"aaaaaaaa", true)] });
    let expected = [
        b"PK\x03\x04\x14\0\0\x08\x08\0\0\0\x21\0".as_slice(),
        b"\x46\x80\x84\xbf\x05\0\0\0\x08\0\0\0\x01\0\0\0a",
        b"\x4b\x4c\x84\0\0",
        b"PK\x01\x02\x14\x03\x14\0\0\x08\x08\0\0\0\x21\0",
        b"\x46\x80\x84\xbf\x05\0\0\0\x08\0\0\0\x01\0\0\0",
        b"\0\0\0\0\0\0\0\0\xed\x81\0\0\0\0a",
        b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x2f\0\0\0\x24\0\0\0\0\0",
    ]
    .concat();
    assert_eq!(packed, expected);
}

fn tar_of(entries: &[(&str, &[u8], u32)]) -> Vec<u8> {
    let mut builder = ::tar::Builder::new(Vec::new());
    for (path, bytes, mode) in entries {
        let mut header = ::tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(*mode);
        header.set_entry_type(if path.ends_with('/') {
            ::tar::EntryType::Directory
        } else {
            ::tar::EntryType::Regular
        });
        builder.append_data(&mut header, path, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

#[test]
fn tapes_of_every_compression_are_read_alike() {
    let long = format!("top/{}/deep.txt", "folder-with-a-long-name/".repeat(12).trim_end_matches('/'));
    let tape = tar_of(&[
        ("top/", b"", 0o755),
        ("top/SKILL.md", b"text", 0o644),
        ("top/run", b"#!", 0o755),
        (&long, b"deep", 0o600),
    ]);
    let mut gz = GzEncoder::new(Vec::new(), Compression::default());
    gz.write_all(&tape).unwrap();
    let gz = gz.finish().unwrap();
    let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    bz.write_all(&tape).unwrap();
    let bz = bz.finish().unwrap();
    let options = ArchiveOptions { unwrap_single_root: true, ..options() };
    let bundle = read_bundle(&tape, ArchiveKind::Tar, &options).unwrap();
    let paths: Vec<&str> = bundle.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["SKILL.md", &long[4..], "run"]);
    assert!(bundle.files[2].executable && !bundle.files[0].executable);
    assert_eq!(read_bundle(&gz, ArchiveKind::TarGz, &options).unwrap(), bundle);
    assert_eq!(read_bundle(&bz, ArchiveKind::TarBz2, &options).unwrap(), bundle);
    for cut in (0..gz.len()).step_by(7) {
        assert!(read_bundle(&gz[..cut], ArchiveKind::TarGz, &options).is_err(), "cut at {cut}");
    }
}

#[test]
fn an_extended_header_names_the_entry_behind_it() {
    let mut builder = ::tar::Builder::new(Vec::new());
    builder.append_pax_extensions([("path", b"really.md".as_slice()), ("comment", b"x")]).unwrap();
    let mut header = ::tar::Header::new_ustar();
    header.set_size(1);
    header.set_mode(0o644);
    builder.append_data(&mut header, "shown.md", b"x".as_slice()).unwrap();
    let tape = builder.into_inner().unwrap();
    let bundle = read_bundle(&tape, ArchiveKind::Tar, &options()).unwrap();
    assert_eq!(bundle.files, [file("really.md", b"x", false)]);
}

#[test]
fn parts_are_stripped_and_a_single_folder_is_unwrapped() {
    let tape = tar_of(&[("a/b/one", b"1", 0o644), ("a/two", b"2", 0o644), ("a/b/c/three", b"3", 0o644)]);
    let with = |strip_components, unwrap_single_root| {
        let options = ArchiveOptions { strip_components, unwrap_single_root, ..options() };
        read_bundle(&tape, ArchiveKind::Tar, &options)
            .map(|bundle| bundle.files.into_iter().map(|file| file.path).collect::<Vec<_>>())
    };
    assert_eq!(with(0, false).unwrap(), ["a/b/c/three", "a/b/one", "a/two"]);
    assert_eq!(with(0, true).unwrap(), ["b/c/three", "b/one", "two"]);
    assert_eq!(with(1, false).unwrap(), ["b/c/three", "b/one", "two"]);
    assert_eq!(with(1, true).unwrap(), ["b/c/three", "b/one", "two"], "a file lies beside the folder");
    assert_eq!(with(2, false).unwrap(), ["c/three", "one"]);
    assert_eq!(with(2, true).unwrap(), ["c/three", "one"]);
    assert!(matches!(with(9, false), Err(ArchiveError::Empty)));
    let colliding = tar_of(&[("a/x", b"1", 0o644), ("b/x", b"2", 0o644)]);
    let options = ArchiveOptions { strip_components: 1, ..options() };
    assert_eq!(reason(read_bundle(&colliding, ArchiveKind::Tar, &options)), "duplicate");
}

#[test]
fn an_unwrapped_archive_is_moved_into_an_empty_folder_only() {
    let tree = Tree::new();
    let tape = tar_of(&[("a/SKILL.md", b"1", 0o644), ("a/empty/", b"", 0o755)]);
    let options = ArchiveOptions { unwrap_single_root: true, ..options() };
    let run = |into: &str| extract(&mut Cursor::new(&tape), ArchiveKind::Tar, &tree.path(into), &options);
    assert_eq!(run("new").unwrap(), Extracted { files: 1, bytes: 1 });
    assert!(tree.path("new/empty").is_dir() && tree.path("new/SKILL.md").is_file());
    assert_eq!(run("new").unwrap_err().reason(), "target-taken");
    fs::create_dir(tree.path("empty")).unwrap();
    run("empty").unwrap();
    fs::write(tree.path("file"), "").unwrap();
    assert_eq!(run("file").unwrap_err().reason(), "target-taken");
    assert_eq!(fs::read_dir(tree.root()).unwrap().count(), 3, "no stage is left");
}

#[test]
fn every_limit_has_a_name() {
    let tape = tar_of(&[("a", b"12345", 0o644), ("b", b"12345", 0o644)]);
    let packed = pack_zip(&Bundle { files: vec![file("a", b"12345", false), file("b", b"12345", false)] });
    let base = ArchiveLimits::default();
    for (limits, expected) in [
        (ArchiveLimits { archive: 10, ..base }, "too-large"),
        (ArchiveLimits { entries: 1, ..base }, "too-many-entries"),
        (ArchiveLimits { total: 9, ..base }, "total-too-large"),
        (ArchiveLimits { entry: 4, ..base }, "entry-too-large"),
    ] {
        let options = ArchiveOptions { limits, ..options() };
        assert_eq!(reason(read_bundle(&tape, ArchiveKind::Tar, &options)), expected);
        assert_eq!(reason(read_bundle(&packed, ArchiveKind::Zip, &options)), expected);
    }
    let long = tar_of(&[(&"n/".repeat(100), b"", 0o755), ("a", b"", 0o644)]);
    let limits = ArchiveLimits { metadata: 100, ..base };
    let result = read_bundle(&long, ArchiveKind::Tar, &ArchiveOptions { limits, ..options() });
    assert_eq!(reason(result), "too-much-metadata");
}

#[test]
fn a_bzip_bomb_stops_early() {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(&tar_of(&[("z", &vec![0; 20 << 20], 0o644)])).unwrap();
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 10_000);
    assert_eq!(reason(read_bundle(&bomb, ArchiveKind::TarBz2, &options())), "bomb");
}

#[test]
fn a_bomb_is_not_unpacked_to_its_end() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![0; 60 << 20]).unwrap();
    let bomb = encoder.finish().unwrap();
    let mut unpacked = Vec::new();
    let mut stream = Unpacked::new(bomb.as_slice(), &ArchiveLimits::default(), MultiGzDecoder::new);
    let error = stream.read_to_end(&mut unpacked).map_err(ArchiveError::reading).unwrap_err();
    assert_eq!(error.reason(), "bomb");
    assert!(unpacked.len() < 10 << 20, "{} bytes", unpacked.len());
}

/// One deflated entry whose headers can be changed before they are put together.
fn zip_with(change: impl FnOnce(&mut Vec<u8>, &mut Vec<u8>)) -> Vec<u8> {
    let content = b"some content";
    let mut crc = Crc::new();
    crc.update(content);
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    let packed = encoder.finish().unwrap();
    let common = |made_by: &[u8]| {
        let mut bytes = made_by.to_vec();
        bytes.extend(b"\x14\0\0\0\x08\0\0\0\x21\0");
        bytes.extend(crc.sum().to_le_bytes());
        bytes.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
        bytes.extend(12_u32.to_le_bytes());
        bytes.extend(b"\x04\0\0\0");
        bytes
    };
    let mut local = [b"PK\x03\x04".to_vec(), common(b""), b"a.md".to_vec()].concat();
    let mut listed = [b"PK\x01\x02".to_vec(), common(b"\x14\x03"), vec![0; 14], b"a.md".to_vec()].concat();
    change(&mut local, &mut listed);
    let start = u32::try_from(local.len() + packed.len()).unwrap();
    let length = u32::try_from(listed.len()).unwrap();
    let end = [b"PK\x05\x06\0\0\0\0\x01\0\x01\0".as_slice(), &length.to_le_bytes(), &start.to_le_bytes()];
    [local, packed, listed, end.concat(), vec![0, 0]].concat()
}

#[test]
fn a_zip_that_contradicts_itself_is_refused() {
    let read = |bytes: &[u8]| read_bundle(bytes, ArchiveKind::Zip, &options());
    assert_eq!(read(&zip_with(|_, _| {})).unwrap().files, [file("a.md", b"some content", false)]);
    assert_eq!(reason(read(&zip_with(|local, _| local[30] = b'b'))), "contradiction", "the name");
    assert_eq!(reason(read(&zip_with(|local, _| local[8] = 0))), "contradiction", "the method");
    assert_eq!(reason(read(&zip_with(|local, _| local[22] = 13))), "contradiction", "the size");
    assert_eq!(reason(read(&zip_with(|local, _| local[6] = 1))), "contradiction", "the encryption");
    assert_eq!(reason(read(&zip_with(|_, listed| listed[42] = 1))), "contradiction", "the place");
    assert_eq!(reason(read(&zip_with(|_, listed| listed[10] = 12))), "unsupported", "the method");
    assert_eq!(reason(read(&zip_with(|_, listed| listed[41] = 0x60))), "special", "a device");
    assert_eq!(reason(read(&zip_with(|_, listed| listed[41] = 0x40))), "contradiction", "the kind");
    assert_eq!(reason(read(&zip_with(|_, listed| listed[24..28].fill(0xff)))), "unsupported", "long sizes");
    let follows = zip_with(|local, listed| {
        (local[6], listed[8]) = (8, 8);
        local[14..26].fill(0);
    });
    assert!(read(&follows).is_ok(), "sizes may follow the content");
}

#[test]
fn two_entry_lists_are_refused() {
    let whole = pack_zip(&Bundle { files: vec![file("a", b"1", false)] });
    let inner = pack_zip(&Bundle { files: vec![file("b", b"2", false)] });
    let mut both = whole;
    let at = both.len() - 2;
    both[at..].copy_from_slice(&u16::try_from(inner.len()).unwrap().to_le_bytes());
    both.extend(inner);
    assert_eq!(reason(read_bundle(&both, ArchiveKind::Zip, &options())), "damaged");
}

fn any_bundle() -> impl Strategy<Value = Bundle> {
    let path =
        proptest::collection::vec("[a-m]{1,3}", 1..4).prop_map(|parts| format!("x{}", parts.join("/y")));
    let content = (proptest::collection::vec(any::<u8>(), 0..300), any::<bool>());
    proptest::collection::btree_map(path, content, 1..8).prop_map(|files| Bundle {
        files: files.into_iter().map(|(path, (bytes, run))| file(&path, &bytes, run)).collect(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What was packed is read back, unless a file is also a folder; then it is refused.
    #[test]
    fn what_is_packed_is_read_back(bundle in any_bundle()) {
        match read_bundle(&pack_zip(&bundle), ArchiveKind::Zip, &options()) {
            Ok(read) => prop_assert_eq!(read, bundle),
            Err(error) => prop_assert_eq!(error.reason(), "file-and-folder"),
        }
    }

    #[test]
    fn broken_archives_give_errors_or_safe_paths(
        bundle in any_bundle(), at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = pack_zip(&bundle);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bytes.truncate(bytes.len() - cut.index(bytes.len().min(40)));
        if let Ok(read) = read_bundle(&bytes, ArchiveKind::Zip, &options()) {
            prop_assert!(read.files.iter().all(|file| !file.path.contains("..") && !file.path.starts_with('/')));
        }
    }
}

#[test]
fn a_skill_with_git_metadata_is_refused() {
    for path in
        [".git/config", "a/.GIT", "a/b/.Git/HEAD", "git~1/x", ".g\u{200c}it/x", ".git/SKILL.md", ".git:x"]
    {
        let options = ArchiveOptions { unwrap_single_root: true, ..options() };
        let tape = tar_of(&[("SKILL.md", b"x", 0o644), (path, b"x", 0o644)]);
        assert_eq!(reason(read_bundle(&tape, ArchiveKind::Tar, &options)), "git", "{path}");
        let alone = tar_of(&[(path, b"x", 0o644)]);
        assert_eq!(reason(read_bundle(&alone, ArchiveKind::Tar, &options)), "git", "{path}");
        // Programs that a skill needs come with whatever their makers packed.
        let place = Tree::new();
        let into = place.path("tool");
        assert!(extract(&mut Cursor::new(&tape), ArchiveKind::Tar, &into, &options).is_ok(), "{path}");
    }
    let bare = tar_of(&[("a/HEAD", b"x", 0o644), ("a/objects/x", b"x", 0o644), ("a/refs/x", b"x", 0o644)]);
    assert_eq!(reason(read_bundle(&bare, ArchiveKind::Tar, &options())), "git");
    let folder = tar_of(&[("SKILL.md", b"x", 0o644), (".git/", b"", 0o755)]);
    assert_eq!(reason(read_bundle(&folder, ArchiveKind::Tar, &options())), "git");
}
