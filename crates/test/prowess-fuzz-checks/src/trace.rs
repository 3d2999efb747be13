//! Any bytes as a session, or as a log of another agent, become lines that hold together.

use prowess_trace::{ImportKind, Imported, classify, import, markdown, read, summary, write};
use prowess_types::{OutcomeResult, TraceEvent, TraceLine};

use crate::Choice;

/// A session, and a foreign log of the kind that the input picks.
pub fn check(bytes: &[u8]) {
    if let Ok(session) = read(bytes) {
        let filled = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
        assert_eq!(session.lines.len() + session.unread.len(), filled, "every line is read or reported");
        check_lines(&session.lines);
        assert!(markdown(&session).ends_with('\n'));
    }
    let kind = *Choice::of(bytes).one(&ImportKind::ALL);
    let imported = import(kind, bytes);
    check_import(&imported);
}

fn check_lines(lines: &[TraceLine]) {
    let text: String = lines.iter().map(|line| write(line) + "\n").collect();
    let again = read(text.as_bytes()).expect("the same format");
    assert_eq!(again.lines, lines, "what is written is read back");
    let outcome = classify(lines);
    assert!(
        !matches!(outcome.result, OutcomeResult::Success | OutcomeResult::TaskMismatch),
        "nothing is guessed"
    );
    let summary = summary(lines);
    assert!(summary.runs.iter().all(|run| lines.iter().any(|line| line.run == run.run)));
}

fn check_import(imported: &Imported) {
    check_lines(&imported.lines);
    let foreign =
        imported.lines.iter().filter(|line| matches!(line.event, TraceEvent::Foreign { .. })).count();
    assert_eq!(imported.report.foreign.values().sum::<usize>(), foreign, "what is not known is kept");
    let starts = |line: &&TraceLine| matches!(line.event, TraceEvent::RunStarted { .. });
    let ends = |line: &&TraceLine| matches!(line.event, TraceEvent::RunEnded { .. });
    let (started, ended) =
        (imported.lines.iter().filter(starts).count(), imported.lines.iter().filter(ends).count());
    assert_eq!(started, ended, "every run that begins ends");
}
