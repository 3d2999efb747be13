//! Moments as people and file names write them, in UTC.

use jiff::Timestamp;

/// A moment; one beyond the calendar is its last.
fn timestamp(ms: u64) -> Timestamp {
    i64::try_from(ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok()).unwrap_or(Timestamp::MAX)
}

/// A moment as ISO 8601 has it.
///
/// ```
/// assert_eq!(prowess_forge::iso(1_771_927_201_000), "2026-02-24T10:00:01.000Z");
/// ```
pub fn iso(ms: u64) -> String {
    timestamp(ms).strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// A moment as the beginning of a file name: `YYYYMMDD-HHMMSS`.
///
/// ```
/// assert_eq!(prowess_forge::stamp(1_771_927_201_000), "20260224-100001");
/// ```
pub fn stamp(ms: u64) -> String {
    timestamp(ms).strftime("%Y%m%d-%H%M%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_around_leap_years() {
        for (ms, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_735_689_599_000, "2024-12-31T23:59:59.000Z"),
        ] {
            assert_eq!(iso(ms), expected);
        }
        assert!(!iso(u64::MAX).is_empty());
    }
}
