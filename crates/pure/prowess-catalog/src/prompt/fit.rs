//! The search for what still fits.

use std::ops::RangeInclusive;

/// The largest of `numbers` that fits, if any does.
///
/// Fitting is taken to be monotone: what fits stays fitting when it gets smaller. Where it is not quite
/// (a note may get shorter as the list gets longer), the answer still fits, and the whole range is tried
/// first.
pub(super) fn largest(numbers: RangeInclusive<usize>, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut low, mut high) = numbers.into_inner();
    if low > high {
        return None;
    }
    if fits(high) {
        return Some(high);
    }
    let mut best = None;
    while low < high {
        let middle = low.midpoint(high);
        if fits(middle) {
            best = Some(middle);
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_last_that_fits() {
        for limit in 0..=20 {
            let expected = (4..=12).rev().find(|&number| number <= limit);
            assert_eq!(largest(4..=12, |number| number <= limit), expected, "{limit}");
        }
        assert_eq!(largest(RangeInclusive::new(1, 0), |_| true), None);
        assert_eq!(largest(3..=3, |_| true), Some(3));
        assert_eq!(largest(3..=3, |_| false), None);
    }

    #[test]
    fn prefers_the_whole_range() {
        assert_eq!(largest(1..=10, |number| number <= 2 || number == 10), Some(10));
    }
}
