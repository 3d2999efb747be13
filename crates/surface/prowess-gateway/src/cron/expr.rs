//! Cron expressions: five fields, or six with seconds first, in a time zone.
//!
//! Where clocks are put forward, a time that the day does not have comes at the moment of the change. Where they are
//! put back, a time that the day has twice comes the first time only. An expression for every hour follows the clock
//! as it runs: nothing is made up, and the hour that comes twice counts twice.

use std::str::FromStr;

use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// An expression that has no day within this many days has none.
const HORIZON_DAYS: usize = 366 * 9;

const SECOND: SignedDuration = SignedDuration::from_secs(1);

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// When something happens: a set of numbers a field, as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expr {
    seconds: u64,
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// True if both the day of the month and that of the week are restricted: then either will do.
    either_day: bool,
}

/// The reason a text is not an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ExprError {
    /// It has too few or too many fields.
    #[error("a cron expression has 5 fields, or 6 with seconds first; `{text}` has {found}")]
    Fields {
        /// The text as written.
        text: String,
        /// The number of fields.
        found: usize,
    },
    /// A field has something that it cannot have.
    #[error(
        "invalid value `{part}` for the {field} field (expected {from} to {to}, `*`, a range, a list or a step)"
    )]
    Part {
        /// The text as written.
        part: String,
        /// The field.
        field: &'static str,
        /// The least it can be.
        from: u32,
        /// The most it can be.
        to: u32,
    },
}

/// What a field may hold.
struct Field {
    name: &'static str,
    from: u32,
    to: u32,
    names: &'static [&'static str],
}

const FIELDS: [Field; 6] = [
    Field { name: "second", from: 0, to: 59, names: &[] },
    Field { name: "minute", from: 0, to: 59, names: &[] },
    Field { name: "hour", from: 0, to: 23, names: &[] },
    Field { name: "day of the month", from: 1, to: 31, names: &[] },
    Field { name: "month", from: 1, to: 12, names: &MONTHS },
    Field { name: "day of the week", from: 0, to: 7, names: &WEEKDAYS },
];

impl FromStr for Expr {
    type Err = ExprError;

    fn from_str(text: &str) -> Result<Self, ExprError> {
        let text = match text.trim() {
            "@yearly" | "@annually" => "0 0 1 1 *",
            "@monthly" => "0 0 1 * *",
            "@weekly" => "0 0 * * 0",
            "@daily" | "@midnight" => "0 0 * * *",
            "@hourly" => "0 * * * *",
            text => text,
        };
        let mut parts: Vec<&str> = text.split_whitespace().collect();
        if parts.len() == 5 {
            parts.insert(0, "0");
        }
        let Ok(parts) = <[&str; 6]>::try_from(parts.as_slice()) else {
            let text = text.chars().take(100).collect();
            return Err(ExprError::Fields { text, found: parts.len() });
        };
        let [seconds, minutes, hours, days, months, weekdays] =
            [0, 1, 2, 3, 4, 5].map(|at| FIELDS[at].read(parts[at]));
        let weekdays = weekdays?;
        let is_free = |part: &str| part.starts_with(['*', '?']);
        Ok(Self {
            seconds: seconds?,
            minutes: minutes?,
            hours: hours?,
            days: days?,
            months: months?,
            // Sunday is 0 and 7.
            weekdays: (weekdays | (weekdays >> 7)) & 0x7f,
            either_day: !is_free(parts[3]) && !is_free(parts[5]),
        })
    }
}

impl Field {
    fn read(&self, text: &str) -> Result<u64, ExprError> {
        text.split(',').try_fold(0, |set, part| Ok(set | self.read_part(part)?))
    }

    fn read_part(&self, part: &str) -> Result<u64, ExprError> {
        self.bits(part).ok_or_else(|| ExprError::Part {
            part: part.chars().take(50).collect(),
            field: self.name,
            from: self.from,
            to: self.to,
        })
    }

    /// A star, a number or a range, each perhaps with a step.
    fn bits(&self, part: &str) -> Option<u64> {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(step.parse::<u32>().ok().filter(|step| *step > 0)?)),
            None => (part, None),
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" || range == "?" => (self.from, self.to),
            Some((from, to)) => (self.number(from)?, self.number(to)?),
            None => {
                let from = self.number(range)?;
                (from, if step.is_some() { self.to } else { from })
            }
        };
        if from > to {
            return None;
        }
        let step = usize::try_from(step.unwrap_or(1)).ok()?;
        Some((from..=to).step_by(step).fold(0, |set, number| set | (1 << number)))
    }

    fn number(&self, text: &str) -> Option<u32> {
        let name = text.to_ascii_lowercase();
        let named = self.names.iter().position(|known| *known == name);
        let named = named.and_then(|at| u32::try_from(at).ok()).map(|at| at + self.from);
        let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = named.or_else(|| text.parse().ok().filter(|_| is_digits))?;
        (self.from..=self.to).contains(&number).then_some(number)
    }
}

