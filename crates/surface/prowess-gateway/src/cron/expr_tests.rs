//! A table of known cases, and a comparison with trying every minute.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use proptest::prelude::*;

use super::*;

fn next(expr: &str, after: &str, zone: &str) -> String {
    let zone = TimeZone::get(zone).unwrap();
    let after: Timestamp = after.parse().unwrap();
    let next = expr.parse::<Expr>().unwrap().next(after, &zone);
    next.map_or_else(|| "never".to_owned(), |moment| moment.to_zoned(zone).strftime("%F %T %:z").to_string())
}

#[test]
fn known_cases() {
    for (expr, after, zone, expected) in [
        ("0 9 * * *", "2026-11-16T08:59:59Z", "UTC", "2026-11-16 09:00:00 +00:00"),
        ("0 9 * * *", "2026-11-16T09:00:00Z", "UTC", "2026-11-17 09:00:00 +00:00"),
        ("*/15 * * * *", "2026-11-16T09:07:30Z", "UTC", "2026-11-16 09:15:00 +00:00"),
        ("30 */10 9 * * *", "2026-11-16T09:50:30Z", "UTC", "2026-11-17 09:00:30 +00:00"),
        ("0 9 * * mon-fri", "2026-11-20T10:00:00Z", "UTC", "2026-11-23 09:00:00 +00:00"),
        ("0 0 * * 7", "2026-11-16T00:00:00Z", "UTC", "2026-11-22 00:00:00 +00:00"),
        ("0 0 31 * *", "2026-11-16T00:00:00Z", "UTC", "2026-12-31 00:00:00 +00:00"),
        ("0 0 29 2 *", "2026-11-16T00:00:00Z", "UTC", "2028-02-29 00:00:00 +00:00"),
        ("0 0 31 2 *", "2026-11-16T00:00:00Z", "UTC", "never"),
        // Both days restricted: either will do.
        ("0 0 13 * fri", "2026-11-16T00:00:00Z", "UTC", "2026-11-20 00:00:00 +00:00"),
        ("5/20 1,2 * JAN ?", "2026-11-16T00:00:00Z", "UTC", "2027-01-01 01:05:00 +00:00"),
        ("@weekly", "2026-11-16T00:00:00Z", "UTC", "2026-11-22 00:00:00 +00:00"),
        ("0 9 * * *", "2026-11-16T00:00:00Z", "America/New_York", "2026-11-16 09:00:00 -05:00"),
        // Clocks are put forward at 2: half past two comes at once, and hourly ones see nothing.
        ("30 2 * * *", "2026-03-29T00:30:00Z", "Europe/Berlin", "2026-03-29 03:00:00 +02:00"),
        ("30 2 * * *", "2026-03-29T01:00:00Z", "Europe/Berlin", "2026-03-30 02:30:00 +02:00"),
        ("30 * * * *", "2026-03-29T00:30:00Z", "Europe/Berlin", "2026-03-29 03:30:00 +02:00"),
        // Clocks are put back at 3: half past two comes once, and hourly ones see it twice.
        ("30 2 * * *", "2026-10-24T22:00:00Z", "Europe/Berlin", "2026-10-25 02:30:00 +02:00"),
        ("30 2 * * *", "2026-10-25T00:30:00Z", "Europe/Berlin", "2026-10-26 02:30:00 +01:00"),
        ("30 * * * *", "2026-10-25T00:30:00Z", "Europe/Berlin", "2026-10-25 02:30:00 +01:00"),
    ] {
        assert_eq!(next(expr, after, zone), expected, "{expr} after {after} in {zone}");
    }
}

#[test]
fn what_is_no_expression_is_refused() {
    for expr in [
        "",
        "*",
        "* * * *",
        "* * * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "5-1 * * * *",
        "*/0 * * * *",
        "a * * * *",
        "1,,2 * * * *",
        "-1 * * * *",
        "+1 * * * *",
        "1- * * * *",
        "* * * foo *",
        "@often",
        "99999999999 * * * *",
        "* * L * *",
        "* * 32 * *",
    ] {
        assert!(expr.parse::<Expr>().is_err(), "{expr}");
    }
    let error = "61 * * * *".parse::<Expr>().unwrap_err().to_string();
    assert_eq!(
        error,
        "invalid value `61` for the minute field (expected 0 to 59, `*`, a range, a list or a step)"
    );
}

/// The first minute that fits, tried one after the other. Written from the rules, not from the code.
fn tried(expr: &Expr, after: Timestamp, zone: &TimeZone, minutes: i64) -> Option<Timestamp> {
    let is_hourly = (0..24).all(|hour| has(expr.hours, hour));
    let fits = |civil: DateTime| {
        expr.has_day(civil.date())
            && has(expr.hours, civil.hour())
            && has(expr.minutes, civil.minute())
            && has(expr.seconds, civil.second())
    };
    let start = after.as_second().div_euclid(60) + 1;
    (start..start + minutes).find_map(|minute| {
        let moment = Timestamp::from_second(minute * 60).unwrap();
        let civil = zone.to_datetime(moment);
        let before = zone.to_datetime(moment - SignedDuration::from_mins(1));
        // The times between the last minute and this one that the clock never shows.
        let mut skipped = before.checked_add(1.minute()).unwrap();
        while !is_hourly && skipped < civil {
            if fits(skipped) {
                return Some(moment);
            }
            skipped = skipped.checked_add(1.minute()).unwrap();
        }
        let first = zone.to_ambiguous_timestamp(civil).earlier().unwrap();
        (fits(civil) && (is_hourly || first == moment)).then_some(moment)
    })
}

fn field(from: u32, to: u32) -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just("*".to_owned()),
        3 => (from..=to).prop_map(|number| number.to_string()),
        1 => (from..=to, from..=to).prop_map(|(one, other)| format!("{}-{}", one.min(other), one.max(other))),
        1 => (1..=to.max(2)).prop_map(|step| format!("*/{step}")),
        1 => proptest::collection::vec(from..=to, 1..4)
            .prop_map(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn the_next_time_is_the_first_that_fits(
        minute in field(0, 59), hour in field(0, 23), day in field(1, 31), month in field(1, 12), weekday in field(0, 7),
        zone in proptest::sample::select(vec![
            "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Santiago",
        ]),
        // Days around changes of the clock, and others.
        near in proptest::sample::select(vec![
            "2026-03-28T12:00:00Z", "2026-10-24T12:00:00Z", "2026-03-07T12:00:00Z", "2026-10-31T12:00:00Z",
            "2026-04-04T00:00:00Z", "2026-10-03T00:00:00Z", "2026-09-05T12:00:00Z", "2026-06-15T00:00:00Z",
        ]),
        seconds in 0_i64..2 * 86_400,
    ) {
        let expr: Expr = format!("{minute} {hour} {day} {month} {weekday}").parse().unwrap();
        let zone = TimeZone::get(zone).unwrap();
        let after = near.parse::<Timestamp>().unwrap() + SignedDuration::from_secs(seconds);
        let days = 4;
        let found = expr.next(after, &zone);
        let end = after + SignedDuration::from_hours(24 * days - 1);
        match tried(&expr, after, &zone, days * 24 * 60) {
            Some(expected) => prop_assert_eq!(found, Some(expected)),
            None => prop_assert!(found.is_none_or(|found| found > end), "{:?}", found),
        }
    }

    #[test]
    fn no_text_is_a_danger(text in ".{0,40}") {
        let _ = text.parse::<Expr>();
    }
}
