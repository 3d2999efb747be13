//! Locks after a panic.

use std::sync::{LockResult, PoisonError};

/// Takes what a lock guards even if a thread panicked while it held the lock.
///
/// The values behind our locks are replaced whole or are valid between any two statements, so a panic elsewhere is not a
/// reason to fail here too.
///
/// ```
/// use prowess_types::IgnorePoison as _;
/// let number = std::sync::Mutex::new(1);
/// *number.lock().ignore_poison() += 1;
/// assert_eq!(number.into_inner().ignore_poison(), 2);
/// ```
pub trait IgnorePoison<T> {
    /// The guard or value, poisoned or not.
    fn ignore_poison(self) -> T;
}

impl<T> IgnorePoison<T> for LockResult<T> {
    fn ignore_poison(self) -> T {
        self.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_poisoned_lock_still_gives_its_value() {
        let lock = Mutex::new(7);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _guard = lock.lock().unwrap();
            panic!("poison");
        }));
        assert!(panicked.is_err() && lock.is_poisoned());
        assert_eq!(*lock.lock().ignore_poison(), 7);
    }
}
