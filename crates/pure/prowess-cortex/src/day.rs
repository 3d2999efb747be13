//! Whole UTC days: the only unit of time the rules know.

use std::fmt;

use jiff::Span;
use jiff::civil::{self, Date};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const EPOCH: Date = civil::date(1970, 1, 1);
const MILLISECONDS: i64 = 86_400_000;
/// `0000-01-01` and `9999-12-31`: what four digits can write.
const FIRST: i64 = -719_528;
const LAST: i64 = 2_932_896;

/// A day of the proleptic Gregorian calendar in UTC, between the years 0 and 9999.
///
/// ```
/// use prowess_cortex::Day;
///
/// let day = Day::parse("2026-02-24").unwrap();
/// assert_eq!(day, Day::of(1_771_891_200_000));
/// assert_eq!(day.plus(180).to_string(), "2026-08-23");
/// assert_eq!(day.plus(8).days_since(day), 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// The day of a clock in milliseconds since 1970. A clock beyond the calendar gives its first or last day.
    pub fn of(clock: i64) -> Self {
        Self(clock.div_euclid(MILLISECONDS).clamp(FIRST, LAST))
    }

    /// Reads `YYYY-MM-DD`; nothing else, and no day that does not exist.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut number = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits)?;
            part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i16>().ok())?
        };
        let (year, month, day) = (number(4)?, number(2)?, number(2)?);
        if parts.next().is_some() {
            return None;
        }
        let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
        Some(Self(EPOCH.until(date).ok()?.get_days().into()))
    }

    /// How many days passed since `earlier`; none have passed since a day that is still to come.
    pub fn days_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).max(0)
    }

    /// The day so many days later.
    #[must_use]
    pub fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days).clamp(FIRST, LAST))
    }

    /// The first millisecond of the day.
    pub fn clock(self) -> i64 {
        self.0 * MILLISECONDS
    }

    fn date(self) -> Date {
        EPOCH.saturating_add(Span::new().days(self.0))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.date().fmt(formatter)
    }
}

impl schemars::JsonSchema for Day {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date" })
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a date")))
    }
}

/// A date in a file somebody else wrote: what cannot be read is a date nobody knows.
pub(crate) fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Day>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.as_deref().and_then(Day::parse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_and_read() {
        for text in ["0000-01-01", "1970-01-01", "2024-02-29", "2026-11-16", "9999-12-31"] {
            assert_eq!(Day::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "2026-02-30", "2025-02-29", "2026-13-01", "2026-1-01", "+026-01-01", "2026-01-01-01"]
        {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }

    #[test]
    fn any_clock_has_a_day() {
        assert_eq!(Day::of(i64::MIN).to_string(), "0000-01-01");
        assert_eq!(Day::of(i64::MAX).to_string(), "9999-12-31");
        assert_eq!(Day::of(-1).to_string(), "1969-12-31");
        assert_eq!(Day::of(i64::MAX).plus(i64::MAX), Day::of(i64::MAX));
    }

    #[test]
    fn a_day_to_come_is_today() {
        assert_eq!(Day::of(0).days_since(Day::of(i64::MAX)), 0);
    }
}
