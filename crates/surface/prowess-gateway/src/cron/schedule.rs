//! When an automation runs.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::expr::{Expr, ExprError};

/// The shortest time between two runs, in milliseconds.
const MIN_EVERY_MS: u64 = 1_000;

/// When an automation runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub(crate) enum Schedule {
    /// Once.
    At {
        /// The moment, such as `2026-12-24T18:00:00+01:00`; without an offset it is in UTC.
        at: String,
        /// Fields that other programs wrote here.
        #[serde(flatten)]
        extra: Map<String, Value>,
    },
    /// Over and over.
    Every {
        /// How far apart, in milliseconds; a second at least.
        every_ms: u64,
        /// The first moment, in milliseconds since 1970; when the job was made if not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        anchor_ms: Option<u64>,
        /// Fields that other programs wrote here.
        #[serde(flatten)]
        extra: Map<String, Value>,
    },
    /// By a calendar.
    Cron {
        /// Five fields, or six with seconds first.
        expr: String,
        /// The time zone, such as `Europe/Berlin`; the gateway's own if not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tz: Option<String>,
        /// Fields that other programs wrote here.
        #[serde(flatten)]
        extra: Map<String, Value>,
    },
}

/// The reason a schedule cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ScheduleError {
    /// The moment cannot be read.
    #[error("`{0}` is not a timestamp such as `2026-12-24T18:00:00Z`")]
    Moment(String),
    /// It would run without a pause.
    #[error("`everyMs` must be at least {MIN_EVERY_MS}")]
    TooOften,
    /// There is no such time zone.
    #[error("there is no time zone `{0}`; one is `Europe/Berlin`")]
    Zone(String),
    /// The expression is none.
    #[error(transparent)]
    Expr(#[from] ExprError),
}

/// The time zone of schedules that name none.
#[derive(Clone, Debug)]
pub(crate) struct Zone(pub(crate) TimeZone);

impl Schedule {
    /// The first moment after `after` at which it is due. `made` is when the job was made; all are milliseconds since
    /// 1970. None if it is never due again.
    pub(crate) fn next(&self, made: u64, after: u64, zone: &Zone) -> Result<Option<u64>, ScheduleError> {
        match self {
            Self::At { at, .. } => Ok(Some(moment(at)?).filter(|at| *at > after)),
            Self::Every { every_ms, anchor_ms, .. } => {
                if *every_ms < MIN_EVERY_MS {
                    return Err(ScheduleError::TooOften);
                }
                let anchor = anchor_ms.unwrap_or_else(|| made.saturating_add(*every_ms));
                let Some(passed) = after.checked_sub(anchor) else { return Ok(Some(anchor)) };
                Ok(anchor.checked_add((passed / every_ms + 1).saturating_mul(*every_ms)))
            }
            Self::Cron { expr, tz, .. } => {
                let expr: Expr = expr.parse()?;
                let zone = match tz.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
                    Some(name) => &TimeZone::get(name)
                        .map_err(|_| ScheduleError::Zone(name.chars().take(50).collect()))?,
                    None => &zone.0,
                };
                let after = i64::try_from(after).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
                let next = after.and_then(|after| expr.next(after, zone));
                Ok(next.and_then(|next| u64::try_from(next.as_millisecond()).ok()))
            }
        }
    }

    pub(crate) fn is_once(&self) -> bool {
        matches!(self, Self::At { .. })
    }
}

/// A moment in milliseconds since 1970.
fn moment(text: &str) -> Result<u64, ScheduleError> {
    let text = text.trim();
    let read = text.parse::<Timestamp>().ok().or_else(|| {
        let local: DateTime = text.parse().ok()?;
        Some(local.to_zoned(TimeZone::UTC).ok()?.timestamp())
    });
    let ms = read.and_then(|moment| u64::try_from(moment.as_millisecond()).ok());
    ms.ok_or_else(|| ScheduleError::Moment(text.chars().take(50).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn next(schedule: Value, made: u64, after: u64) -> Result<Option<u64>, ScheduleError> {
        let schedule: Schedule = serde_json::from_value(schedule).unwrap();
        schedule.next(made, after, &Zone(TimeZone::UTC))
    }

    #[test]
    fn once_over_and_over_and_by_a_calendar() {
        let at = json!({ "kind": "at", "at": "1970-01-01T00:01:00Z" });
        assert_eq!(next(at.clone(), 0, 0), Ok(Some(60_000)));
        assert_eq!(next(at, 0, 60_000), Ok(None));
        assert_eq!(next(json!({ "kind": "at", "at": "1970-01-01T00:01" }), 0, 0), Ok(Some(60_000)));
        assert_eq!(
            next(json!({ "kind": "at", "at": "1970-01-01T02:00:00+01:00" }), 0, 0),
            Ok(Some(3_600_000))
        );

        let every = json!({ "kind": "every", "everyMs": 1000 });
        assert_eq!(next(every.clone(), 500, 500), Ok(Some(1_500)));
        assert_eq!(next(every, 500, 1_500), Ok(Some(2_500)));
        let anchored = json!({ "kind": "every", "everyMs": 1000, "anchorMs": 10_000 });
        assert_eq!(next(anchored.clone(), 0, 1), Ok(Some(10_000)));
        assert_eq!(next(anchored, 0, 10_000), Ok(Some(11_000)));

        let cron = json!({ "kind": "cron", "expr": "0 1 * * *", "tz": "Europe/Berlin" });
        assert_eq!(next(cron, 0, 0), Ok(Some(24 * 3_600_000)));
    }

    #[test]
    fn what_cannot_be_followed_is_refused() {
        assert!(matches!(next(json!({ "kind": "at", "at": "soon" }), 0, 0), Err(ScheduleError::Moment(_))));
        assert_eq!(next(json!({ "kind": "every", "everyMs": 0 }), 0, 0), Err(ScheduleError::TooOften));
        let nowhere = json!({ "kind": "cron", "expr": "* * * * *", "tz": "Nowhere/At_All" });
        assert_eq!(next(nowhere, 0, 0), Err(ScheduleError::Zone("Nowhere/At_All".to_owned())));
        assert!(matches!(next(json!({ "kind": "cron", "expr": "x" }), 0, 0), Err(ScheduleError::Expr(_))));
    }
}
