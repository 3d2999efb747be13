//! Structures that are built to break whoever reads them: no crash, no hang, and a named reason.

use std::path::Path;
use std::time::Instant;

use prowess_scan::{File, Report, Severity, Unread, scan};
use prowess_testkit::hostile::{Area, Expect, HostileTree};

/// Files below a folder: bytes, or why there are none.
type Found = Vec<(String, Result<Vec<u8>, Unread>)>;

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
                Ok(_) => Err(Unread::LinkOutside),
                Err(_) => Err(Unread::LinkDangling),
            }
        } else if kind.is_dir() {
            walk(root, &path, found);
            continue;
        } else if !kind.is_file() {
            Err(Unread::Special)
        } else if path.to_str().is_none() {
            Err(Unread::BadName)
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

#[test]
fn hostile_structures_are_read_in_time_and_named() {
    let hostile = HostileTree::new();
    let count = |area| hostile.area(area).count();
    assert_eq!((count(Area::Skill), count(Area::Root), count(Area::Archive)), (52, 5, 45));
    for case in hostile.area(Area::Skill).chain(hostile.area(Area::Root)) {
        let mut found = Found::new();
        walk(&case.path, &case.path, &mut found);
        let start = Instant::now();
        let report = scan_found(&found);
        // Unoptimised and beside other tests, so the limit is generous; the benchmark has the real one.
        assert!(
            start.elapsed().as_millis() < u128::from(case.max_ms) * 20,
            "{}: {:?}",
            case.name,
            start.elapsed()
        );
        let warned = report.at_least(Severity::Warn).count();
        match (case.expect, case.name.as_str()) {
            (Expect::Flag, name) => assert!(warned > 0, "{name} is not flagged"),
            (_, "link-skillmd-out" | "link-dir-out" | "fifo-skillmd" | "fifo-script") => {
                assert!(warned > 0 && !report.coverage.unread.is_empty(), "{}", case.name);
            }
            (_, "link-dangling" | "name-bytes") => {
                assert!(!report.coverage.unread.is_empty(), "{}", case.name);
            }
            (Expect::Load, name) => assert_eq!(warned, 0, "{name}: {:?}", report.findings),
            _ => {}
        }
    }
    assert!(hostile.canary_is_unchanged());
}

#[test]
fn hostile_archives_are_named_by_their_headers() {
    let hostile = HostileTree::new();
    for case in hostile.area(Area::Archive) {
        let bytes = std::fs::read(&case.path).unwrap();
        let start = Instant::now();
        let report = scan(&[File::new(&case.name, &bytes)], None);
        assert!(
            start.elapsed().as_millis() < u128::from(case.max_ms) * 10,
            "{}: {:?}",
            case.name,
            start.elapsed()
        );
        let told: Vec<&str> = report.at_least(Severity::Warn).map(|finding| finding.rule.as_ref()).collect();
        match case.expect {
            // A checksum is known only to who unpacks.
            Expect::RefuseAll | Expect::RefuseOrTell if case.name != "bad-crc.zip" => {
                assert!(!told.is_empty(), "{}: {}", case.name, case.why);
            }
            Expect::Extract | Expect::ExtractMasked => assert!(told.is_empty(), "{}: {told:?}", case.name),
            _ => {}
        }
    }
    assert!(hostile.canary_is_unchanged());
}
