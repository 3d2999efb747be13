use prowess_types::OutcomeResult::{self, Success, TaskMismatch};

use super::*;
use crate::{Event, EventKind, OutcomeEvent, Tenure};

fn state(outcomes: &[(&str, OutcomeResult, Tenure)]) -> CortexState {
    let mut state = CortexState::default();
    for (at, (slug, result, tenure)) in outcomes.iter().enumerate() {
        let mut outcome = OutcomeEvent::new("todo", slug, "1.0.0", *result);
        outcome.tenure = *tenure;
        let clock = i64::try_from(at).unwrap() * 8 * 86_400_000;
        state.apply(&Event::new(&format!("{at}"), clock, EventKind::Outcome(outcome)), Rules::Prowess);
    }
    state
}

fn prior(state: &CortexState, slug: &str, similarity: f64) -> SkillPrior {
    let region = RegionMatch { region: "todo".to_owned(), similarity };
    state.prior(slug, Some(&region), PriorSettings::default(), 0, Rules::Prowess)
}

#[test]
fn what_went_well_is_pushed_up_and_what_did_not_down() {
    for tenure in [Tenure::Task, Tenure::LongTerm] {
        let mut outcomes = vec![("good", Success, tenure); 6];
        outcomes.push(("bad", TaskMismatch, tenure));
        let state = state(&outcomes);
        let (good, bad, new) =
            (prior(&state, "good", 1.0), prior(&state, "bad", 1.0), prior(&state, "new", 1.0));
        assert!(good.value > 0.05 && good.learned > 0.0, "{good:?}");
        assert!(bad.learned < 0.0 && bad.value < new.value, "{bad:?}");
        assert!(new.exploration > good.exploration && new.learned.abs() < 1e-12, "{new:?}");
        assert!((prior(&state, "good", 0.5).value - good.value / 2.0).abs() < 1e-12);
    }
}

#[test]
fn without_a_history_there_is_no_push() {
    assert_eq!(
        CortexState::default().prior("a", None, PriorSettings::default(), 0, Rules::Prowess),
        SkillPrior::default()
    );
    assert!(prior(&CortexState::default(), "a", 1.0).value.abs() < 1e-12);
    assert!(prior(&state(&[("a", Success, Tenure::Task)]), "a", f64::NAN).value.abs() < 1e-12);
}
