//! Any bytes can be scanned, and what is said about them points into them.

use prowess_scan::{Baseline, File, Report, Verdict, rule, sarif, scan, verdict_over};
use prowess_skill::{ParseOptions, SkillInput, parse};

use crate::Choice;

const PATHS: [&str; 8] =
    ["SKILL.md", "README", "scripts/a.js", "scripts/b.sh", "data/c.json", "assets/d.png", "e.zip", "bin/git"];

/// Scans the bytes as one file of some name.
pub fn check(bytes: &[u8]) {
    let mut choice = Choice::of(bytes);
    let path = choice.one(&PATHS);
    let report = scan(&[File::new(path, bytes)], None);
    check_report(&report, bytes);
    match choice.one(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) {
        0 => check_log(&report),
        1 => drop(prowess_scan::openclaw::scan_folder(&[("a.js", bytes)])),
        2 => drop(prowess_scan::openclaw::scan_text(&String::from_utf8_lossy(bytes), "SKILL.md")),
        _ => {}
    }
}

/// Scans the bytes as a skill: they are read for what it declares, too.
pub fn check_skill(block: &[u8]) {
    let bytes = [b"---\n", block].concat();
    let skill = parse(&SkillInput::folder(&bytes, "some-skill"), &ParseOptions::default());
    let report = scan(&[File::new("SKILL.md", &bytes)], Some(&skill));
    check_report(&report, &bytes);
    if *Choice::of(&bytes).one(&[true, false, false, false, false, false, false, false]) {
        let text = serde_json::to_string(&report).expect("a report is JSON");
        assert_eq!(serde_json::from_str::<Report>(&text).expect("a report reads back"), report);
        check_baseline(report);
    }
}

fn check_report(report: &Report, bytes: &[u8]) {
    assert_eq!(report.verdict, verdict_over(&report.findings));
    let text = std::str::from_utf8(bytes).ok();
    for finding in &report.findings {
        let rule = rule(&finding.rule).expect("the rule is documented");
        assert!(finding.severity <= rule.severity);
        assert!(finding.span.start <= finding.span.end);
        assert!(finding.evidence.chars().all(|char| !char.is_control()));
        if let Some(text) = text.filter(|_| finding.line > 0) {
            assert!(
                text.get(finding.span.start..finding.span.end).is_some(),
                "{} {:?}",
                finding.rule,
                finding.span
            );
        }
    }
    let unread: u64 = report.coverage.unread.iter().map(|unread| unread.bytes).sum();
    assert!(report.coverage.bytes_read + unread >= bytes.len() as u64);
}

/// The exchange format names every finding.
fn check_log(report: &Report) {
    let log = sarif(&[("skill", report)]);
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(report.findings.len()));
}

/// What is accepted is gone, and nothing else.
fn check_baseline(mut report: Report) {
    let mut baseline = Baseline::default();
    baseline.accept(&report, "fuzzed");
    let accepted = baseline.accepted.len();
    let before = report.findings.len();
    assert_eq!(baseline.apply(&mut report).accepted.len(), accepted);
    assert_eq!(report.findings.len(), before - accepted);
    assert_eq!(report.verdict, Verdict::Clean);
}
