use proptest::prelude::*;
use prowess_types::TraceEvent;

use super::*;
use crate::{read, summary, write};

const FIXTURES: [(ImportKind, &str); 6] = [
    (ImportKind::ClaudeCode, include_str!("../tests/fixtures/claude-code.jsonl")),
    (ImportKind::Codex, include_str!("../tests/fixtures/codex.jsonl")),
    (ImportKind::Codex, include_str!("../tests/fixtures/codex-oldest.jsonl")),
    (ImportKind::Openclaw, include_str!("../tests/fixtures/openclaw.jsonl")),
    (ImportKind::Openpocket, include_str!("../tests/fixtures/openpocket.jsonl")),
    (ImportKind::Openpocket, include_str!("../tests/fixtures/openpocket-oldest.jsonl")),
];

/// The lines of a fixture, without those that only frame them.
pub(super) fn lines_of(kind: ImportKind, log: &str) -> String {
    import(kind, log.as_bytes()).lines.iter().map(|line| write(line) + "\n").collect()
}

fn holds(imported: &Imported) {
    let text: String = imported.lines.iter().map(|line| write(line) + "\n").collect();
    let session = read(text.as_bytes()).unwrap();
    assert_eq!(session.lines, imported.lines);
    let starts = |line: &TraceLine| matches!(line.event, TraceEvent::RunStarted { .. });
    let ends = |line: &TraceLine| matches!(line.event, TraceEvent::RunEnded { .. });
    for run in summary(&imported.lines).runs {
        let of_run: Vec<_> = imported.lines.iter().filter(|line| line.run == run.run).collect();
        assert!(starts(of_run[0]), "{text}");
        assert_eq!(of_run.iter().filter(|line| ends(line)).count(), 1, "{text}");
        assert!(ends(of_run[of_run.len() - 1]), "{text}");
    }
    let foreign =
        imported.lines.iter().filter(|line| matches!(line.event, TraceEvent::Foreign { .. })).count();
    assert_eq!(imported.report.foreign.values().sum::<usize>(), foreign);
}

#[test]
fn every_fixture_becomes_a_session() {
    for (kind, log) in FIXTURES {
        let imported = import(kind, log.as_bytes());
        holds(&imported);
        assert_eq!(imported.report.entries, log.lines().count());
        assert!(imported.session.is_some());
        assert!(
            matches!(&imported.lines[0].event, TraceEvent::Session { imported_from: Some(from), .. } if from == kind.name())
        );
    }
}

#[test]
fn a_log_of_another_kind_is_foreign_and_nothing_is_lost() {
    for (_, log) in FIXTURES {
        for kind in ImportKind::ALL {
            holds(&import(kind, log.as_bytes()));
        }
    }
    let odd = import(ImportKind::Codex, br#"{"type":"mood","payload":{"a":1}}"#);
    assert_eq!(odd.report.foreign["mood"], 1);
    assert!(matches!(&odd.lines[1].event, TraceEvent::Foreign { entry } if entry["payload"]["a"] == 1));
}

#[test]
fn bad_lines_are_listed_and_bounded() {
    let deep = "[".repeat(10_000);
    let log = format!("{deep}\n[]\n7\n\u{0}\n{}", "{x\n".repeat(300));
    let imported = import(ImportKind::Codex, log.as_bytes());
    assert_eq!(imported.lines, []);
    assert_eq!(imported.report.unread.len(), MAX_UNREAD);
    assert_eq!(imported.report.unread.len() + imported.report.more_unread, imported.report.entries);
    let imported = import(ImportKind::Codex, b"{\"type\":\"\xff\"}");
    assert_eq!(imported.report.unread[0].reason, UnreadReason::NotText);
    assert_eq!(import(ImportKind::Openclaw, b"").lines, []);
}

#[test]
fn no_secret_gets_through() {
    let secret = format!("ghp_{}", "a1B2c3D4".repeat(5));
    for (kind, log) in FIXTURES {
        // Into every text of the log.
        let planted = log.replace(":\"", &format!(":\"{secret} "));
        let imported = import(kind, planted.as_bytes());
        let text = format!("{imported:?}");
        assert!(!text.contains(&secret), "{}", kind.name());
        assert!(imported.report.masked > 0);
    }
}

#[test]
fn long_texts_are_cut_and_say_so() {
    let long = "é".repeat(200_000);
    let log = format!(
        "{}\n{}",
        serde_json::json!({ "type": "response_item", "payload": { "type": "message", "role": "user", "content": long } }),
        serde_json::json!({ "type": "response_item", "payload": { "type": "function_call_output", "call_id": "1", "output": long } }),
    );
    let imported = import(ImportKind::Codex, log.as_bytes());
    holds(&imported);
    let TraceEvent::ToolResult { output, omitted_bytes, .. } = &imported.lines[2].event else { panic!() };
    assert!(output.len() < 40_000 && *omitted_bytes > 300_000);
    assert!(summary(&imported.lines).runs[0].message.len() < 70_000);
}

proptest! {
    #[test]
    fn a_damaged_log_is_still_a_session(
        which in 0..FIXTURES.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        order in any::<u64>(),
    ) {
        let (kind, log) = FIXTURES[which];
        let mut lines: Vec<&str> = log.lines().collect();
        let count = lines.len();
        lines.rotate_left(usize::try_from(order % count as u64).unwrap());
        let mut bytes = lines.join("\n").into_bytes();
        for (at, byte) in cuts {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        holds(&import(kind, &bytes));
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for kind in ImportKind::ALL {
            holds(&import(kind, &bytes));
        }
    }
}
