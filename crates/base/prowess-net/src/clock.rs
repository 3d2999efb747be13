//! The time limits of a request.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use crate::NetError;

/// Interval between two looks at the cancellation flag.
const NOTICE: Duration = Duration::from_millis(20);

/// The deadline of a request, and the flag that cancels it sooner.
pub(crate) struct Clock {
    limit: Duration,
    end: Instant,
    cancel: Option<Arc<AtomicBool>>,
}

impl Clock {
    /// A clock that ends after `limit`, or soon after the flag is set.
    pub(crate) fn new(limit: Duration, cancel: Option<Arc<AtomicBool>>) -> Self {
        Self { limit, end: Instant::now() + limit, cancel }
    }

    /// The same, but it ends after a time, if that is sooner.
    pub(crate) fn at_most(&self, limit: Duration) -> Self {
        let end = Instant::now() + limit;
        let (limit, end) = if end < self.end { (limit, end) } else { (self.limit, self.end) };
        Self { limit, end, cancel: self.cancel.clone() }
    }

    /// Runs until it is done, or time is up, or the request is cancelled.
    pub(crate) async fn run<T>(&self, url: &str, work: impl Future<Output = T>) -> Result<T, NetError> {
        tokio::select! {
            biased;
            () = self.cancelled() => Err(NetError::Cancelled { url: url.to_owned() }),
            done = work => Ok(done),
            () = sleep_until(self.end) => Err(NetError::TimedOut { url: url.to_owned(), limit: self.limit }),
        }
    }

    /// The same, for work that may take at most `silence`: the next piece of an answer.
    pub(crate) async fn run_within<T>(
        &self,
        silence: Duration,
        url: &str,
        work: impl Future<Output = T>,
    ) -> Result<T, NetError> {
        let piece = self.run(url, tokio::time::timeout(silence, work)).await?;
        piece.map_err(|_| NetError::Silent { url: url.to_owned(), limit: silence })
    }

    /// Returns true if the request must be over by then.
    pub(crate) fn is_over_in(&self, wait: Duration) -> bool {
        Instant::now() + wait >= self.end
    }

    async fn cancelled(&self) {
        let Some(flag) = &self.cancel else { return std::future::pending().await };
        while !flag.load(Ordering::Relaxed) {
            sleep(NOTICE).await;
        }
    }
}
