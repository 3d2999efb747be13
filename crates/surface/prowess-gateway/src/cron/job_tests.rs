//! What becomes of a job as time passes.

use jiff::tz::TimeZone;
use serde_json::json;

use super::*;

const HOUR: u64 = 60 * 60 * 1000;

fn zone() -> Zone {
    Zone(TimeZone::UTC)
}

fn job(schedule: Value) -> CronJob {
    let value = json!({
        "id": "j", "name": "n", "schedule": schedule, "payload": { "kind": "agentTurn", "message": "m", "to": "x" },
        "delivery": { "mode": "none" },
    });
    serde_json::from_value(value).unwrap()
}

fn hourly() -> CronJob {
    let mut job = job(json!({ "kind": "every", "everyMs": HOUR, "staggerMs": 5 }));
    job.plan(0, &zone()).unwrap();
    job
}

#[test]
fn a_claimed_job_is_not_due_for_the_next_one_who_looks() {
    let mut job = hourly();
    assert_eq!(job.claim(HOUR - 1, &zone()), Due::No { changed: false });
    assert_eq!(job.claim(HOUR, &zone()), Due::Now);
    assert_eq!(job.claim(HOUR, &zone()), Due::No { changed: false });
    assert_eq!((job.state.running_at_ms, job.state.next_run_at_ms), (Some(HOUR), Some(2 * HOUR)));
    assert!(!job.ended(HOUR, HOUR + 5, None));
    assert_eq!((job.state.last_status.as_deref(), job.state.last_duration_ms), (Some("ok"), Some(5)));
}

#[test]
fn many_missed_runs_are_made_up_for_once_and_only_within_a_day() {
    let mut late = hourly();
    assert_eq!(late.claim(24 * HOUR, &zone()), Due::Now);
    assert_eq!(late.state.next_run_at_ms, Some(25 * HOUR));
    let mut too_late = hourly();
    assert_eq!(too_late.claim(26 * HOUR, &zone()), Due::No { changed: true });
    assert_eq!(too_late.state.last_status.as_deref(), Some("skipped"));
    assert_eq!(too_late.state.next_run_at_ms, Some(27 * HOUR));
    assert!(too_late.enabled);
}

#[test]
fn a_run_does_not_begin_while_the_last_goes_on_unless_that_was_cut_off() {
    let mut job = hourly();
    assert_eq!(job.claim(HOUR, &zone()), Due::Now);
    assert_eq!(job.claim(2 * HOUR, &zone()), Due::No { changed: true });
    assert_eq!(job.claim(3 * HOUR, &zone()), Due::Now);
}

#[test]
fn a_job_that_runs_once_is_over_then() {
    let once = json!({ "kind": "at", "at": "1970-01-01T01:00:00Z" });
    let mut kept = job(once.clone());
    kept.plan(0, &zone()).unwrap();
    assert_eq!(kept.claim(HOUR, &zone()), Due::Now);
    assert!(!kept.ended(HOUR, HOUR, None));
    assert!(!kept.enabled);
    assert_eq!(kept.claim(2 * HOUR, &zone()), Due::No { changed: false });

    let mut goes = CronJob { delete_after_run: Some(true), ..job(once.clone()) };
    assert!(goes.clone().ended(HOUR, HOUR, None));
    assert!(!goes.ended(HOUR, HOUR, Some("x".to_owned())));
    assert_eq!(goes.state.consecutive_errors, Some(1));

    let mut missed = job(once);
    missed.plan(0, &zone()).unwrap();
    assert_eq!(missed.claim(30 * HOUR, &zone()), Due::No { changed: true });
    assert!(!missed.enabled);
}

#[test]
fn what_others_wrote_stays() {
    let job = hourly();
    let written = serde_json::to_value(&job).unwrap();
    assert_eq!(written["delivery"], json!({ "mode": "none" }));
    assert_eq!((&written["schedule"]["staggerMs"], &written["payload"]["to"]), (&json!(5), &json!("x")));
    assert_eq!(serde_json::from_value::<CronJob>(written).unwrap(), job);
}
