//! Waiting for a condition instead of for a time.

use std::time::{Duration, Instant};

/// The longest that a test waits for anything. Generous, since it only matters when something is broken.
pub const DEADLINE: Duration = Duration::from_mins(2);

const PAUSE: Duration = Duration::from_millis(5);

/// Waits until something is so.
///
/// # Panics
///
/// If it is not so after [`DEADLINE`].
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    wait_for(what, || is_so().then_some(()));
}

/// Waits until there is something.
///
/// # Panics
///
/// If there is not after [`DEADLINE`].
#[track_caller]
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for: {what}");
        std::thread::sleep(PAUSE);
    }
}

/// Waits until something is so, and lets other tasks run meanwhile.
///
/// # Panics
///
/// If it is not so after [`DEADLINE`].
pub async fn reached(what: &str, mut is_so: impl FnMut() -> bool) {
    eventually(what, async || is_so().then_some(())).await;
}

/// Waits until an asynchronous question is answered with something, and lets other tasks run meanwhile.
///
/// # Panics
///
/// If it is not after [`DEADLINE`].
pub async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let end = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for: {what}");
        tokio::time::sleep(PAUSE).await;
    }
}
