//! Structures that are built to break whoever reads them: no crash, no hang, and a named reason.

use std::path::Path;

use prowess_scan::{File, Report, ScanFinding, ScanSeverity, UnscannedReason, scan};
use prowess_testkit::hostile::{Area, Expect, HostileTree, archives};

/// Files below a folder: bytes, or why there are none.
type Found = Vec<(String, Result<Vec<u8>, UnscannedReason>)>;

fn walk(root: &Path, folder: &Path, found: &mut Found) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let kind = path.symlink_metadata().unwrap().file_type();
        let content = if kind.is_symlink() {
            match path.canonicalize() {
                Ok(target) if target.starts_with(root) => continue,
                Ok(_) => Err(UnscannedReason::LinkOutside),
                Err(_) => Err(UnscannedReason::LinkDangling),
            }
        } else if kind.is_dir() {
            walk(root, &path, found);
            continue;
        } else if !kind.is_file() {
            Err(UnscannedReason::Special)
        } else if path.to_str().is_none() {
            Err(UnscannedReason::BadName)
        } else {
            Ok(std::fs::read(&path).unwrap())
        };
        found.push((name, content));
    }
}

fn scan_found(found: &Found) -> Report {
    let files: Vec<File<'_>> = found
        .iter()
        .map(|(path, content)| match content {
            Ok(bytes) => File::new(path, bytes),
            Err(reason) => File::unread(path, 0, *reason),
        })
        .collect();
    scan(&files, None)
}

/// What the scanner must say about a skill or root, where it is the scanner that sees it. The rest is for the parser and
/// the inventory: broken frontmatter, names that collide, limits.
const NAMED: &[(&str, &str)] = &[
    ("fm-utf16", "structure/not-text"),
    ("fm-invalid-utf8", "structure/not-text"),
    ("fm-overlong-utf8", "structure/not-text"),
    ("fm-surrogates", "structure/not-text"),
    ("link-skillmd-out", "structure/link-outside"),
    ("link-dir-out", "structure/link-outside"),
    ("link-dangling", "structure/unread"),
    ("fifo-skillmd", "structure/special-file"),
    ("fifo-script", "structure/special-file"),
    ("name-bytes", "structure/unread"),
    ("hidden-script", "obfuscation/decoded-and-run"),
    ("ext-disguise", "structure/disguised"),
    ("ext-disguise", "download/pipe-to-shell"),
    ("test-dir-hide", "download/pipe-to-shell"),
    ("collide-confusable", "hidden/mixed-script"),
];

/// However a text is made, its bytes are looked at so often and no more.
const LOOKS: u64 = 100;

fn rules(report: &Report) -> Vec<&str> {
    report.findings.iter().map(|finding| finding.rule.as_ref()).collect()
}

#[test]
fn hostile_structures_are_named_and_cost_no_more_than_others() {
    let hostile = HostileTree::new();
    let count = |area| hostile.area(area).count();
    assert_eq!((count(Area::Skill), count(Area::Root), count(Area::Archive)), (52, 5, 45));
    for case in hostile.area(Area::Skill).chain(hostile.area(Area::Root)) {
        let mut found = Found::new();
        walk(&case.path, &case.path, &mut found);
        let report = scan_found(&found);
        let size: u64 = found.iter().map(|(_, content)| content.as_ref().map_or(0, Vec::len) as u64).sum();
        let examined = report.coverage.bytes_examined;
        assert!(examined <= size * LOOKS, "{}: {examined} of {size} bytes", case.name);
        let unread: u64 = report.coverage.unread.iter().map(|unread| unread.bytes).sum();
        assert_eq!(report.coverage.bytes_read + unread, size, "{}", case.name);
        let named: Vec<&str> =
            NAMED.iter().filter(|(name, _)| *name == case.name).map(|(_, rule)| *rule).collect();
        for rule in &named {
            assert!(rules(&report).contains(rule), "{}: {rule} is not in {:?}", case.name, rules(&report));
        }
        let warned: Vec<_> = report.at_least(ScanSeverity::Warn).collect();
        match case.expect {
            Expect::Flag => assert!(!warned.is_empty(), "{} is not flagged", case.name),
            Expect::Load if named.is_empty() => assert!(warned.is_empty(), "{}: {warned:?}", case.name),
            _ => {}
        }
    }
    assert!(hostile.canary_is_unchanged());
}

