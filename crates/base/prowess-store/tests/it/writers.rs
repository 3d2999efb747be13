//! Many processes write at once and some are killed: every acknowledged outcome is in the log.
//!
//! This test program starts itself as the writers. A writer reads from standard input what to do and writes the id of
//! each event to standard output once the log has acknowledged it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use prowess_cortex::{CortexState, Event, EventKind, OutcomeEvent, Rules, read_document, write_document};
use prowess_store::EventLog;
use prowess_types::OutcomeResult;

/// The writer: standard input has the log, the number of the writer and how many events it shall write.
#[test]
#[ignore = "started by the other tests"]
fn writer() {
    let mut order = String::new();
    std::io::stdin().read_to_string(&mut order).unwrap();
    let mut lines = order.lines();
    // Without an order, somebody ran all ignored tests.
    let Some(path) = lines.next() else { return };
    let mut number = || lines.next().unwrap().parse::<i64>().unwrap();
    let (writer, count) = (number(), number());
    let log = EventLog::open(Path::new(path)).unwrap();
    for at in 0..count {
        let result = if at % 5 == 4 { OutcomeResult::RuntimeError } else { OutcomeResult::Success };
        let slug = format!("skill-{}", at % 6);
        let kind = EventKind::Outcome(OutcomeEvent::new("region", &slug, "1.0.0", result));
        let id = format!("writer-{writer:03}-{at:05}");
        log.append(&Event::new(&id, at * 3_600_000, kind)).unwrap();
        // One write, past the buffers of the test harness: a killed writer has said what it was told.
        std::io::stdout().write_all(format!("\nack {id}\n").as_bytes()).unwrap();
        std::io::stdout().flush().unwrap();
    }
}

fn start(log: &Path, writer: usize, count: usize, said: File) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writers::writer", "--ignored", "--nocapture", "--test-threads=1"])
        .stdin(Stdio::piped())
        .stdout(said)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    write!(child.stdin.take().unwrap(), "{}\n{writer}\n{count}\n", log.display()).unwrap();
    child
}

/// Every third writer is killed somewhere on its way.
fn many_writers(writers: usize, count: usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.db");
    let said = |writer: usize| folder.path().join(format!("said-{writer}"));
    let mut children: Vec<Child> =
        (0..writers).map(|writer| start(&path, writer, count, File::create(said(writer)).unwrap())).collect();
    let acknowledged = |writer: usize| -> Vec<String> {
        let text = fs::read_to_string(said(writer)).unwrap();
        // A line without its end was cut off by the kill.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().filter_map(|line| line.strip_prefix("ack ")).map(str::to_owned).collect()
    };
    for writer in (0..writers).step_by(3) {
        // Spread over the run, the same every time.
        let until = count * (writer * 7 % writers + 1) / (writers + 2);
        while acknowledged(writer).len() < until && children[writer].try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        children[writer].kill().unwrap();
    }
    for (writer, child) in children.iter_mut().enumerate() {
        let ended = child.wait().unwrap();
        assert!(ended.success() || writer % 3 == 0, "writer {writer}: {ended}");
    }
    check(&path, &(0..writers).map(acknowledged).collect::<Vec<_>>(), count);
}

fn check(path: &Path, acknowledged: &[Vec<String>], count: usize) {
    let log = EventLog::open(path).unwrap();
    let logged = log.read_since(0).unwrap();
    let ids: BTreeSet<&str> = logged.iter().map(|logged| logged.event.id.as_str()).collect();
    assert_eq!(ids.len(), logged.len(), "no event is there twice");
    assert!(logged.is_sorted_by_key(|logged| logged.seq));
    for (writer, acknowledged) in acknowledged.iter().enumerate() {
        if writer % 3 != 0 {
            assert_eq!(acknowledged.len(), count, "writer {writer} was left alone");
        }
        let lost: Vec<&String> = acknowledged.iter().filter(|id| !ids.contains(id.as_str())).collect();
        assert!(lost.is_empty(), "acknowledged to writer {writer} and lost: {lost:?}");
        let own = logged.iter().filter(|logged| logged.event.id.starts_with(&format!("writer-{writer:03}-")));
        assert!(own.clone().is_sorted_by_key(|logged| &logged.event.id), "in the order of the writer");
        assert!(own.count() <= acknowledged.len() + 1, "at most one was on its way");
    }
    for rules in Rules::ALL {
        let whole = CortexState::replay(logged.iter().map(|logged| &logged.event), rules);
        let state = log.state(rules).unwrap();
        assert_eq!(state, whole, "the same in every replay");
        assert_eq!(log.state(rules).unwrap(), whole);
        let text = write_document(&state.export());
        assert_eq!(read_document(text.as_bytes()).unwrap(), state.export(), "the export can be read");
    }
}

#[test]
fn a_few_writers_lose_nothing() {
    many_writers(4, 40);
}

#[test]
#[ignore = "takes minutes: 16 processes with 500 outcomes each"]
fn sixteen_writers_lose_nothing() {
    many_writers(16, 500);
}
