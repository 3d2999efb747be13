//! The formulas, in two sets: as the document has them, and repaired.
//!
//! [`Rules::AsWritten`] follows the published Skill Cortex to the letter. [`Rules::Prowess`] changes four things and
//! nothing else: the window of recent successes is a window, proof slows forgetting down, every candidate has its
//! own date of use, and the reflex flag needs the streak that the fast path asks for. `docs/cortex.md` says why.

use prowess_types::OutcomeResult;

use crate::{Candidate, Day, Region};
use constants::{
    DECAY_FLOOR, DECAY_HORIZON_DAYS, GRACE_DAYS, HALF_LIFE_DAYS, LEARNING_RATE, PROOF_HALF, PROVEN_SHARE,
    RECENT_WINDOW_DAYS,
};

/// Every number of the rules, by name.
pub mod constants {
    /// The weight of a skill nobody used yet.
    pub const INITIAL_WEIGHT: f64 = 0.5;
    /// How far a lone success moves a weight towards 1.
    pub const LEARNING_RATE: f64 = 0.15;
    /// Successes in so many days share their effect.
    pub const RECENT_WINDOW_DAYS: i64 = 7;
    /// Where the line of decay as written would reach 0.
    pub const DECAY_HORIZON_DAYS: f64 = 180.0;
    /// The least that decay as written leaves.
    pub const DECAY_FLOOR: f64 = 0.3;
    /// Candidates below this are not listed.
    pub const LIST_THRESHOLD: f64 = 0.3;
    /// Candidates below this are removed.
    pub const PRUNE_THRESHOLD: f64 = 0.1;
    /// Successes a reflex needs.
    pub const REFLEX_SUCCESSES: u64 = 5;
    /// The weight a reflex needs, and the effective weight the fast path needs.
    pub const REFLEX_WEIGHT: f64 = 0.9;
    /// Successes in a row that the fast path needs.
    pub const REFLEX_STREAK: u64 = 5;
    /// Side effects that begin with one of these bar a reflex.
    pub const BLOCKING_PREFIXES: [&str; 3] = ["write:", "delete:", "shell:"];
    /// Successes before keeping a skill is offered.
    pub const RETENTION_SUCCESSES: u64 = 3;
    /// The weight before keeping a skill is offered.
    pub const RETENTION_WEIGHT: f64 = 0.8;
    /// Longer skills are not offered to be kept.
    pub const RETENTION_CHARS: u64 = 8_000;
    /// After a no, the question rests for so many days.
    pub const RETENTION_REST_DAYS: i64 = 30;
    /// The confidence of a new lesson.
    pub const LESSON_CONFIDENCE: f64 = 0.6;
    /// What a validation adds, up to 1.
    pub const LESSON_STEP: f64 = 0.1;
    /// What a contradiction takes.
    pub const LESSON_SETBACK: f64 = 0.2;
    /// Lessons below this are removed.
    pub const LESSON_THRESHOLD: f64 = 0.3;
    /// Observations that make a lesson.
    pub const LESSON_OBSERVATIONS: u64 = 2;
    /// What a fully trusted quality warning takes from the sort key.
    pub const QUALITY_PENALTY: f64 = 0.1;
    /// A quality warning about a skill that is no candidate any more lasts so many days.
    pub const QUALITY_DAYS: i64 = 180;
    /// Candidates in a region.
    pub const MAX_CANDIDATES: usize = 5;
    /// Regions.
    pub const MAX_REGIONS: usize = 80;
    /// Signals in a pattern.
    pub const MAX_SIGNALS: usize = 10;
    /// Lessons.
    pub const MAX_LESSONS: usize = 30;
    /// Rows of the ledger.
    pub const MAX_LEDGER: usize = 100;
    /// Long-term skills whose outcomes are remembered for selection.
    pub const MAX_LONG_TERM: usize = 400;
    /// Candidates taken from a search.
    pub const MAX_SEARCHED: usize = 3;
    /// How often a task may switch to the next candidate.
    pub const MAX_SWITCHES: usize = 2;
    /// Signals taken from a task, at most; at least two are sought.
    pub const MAX_NEW_SIGNALS: usize = 4;
    /// How long to wait before the one retry after an `api_error`, in milliseconds.
    pub const API_RETRY_MS: u64 = 3_000;

