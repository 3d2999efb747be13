use prowess_cortex::{EventKind, OutcomeEvent};
use prowess_types::OutcomeResult;

use super::*;

fn outcome(number: i64) -> Event {
    let result = if number % 7 == 3 { OutcomeResult::ApiError } else { OutcomeResult::Success };
    let outcome = OutcomeEvent::new(
        &format!("region-{}", number % 5),
        &format!("skill-{}", number % 11),
        "1.0.0",
        result,
    );
    let mut event = Event::new(&format!("{number:026}"), number * 3_600_000, EventKind::Outcome(outcome));
    event.session = Some("main".to_owned());
    event
}

fn log() -> (tempfile::TempDir, EventLog) {
    let folder = tempfile::tempdir().unwrap();
    let log = EventLog::open(&folder.path().join("state.db")).unwrap();
    (folder, log)
}

#[test]
fn events_come_back_in_their_order() {
    let (_folder, log) = log();
    // The clock runs backwards: the order is that of the log.
    let events: Vec<Event> = (0..20).rev().map(outcome).collect();
    for (at, event) in events.iter().enumerate() {
        assert_eq!(log.append(event).unwrap(), i64::try_from(at).unwrap() + 1);
    }
    let read: Vec<Event> = log.read_since(0).unwrap().into_iter().map(|logged| logged.event).collect();
    assert_eq!(read, events);
    assert_eq!(log.read_since(18).unwrap().len(), 2);
    assert_eq!(log.read_first(3).unwrap()[2].event, events[2]);
    assert_eq!(log.count().unwrap(), 20);
}

#[test]
fn an_event_is_added_once() {
    let (_folder, log) = log();
    let first = log.append(&outcome(1)).unwrap();
    log.append(&outcome(2)).unwrap();
    assert_eq!(log.append(&outcome(1)).unwrap(), first);
    assert_eq!(log.count().unwrap(), 2);
}

#[test]
fn several_events_are_added_at_once() {
    let (_folder, log) = log();
    log.append_all(&[outcome(1), outcome(2)]).unwrap();
    assert_eq!(log.count().unwrap(), 2);
}

#[test]
fn rows_cannot_be_changed_or_removed() {
    let (_folder, log) = log();
    log.append(&outcome(1)).unwrap();
    for statement in ["UPDATE event SET clock = 0", "DELETE FROM event"] {
        assert!(log.database.write(|transaction| transaction.execute(statement, [])).is_err(), "{statement}");
    }
    assert_eq!(log.read_since(0).unwrap()[0].event, outcome(1));
}

#[test]
fn columns_say_what_the_payload_says() {
    let (_folder, log) = log();
    log.append(&outcome(3)).unwrap();
    let row = |row: &Row<'_>| {
        let text = |at| row.get::<_, Option<String>>(at);
        Ok([text(0)?, text(1)?, text(2)?, text(3)?, text(4)?, text(5)?])
    };
    let query = "SELECT kind, region, slug, version, failure, session FROM event";
    let columns = log.database.read(|connection| connection.query_row(query, [], row)).unwrap();
    let expected = ["outcome", "region-3", "skill-3", "1.0.0", "api_error", "main"];
    assert_eq!(columns, expected.map(|text| Some(text.to_owned())));
}

#[test]
fn an_event_of_a_newer_version_survives() {
    let (_folder, log) = log();
    let text = r#"{"v":9,"id":"x","clock":5,"kind":"dreamt","of":"sheep"}"#;
    let event = Event::from_json(text).unwrap();
    log.append(&event).unwrap();
    assert_eq!(log.read_since(0).unwrap()[0].event, event);
    assert_eq!(log.state(Rules::Prowess).unwrap().unknown_events(), 1);
}

#[test]
fn a_kept_fold_is_the_fold() {
    let (_folder, log) = log();
    let events: Vec<Event> = (0..1_500).map(outcome).collect();
    for rules in Rules::ALL {
        assert_eq!(log.state(rules).unwrap(), CortexState::default());
    }
    for (from, to) in [(0, 600), (600, 601), (601, 1_400), (1_400, 1_500)] {
        log.append_all(&events[from..to]).unwrap();
        for rules in Rules::ALL {
            let whole = CortexState::replay(&events[..to], rules);
            assert_eq!(log.state(rules).unwrap(), whole, "{rules:?}, {to} events");
            assert_eq!(log.state(rules).unwrap(), whole, "{rules:?}, {to} events, again");
        }
    }
    assert_eq!(log.checkpoint(Rules::Prowess).unwrap().unwrap().0, 1_400);
}

#[test]
fn a_fold_of_other_rules_is_not_used() {
    let (_folder, log) = log();
    let events: Vec<Event> = (0..600).map(outcome).collect();
    log.append_all(&events).unwrap();
    let state = log.state(Rules::Prowess).unwrap();
    for damage in ["UPDATE checkpoint SET fold = fold + 1", "UPDATE checkpoint SET state = '{'"] {
        log.database.write(|transaction| transaction.execute(damage, [])).unwrap();
        assert_eq!(log.state(Rules::Prowess).unwrap(), state, "{damage}");
    }
}
