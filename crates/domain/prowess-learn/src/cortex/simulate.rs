//! The simulated course of the weight of a skill, without touching what was learned.

use prowess_cortex::{CortexState, Event, EventKind, OutcomeEvent, Rules};
use prowess_types::OutcomeResult;
use serde::Serialize;

/// A day in milliseconds.
const DAY: i64 = 86_400_000;

/// A use of a skill, and its weight after it; none when it is no candidate any more.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UseOfSkill {
    /// The day, from 0.
    pub day: u32,
    /// How it ended.
    pub result: OutcomeResult,
    /// The weight under the repaired rules.
    pub prowess: Option<f64>,
    /// Whether it has a reflex under them.
    pub prowess_reflex: bool,
    /// The weight under the rules as written.
    pub as_written: Option<f64>,
    /// Whether it has a reflex under them.
    pub as_written_reflex: bool,
}

/// Uses of one skill, some days apart, that end in these ways over and over.
pub fn weights_over_time(outcomes: &[OutcomeResult], every: u32, times: u32) -> Vec<UseOfSkill> {
    let mut states = [(Rules::Prowess, CortexState::default()), (Rules::AsWritten, CortexState::default())];
    let mut uses = Vec::new();
    for (number, result) in (0..times).zip(outcomes.iter().cycle()) {
        let day = number.saturating_mul(every);
        let mut outcome = OutcomeEvent::new("task", "skill", "1.0.0", *result);
        outcome.side_effects = Some(Vec::new());
        let event = Event::new(&number.to_string(), i64::from(day) * DAY, EventKind::Outcome(outcome));
        let [one, other] = &mut states;
        let after = |(rules, state): &mut (Rules, CortexState)| {
            state.apply(&event, *rules);
            let candidate = state.region("task").and_then(|region| region.candidate("skill"));
            (candidate.map(|one| one.weight), candidate.is_some_and(|one| one.reflex))
        };
        let ((prowess, prowess_reflex), (as_written, as_written_reflex)) = (after(one), after(other));
        uses.push(UseOfSkill {
            day,
            result: *result,
            prowess,
            prowess_reflex,
            as_written,
            as_written_reflex,
        });
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_spaced_successes_earn_a_reflex_under_either_rules() {
        let uses = weights_over_time(&[OutcomeResult::Success], 8, 10);
        let last = uses.last().expect("ten uses");
        assert!(last.prowess_reflex && last.as_written_reflex, "{last:?}");
        assert!(last.as_written.is_some_and(|weight| (weight - 0.901_562_79).abs() < 1e-8), "{last:?}");
    }

    #[test]
    fn two_mismatches_end_a_new_candidate() {
        let uses = weights_over_time(&[OutcomeResult::TaskMismatch], 1, 2);
        assert_eq!((uses[1].prowess, uses[1].as_written), (None, None));
    }
}
