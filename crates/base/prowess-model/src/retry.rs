//! The time to wait before asking again.
//!
//! An endpoint may name a time instead of a wait. It is measured against the endpoint's own `Date`, so that no
//! clock is needed here and a wrong one does no harm.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::{Duration, UNIX_EPOCH};

use prowess_net::Response;

/// No run waits longer for an endpoint.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Returns the value of `Retry-After`, in seconds or as a date.
pub(crate) fn asked(response: &Response) -> Option<Duration> {
    let text = |name: &str| response.header(name).map(str::trim);
    let value = text("retry-after")?;
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = seconds_of(value)?;
    let now = seconds_of(text("date")?)?;
    Some(Duration::from_secs(until.saturating_sub(now)))
}

/// The wait before a retry: doubled each time, and a little more by chance, so that clients that failed together do
/// not come back together.
pub(crate) fn backoff(first: Duration, retries: u32) -> Duration {
    let wait = first.saturating_mul(2_u32.saturating_pow(retries)).min(LONGEST_WAIT);
    // Nothing but the state's own seed is hashed.
    let chance = RandomState::new().build_hasher().finish() % 256;
    wait.saturating_add(wait.mul_f64(chance as f64 / 1024.0))
}

/// The seconds since 1970 of a date as HTTP writes it.
fn seconds_of(date: &str) -> Option<u64> {
    let time = httpdate::parse_http_date(date).ok()?;
    Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(headers: &[(&str, &str)]) -> Response {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Response { status: 429, headers: headers.collect(), body: Vec::new(), url: String::new() }
    }

    fn headers(retry_after: &str, date: Option<&str>) -> Response {
        let date = date.map(|date| ("date", date));
        response(&[Some(("retry-after", retry_after)), date].into_iter().flatten().collect::<Vec<_>>())
    }

    #[test]
    fn dates_are_counted() {
        for (date, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Fri, 31 Dec 2027 23:59:59 GMT", 1_830_297_599),
        ] {
            assert_eq!(seconds_of(date), Some(seconds), "{date}");
        }
        for odd in
            ["", "now", "Sun, 06 Nov 1994", "x, 0 Jan 1970 00:00:00 GMT", "x, 01 Jan 1960 00:00:00 GMT"]
        {
            assert_eq!(seconds_of(odd), None, "{odd}");
        }
    }

    #[test]
    fn the_endpoint_says_how_long() {
        let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(asked(&headers("7", None)), Some(Duration::from_secs(7)));
        assert_eq!(asked(&headers("0.5", None)), Some(Duration::from_millis(500)));
        assert_eq!(asked(&headers("Sun, 06 Nov 1994 08:50:07 GMT", date)), Some(Duration::from_secs(30)));
        assert_eq!(asked(&headers("Sun, 06 Nov 1994 08:00:00 GMT", date)), Some(Duration::ZERO));
        assert_eq!(asked(&headers("Sun, 06 Nov 1994 08:50:07 GMT", None)), None);
        assert_eq!(asked(&headers("-1", None)), None);
        assert_eq!(asked(&response(&[])), None);
    }

    #[test]
    fn waits_double_up_to_a_limit() {
        let first = Duration::from_millis(100);
        for (retries, least) in [(0, 100), (1, 200), (3, 800), (40, 60_000)] {
            let (least, wait) = (Duration::from_millis(least), backoff(first, retries));
            assert!(wait >= least && wait <= least.mul_f64(1.25), "{wait:?}");
        }
        assert_eq!(backoff(Duration::ZERO, 5), Duration::ZERO);
    }
}
