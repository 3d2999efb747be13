//! The formulas, in two sets: as the document has them, and repaired.
//!
//! [`Rules::AsWritten`] follows the published Skill Cortex to the letter. [`Rules::Prowess`] changes four things and
//! nothing else: the window of recent successes is a window, proof slows forgetting down, every candidate has its
//! own date of use, and the reflex flag needs the streak that the fast path asks for. `docs/cortex.md` says why.

use prowess_types::OutcomeResult;

use crate::constants::{
    DECAY_FLOOR, DECAY_HORIZON_DAYS, GRACE_DAYS, HALF_LIFE_DAYS, LEARNING_RATE, PROOF_HALF, PROVEN_SHARE,
};

/// The set of formulas.
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
