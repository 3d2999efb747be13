//! Git metadata in a skill, whatever is in it.

use prowess_scan::{File, ScanSeverity, UnscannedReason, Verdict, scan};

const SKILL: &[u8] = b"---\nname: tea\ndescription: Brews tea.\n---\nBoil water.\n";

#[test]
fn git_metadata_is_critical_in_every_form() {
    for (paths, place) in [
        (&[".git/HEAD", ".git/config"][..], ".git"),
        (&["docs/.GIT"], "docs/.GIT"),
        (&["git~1/config"], "git~1"),
        (&[".g\u{200c}it/config"], ".g\u{200c}it"),
        (&["lib/HEAD", "lib/config", "lib/objects/x", "lib/refs/x"], "lib"),
    ] {
        let mut files = vec![File::new("SKILL.md", SKILL)];
        files.extend(paths.iter().map(|path| File::new(path, b"")));
        let report = scan(&files, None);
        let found: Vec<_> =
            report.findings.iter().filter(|finding| finding.rule == "structure/git-metadata").collect();
        assert_eq!((report.verdict, found.len()), (Verdict::Malicious, 1), "{paths:?}");
        assert_eq!((found[0].severity, found[0].file.as_str()), (ScanSeverity::Critical, place));
    }
    let unread = [File::new("SKILL.md", SKILL), File::unread(".git/x", 5, UnscannedReason::TooLarge)];
    assert_eq!(scan(&unread, None).verdict, Verdict::Malicious);
}

#[test]
fn files_about_git_are_not() {
    let files = [
        File::new("SKILL.md", SKILL),
        File::new(".gitignore", b"*.tmp\n"),
        File::new(".gitattributes", b"* text=auto\n"),
        File::new(".github/workflows/ci.yml", b"on: push\n"),
        File::unread(".git", 0, UnscannedReason::WorkingCopy),
    ];
    let report = scan(&files, None);
    assert_eq!(report.verdict, Verdict::Clean, "{:?}", report.findings);
    assert_eq!(report.coverage.unread[0].reason, UnscannedReason::WorkingCopy);
}