fn has(set: u64, number: i8) -> bool {
    u32::try_from(number).is_ok_and(|number| set & (1 << number) != 0)
}

/// The least number of a set that is not less than this one.
fn least(set: u64, from: i8) -> Option<i8> {
    let rest = set.checked_shr(u32::try_from(from).ok()?)?;
    let skipped = i8::try_from(rest.trailing_zeros()).ok()?;
    (rest != 0).then(|| from + skipped)
}

impl Expr {
    /// The first moment after another at which it is so.
    pub(crate) fn next(&self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let mut from = Timestamp::from_second(after.as_second()).ok()?.checked_add(SECOND).ok()?;
        let before = from.checked_sub(SECOND).ok()?;
        let changes_now = zone.following(before).next().is_some_and(|change| change.timestamp() == from);
        if changes_now && self.is_skipped(from, zone.to_offset(before), zone.to_offset(from)) {
            return Some(from);
        }
        // A change of the clock comes a few times a year, so few rounds are needed for the next day that fits.
        loop {
            from = self.past_the_repeated_hour(from, zone).unwrap_or(from);
            let offset = zone.to_offset(from);
            let found = offset.to_timestamp(self.next_civil(offset.to_datetime(from))?).ok()?;
            let Some(change) = zone.following(from).next().filter(|change| change.timestamp() <= found)
            else {
                return Some(found);
            };
            from = change.timestamp();
            if self.is_skipped(from, offset, change.offset()) {
                return Some(from);
            }
        }
    }

    /// Returns true if it follows the clock hour by hour, whatever the hour is called.
    fn is_hourly(&self) -> bool {
        self.hours == (1 << 24) - 1
    }

    /// Returns true if a change of the clock skips a time at which it is so.
    fn is_skipped(&self, at: Timestamp, before: Offset, after: Offset) -> bool {
        let (start, end) = (before.to_datetime(at), after.to_datetime(at));
        !self.is_hourly() && start < end && self.next_civil(start).is_some_and(|civil| civil < end)
    }

    /// The end of the time that comes twice, if this is the second time.
    fn past_the_repeated_hour(&self, moment: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        if self.is_hourly() {
            return None;
        }
        let change = zone.preceding(moment.checked_add(SECOND).ok()?).next()?;
        let before = zone.to_offset(change.timestamp().checked_sub(SECOND).ok()?);
        let back = i64::from(before.seconds()) - i64::from(change.offset().seconds());
        let end = change.timestamp().checked_add(SignedDuration::from_secs(back)).ok()?;
        (back > 0 && moment < end).then_some(end)
    }

    /// The first time on a calendar, from this one on.
    fn next_civil(&self, from: DateTime) -> Option<DateTime> {
        let mut day = from.date();
        for passed in 0..HORIZON_DAYS {
            let clock = if passed == 0 { (from.hour(), from.minute(), from.second()) } else { (0, 0, 0) };
            if self.has_day(day)
                && let Some((hour, minute, second)) = self.next_clock(clock)
            {
                return Some(day.at(hour, minute, second, 0));
            }
            day = day.tomorrow().ok()?;
        }
        None
    }

    fn has_day(&self, day: Date) -> bool {
        let of_month = has(self.days, day.day());
        let of_week = has(self.weekdays, day.weekday().to_sunday_zero_offset());
        let is_day = if self.either_day { of_month || of_week } else { of_month && of_week };
        has(self.months, day.month()) && is_day
    }

    /// The first time of a day, from this one on.
    fn next_clock(&self, (hour, minute, second): (i8, i8, i8)) -> Option<(i8, i8, i8)> {
        let first_minute = least(self.minutes, 0)?;
        let first_second = least(self.seconds, 0)?;
        if has(self.hours, hour) {
            if has(self.minutes, minute)
                && let Some(second) = least(self.seconds, second)
            {
                return Some((hour, minute, second));
            }
            if let Some(minute) = least(self.minutes, minute + 1) {
                return Some((hour, minute, first_second));
            }
        }
        least(self.hours, hour + 1).map(|hour| (hour, first_minute, first_second))
    }
}

#[cfg(test)]
#[path = "expr_tests.rs"]
mod tests;
