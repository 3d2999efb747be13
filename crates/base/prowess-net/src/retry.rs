//! When a request is repeated, and how long to wait before.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

const FIRST_WAIT: Duration = Duration::from_millis(300);
const JITTER_MS: u64 = 250;

/// Returns true if a status may be another one later.
pub(crate) fn is_transient(status: u16) -> bool {
    status == 429 || status >= 500
}

/// The wait that the server asks for in `Retry-After`, if that is a number of seconds; else 300 ms, doubled each time.
/// A little more in both cases, so that many clients do not come back at once.
pub(crate) fn wait(attempt: u32, retry_after: Option<&str>) -> Duration {
    let asked = retry_after.and_then(|text| text.trim().parse().ok()).map(Duration::from_secs);
    let base = asked.unwrap_or_else(|| FIRST_WAIT.saturating_mul(1 << attempt.min(8)));
    base + Duration::from_millis(RandomState::new().hash_one(attempt) % JITTER_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_decides_and_else_it_doubles() {
        let within = |wait: Duration, from: u64| {
            (Duration::from_millis(from)..Duration::from_millis(from + JITTER_MS)).contains(&wait)
        };
        assert!(within(wait(0, Some("7")), 7000));
        assert!(within(wait(5, Some(" 0 ")), 0));
        assert!(within(wait(0, None), 300));
        assert!(within(wait(2, Some("Wed, 21 Oct 2026 07:28:00 GMT")), 1200));
        assert!(within(wait(u32::MAX, None), 300 << 8));
    }

    #[test]
    fn only_some_statuses_are_worth_a_second_try() {
        assert_eq!([200, 404, 429, 500, 503].map(is_transient), [false, false, true, true, true]);
    }
}