/// What the entry list of each archive tells.
const ARCHIVES: &[(&str, &str, &str)] = &[
    ("ok.zip", "structure/archive", "entry list"),
    ("slip-dotdot.zip", "structure/archive-escape", "leaves the folder"),
    ("slip-deep.zip", "structure/archive-escape", "leaves the folder"),
    ("slip-abs.zip", "structure/archive-escape", "leaves the folder"),
    ("slip-backslash.zip", "structure/archive-escape", "leaves the folder"),
    ("slip-drive.zip", "structure/archive-escape", "leaves the folder"),
    ("slip-unc.zip", "structure/archive-escape", "leaves the folder"),
    ("link-then-write.zip", "structure/archive-escape", "is a link"),
    ("link-abs.zip", "structure/archive-escape", "is a link"),
    ("setuid.zip", "structure/archive-mode", "setuid"),
    ("dup-names.zip", "structure/archive-broken", "is in it twice"),
    ("case-collide.zip", "structure/archive-broken", "is in it twice"),
    ("nfc-collide.zip", "structure/archive-broken", "is in it twice"),
    ("file-as-dir.zip", "structure/archive-broken", "is a file, too"),
    ("win-names.zip", "structure/archive-broken", "some systems reserve"),
    ("nul-name.zip", "structure/archive-escape", "zero byte"),
    ("long-name.zip", "structure/archive-broken", "longer than a path"),
    ("deep-name.zip", "structure/archive-broken", "longer than a path"),
    ("bomb-flat.zip", "structure/archive-bomb", "bytes unpack to"),
    ("bomb-nested.zip", "structure/archive-nested", "is an archive, too"),
    ("many-entries.zip", "structure/archive-bomb", "entries"),
    ("bomb-overlap.zip", "structure/archive-broken", "share their content"),
    ("lying-size.zip", "structure/archive-broken", "larger packed than unpacked"),
    // A wrong checksum is known only to who unpacks.
    ("bad-crc.zip", "structure/archive", "entry list"),
    ("truncated.zip", "structure/archive-broken", "no entry list"),
    ("truncated-mid.zip", "structure/archive-broken", "no entry list"),
    ("prefix-junk.zip", "structure/archive-broken", "not where it says"),
    ("two-eocd.zip", "structure/archive-broken", "two entry lists"),
    ("encrypted.zip", "structure/archive-encrypted", "encrypted"),
    ("comment-inject.zip", "structure/archive", "entry list"),
    ("empty.zip", "structure/archive-broken", "holds nothing"),
    ("not-a-zip.zip", "structure/archive-broken", "no entry list"),
    ("ok.tar.gz", "structure/archive", "entry list"),
    ("dotdot.tar.gz", "structure/archive-escape", "leaves the folder"),
    ("abs.tar.gz", "structure/archive-escape", "leaves the folder"),
    ("strip-escape.tar.gz", "structure/archive-escape", "leaves the folder"),
    ("sym-then-write.tar.gz", "structure/archive-escape", "is a link"),
    ("hardlink.tar.gz", "structure/archive-escape", "is a link"),
    ("fifo.tar.gz", "structure/archive-escape", "device or pipe"),
    ("device.tar.gz", "structure/archive-escape", "device or pipe"),
    ("pax-path.tar.gz", "structure/archive-escape", "leaves the folder"),
    ("setuid.tar.gz", "structure/archive-mode", "setuid"),
    ("bomb.tar.gz", "structure/archive-bomb", "bytes unpack to"),
    ("truncated.tar.gz", "structure/archive-broken", "damaged"),
    ("gzip-tail.tar.gz", "structure/archive-broken", "follows its stream"),
];

#[test]
fn hostile_archives_are_named_by_their_headers() {
    let archives = archives();
    assert_eq!(archives.len(), ARCHIVES.len());
    for (archive, (name, rule, reason)) in archives.iter().zip(ARCHIVES) {
        assert_eq!(archive.name, *name);
        let report = scan(&[File::new(archive.name, &archive.bytes)], None);
        let is_named = |finding: &ScanFinding| finding.rule == *rule && finding.reason.contains(reason);
        assert!(report.findings.iter().any(is_named), "{name}: {:?}", report.findings);
        let is_refused = matches!(archive.expect, Expect::RefuseAll | Expect::RefuseOrTell);
        let is_good = matches!(archive.expect, Expect::Extract | Expect::ExtractMasked | Expect::ExtractFlat);
        let is_warned = report.at_least(ScanSeverity::Warn).next().is_some();
        assert!(is_warned || !is_refused || *name == "bad-crc.zip", "{name}: {}", archive.why);
        assert!(!is_warned || !is_good, "{name}: {:?}", report.findings);
        assert!(report.findings.iter().all(|finding| !finding.reason.contains(char::is_control)), "{name}");
    }
}