    /// Repaired rules: nothing is forgotten for so many days after a use.
    pub const GRACE_DAYS: i64 = 30;
    /// Repaired rules: after the grace, what is not proven halves in so many days.
    pub const HALF_LIFE_DAYS: f64 = 180.0;
    /// Repaired rules: the most that proof adds to [`DECAY_FLOOR`].
    pub const PROVEN_SHARE: f64 = 0.5;
    /// Repaired rules: so many successes without a failure are half of all proof.
    pub const PROOF_HALF: f64 = 3.0;
    /// Repaired rules: more dates of successes than these are not kept.
    pub const MAX_SUCCESS_DATES: usize = 64;
}

/// Which formulas hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Every constant and oddity of the document.
    AsWritten,
    /// Repaired.
    #[default]
    Prowess,
}

impl Rules {
    /// Both, for tables.
    pub const ALL: [Self; 2] = [Self::AsWritten, Self::Prowess];

    /// `as-written` or `prowess`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AsWritten => "as-written",
            Self::Prowess => "prowess",
        }
    }

    /// The rules of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// What is left of a weight after so many days without use.
    ///
    /// As written it falls in a line to 0.3 within 126 days. Repaired it holds for 30 days and then falls towards a
    /// floor that rises with proof, so that a proven skill is slow to act but never out of sight.
    pub fn decay(self, days: i64, success: u64, fail: u64) -> f64 {
        match self {
            Self::AsWritten => (1.0 - days as f64 / DECAY_HORIZON_DAYS).max(DECAY_FLOOR),
            Self::Prowess => {
                let floor = DECAY_FLOOR + PROVEN_SHARE * proof(success, fail);
                let idle = (days - GRACE_DAYS).max(0) as f64;
                floor + (1.0 - floor) * (-idle / HALF_LIFE_DAYS).exp2()
            }
        }
    }

    /// The weight of a candidate as it counts today.
    pub fn effective(self, candidate: &Candidate, region: &Region, today: Day) -> f64 {
        let used = match self {
            Self::AsWritten => region.last_used,
            Self::Prowess => candidate.last_used.or(region.last_used),
        };
        self.effective_since(candidate, used, today)
    }

    /// The weight of a candidate as it counts today, when it was used last on `used`.
    pub(crate) fn effective_since(self, candidate: &Candidate, used: Option<Day>, today: Day) -> f64 {
        // A date nobody can read is long ago.
        let days = used.map_or(i64::from(u32::MAX), |used| today.days_since(used));
        candidate.weight * self.decay(days, candidate.runs.success, candidate.runs.fail)
    }

    /// How many successes lately share the effect of the next one.
    pub fn recent_successes(self, candidate: &Candidate, region: &Region, today: Day) -> u64 {
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

/// The share of the way to 1 that the next success goes.
pub(crate) fn boost(recent_successes: u64) -> f64 {
    LEARNING_RATE / (1.0 + recent_successes as f64)
}

/// What a failure leaves of a weight; everything, if it is none.
pub(crate) fn failure_factor(result: OutcomeResult) -> f64 {
    match result {
        OutcomeResult::TaskMismatch => 0.4,
        OutcomeResult::RuntimeError => 0.6,
        OutcomeResult::AuthError => 0.8,
        OutcomeResult::DependencyMissing => 0.85,
        OutcomeResult::ApiError => 0.9,
        OutcomeResult::Success | OutcomeResult::Unknown => 1.0,
    }
}

/// From 0 (nothing is known) towards 1 (used often and well). A failure weighs as much as two successes.
fn proof(success: u64, fail: u64) -> f64 {
    let success = success as f64;
    success / (success + 2.0 * fail as f64 + PROOF_HALF)
}
