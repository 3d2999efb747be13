//! The weight of a candidate on a day.

use crate::constants::RECENT_WINDOW_DAYS;
use crate::{CortexCandidate, Day, Region, Rules};

impl Rules {
    /// The weight of a candidate as it counts today.
    pub fn effective(self, candidate: &CortexCandidate, region: &Region, today: Day) -> f64 {
        let used = match self {
            Self::AsWritten => region.last_used,
            Self::Prowess => candidate.last_used.or(region.last_used),
        };
        self.effective_since(candidate, used, today)
    }

    /// The weight of a candidate as it counts today, when it was used last on `used`.
    pub(crate) fn effective_since(self, candidate: &CortexCandidate, used: Option<Day>, today: Day) -> f64 {
        // A date nobody can read is long ago.
        let days = used.map_or(i64::from(u32::MAX), |used| today.days_since(used));
        candidate.weight * self.decay(days, candidate.runs.success, candidate.runs.fail)
    }

    /// How many successes lately share the effect of the next one.
    pub fn recent_successes(self, candidate: &CortexCandidate, region: &Region, today: Day) -> u64 {
        match self {
            Self::AsWritten => {
                let days = region.last_used.map_or(i64::MAX, |used| today.days_since(used));
                if days > RECENT_WINDOW_DAYS { 0 } else { candidate.runs.recent_successes_7d }
            }
            Self::Prowess => {
                let is_recent = |date: &&Day| today.days_since(**date) < RECENT_WINDOW_DAYS;
                candidate.runs.success_dates.iter().filter(is_recent).count() as u64
            }
        }
    }
}
