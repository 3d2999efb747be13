use prowess_types::OutcomeResult::Success;

use super::*;
use crate::{Event, EventKind, OutcomeEvent};

fn state(regions: &[(&str, usize)]) -> CortexState {
    let mut state = CortexState::default();
    for (region, successes) in regions {
        for _ in 0..*successes {
            let mut outcome = OutcomeEvent::new(region, "skill", "1.0.0", Success);
            outcome.signals = vec![(*region).to_owned()];
            state.apply(&Event::new("1", 0, EventKind::Outcome(outcome)), Rules::Prowess);
        }
    }
    state
}

fn region(state: &CortexState, similarity: &dyn Fn(&Pattern) -> f64) -> Option<String> {
    state.perceive(similarity, 0.5, 0, Rules::Prowess).region.map(|found| found.region)
}

#[test]
fn the_nearest_region_wins_if_it_is_near_enough() {
    let state = state(&[("a", 1), ("b", 1)]);
    let near = |name: &'static str| move |pattern: &Pattern| if pattern.region == name { 0.9 } else { 0.6 };
    assert_eq!(region(&state, &near("b")).as_deref(), Some("b"));
    assert_eq!(region(&state, &near("a")).as_deref(), Some("a"));
    let far = state.perceive(&|_| 0.4, 0.5, 0, Rules::Prowess);
    assert!(far.candidates.is_empty() && far.region.is_none());
    assert_eq!(far.nearest.unwrap().region, "a");
}

#[test]
fn equals_are_told_apart_by_weight_then_by_name() {
    assert_eq!(region(&state(&[("a", 1), ("b", 3)]), &|_| 0.7).as_deref(), Some("b"));
    assert_eq!(region(&state(&[("b", 2), ("a", 2)]), &|_| 0.7).as_deref(), Some("a"));
}

#[test]
fn what_is_not_a_number_is_not_near() {
    assert_eq!(region(&state(&[("a", 1)]), &|_| f64::NAN), None);
    let mixed = |pattern: &Pattern| if pattern.region == "a" { f64::NAN } else { 0.8 };
    assert_eq!(region(&state(&[("a", 5), ("b", 1)]), &mixed).as_deref(), Some("b"));
}

#[test]
fn a_known_region_without_offers_is_no_hit() {
    let state = state(&[("a", 1)]);
    let later = 3_000 * 86_400_000;
    let perception = state.perceive(&|_| 1.0, 0.5, later, Rules::Prowess);
    assert!(perception.candidates.is_empty());
    assert_eq!(perception.region.unwrap().region, "a");
}
