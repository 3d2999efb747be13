//! How long an outcome takes to be acknowledged, and a log to be folded.

#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use std::io::Write as _;

use divan::Bencher;
use prowess_cortex::{Event, EventKind, OutcomeEvent, Rules};
use prowess_store::EventLog;
use prowess_types::OutcomeResult;

fn main() {
    divan::main();
}

fn outcome(number: i64) -> Event {
    let (region, slug) = (format!("region-{}", number % 80), format!("skill-{}", number % 7));
    let kind = EventKind::Outcome(OutcomeEvent::new(&region, &slug, "1.0.0", OutcomeResult::Success));
    Event::new(&format!("{number:026}"), number * 60_000, kind)
}

/// One transaction that is on disk when it returns.
#[divan::bench(sample_count = 200, sample_size = 1)]
fn append(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().unwrap();
    let log = EventLog::open(&folder.path().join("state.db")).unwrap();
    let mut number = 0;
    bencher.bench_local(|| {
        number += 1;
        log.append(&outcome(number)).unwrap()
    });
}

/// The same event as a line of a file, on disk when it returns.
#[divan::bench(sample_count = 200, sample_size = 1)]
fn baseline_of_append(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().unwrap();
    let mut file = std::fs::File::create(folder.path().join("log.jsonl")).unwrap();
    let mut number = 0;
    bencher.bench_local(|| {
        number += 1;
        let line = serde_json::to_string(&outcome(number).kind).unwrap() + "\n";
        file.write_all(line.as_bytes()).unwrap();
        file.sync_data().unwrap();
    });
}

/// Folding events that are in memory already.
#[divan::bench(sample_count = 10)]
fn baseline_of_state_of_100_000_events(bencher: Bencher<'_, '_>) {
    let events: Vec<Event> = (0..100_000).map(outcome).collect();
    bencher.bench_local(|| prowess_cortex::CortexState::replay(&events, Rules::Prowess));
}

/// Reading and folding the whole log, or only what came after the kept fold.
#[divan::bench(args = [false, true], sample_count = 10)]
fn state_of_100_000_events(bencher: Bencher<'_, '_>, is_kept: bool) {
    let folder = tempfile::tempdir().unwrap();
    let log = EventLog::open(&folder.path().join("state.db")).unwrap();
    log.append_all(&(0..100_000).map(outcome).collect::<Vec<_>>()).unwrap();
    if is_kept {
        log.state(Rules::Prowess).unwrap();
        bencher.bench_local(|| log.state(Rules::Prowess).unwrap());
    } else {
        bencher.bench_local(|| {
            let events = log.read_since(0).unwrap();
            prowess_cortex::CortexState::replay(events.iter().map(|logged| &logged.event), Rules::Prowess)
        });
    }
}
