//! Moments as people and file names write them, in UTC.

/// Year, month, day, hour, minute, second and millisecond of a moment.
fn parts(ms: u64) -> (u64, u64, u64, u64, u64, u64, u64) {
    let (seconds, millis) = (ms / 1000, ms % 1000);
    let (days, second_of_day) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that the leap day is the last one; eras of 400 years repeat.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day, second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60, millis)
}

/// A moment as ISO 8601 has it.
///
/// ```
/// assert_eq!(prowess_forge::iso(1_771_927_201_000), "2026-02-24T10:00:01.000Z");
/// ```
pub fn iso(ms: u64) -> String {
    let (year, month, day, hour, minute, second, millis) = parts(ms);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// A moment as the beginning of a file name: `YYYYMMDD-HHMMSS`.
///
/// ```
/// assert_eq!(prowess_forge::stamp(1_771_927_201_000), "20260224-100001");
/// ```
pub fn stamp(ms: u64) -> String {
    let (year, month, day, hour, minute, second, _) = parts(ms);
    format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}")
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
