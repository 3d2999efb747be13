use proptest::collection::vec;
use proptest::prelude::*;
use prowess_types::OutcomeResult;

use super::*;
use crate::constants::{
    MAX_CANDIDATES, MAX_LEDGER, MAX_LESSONS, MAX_LONG_TERM, MAX_REGIONS, MAX_SIGNALS, REFLEX_STREAK,
};
use crate::{Import, OutcomeEvent, PriorSettings, Tenure, read_document, write_document};

const RESULTS: [OutcomeResult; 7] = [
    OutcomeResult::Success,
    OutcomeResult::Success,
    OutcomeResult::DependencyMissing,
    OutcomeResult::AuthError,
    OutcomeResult::ApiError,
    OutcomeResult::TaskMismatch,
    OutcomeResult::RuntimeError,
];

/// A clock that mostly goes on, and sometimes jumps.
fn clock() -> impl Strategy<Value = i64> {
    prop_oneof![
        8 => (0..400_i64).prop_map(|day| 1_700_000_000_000 + day * 86_400_000),
        1 => any::<i64>(),
        1 => prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(0)],
    ]
}

fn kind() -> impl Strategy<Value = EventKind> {
    let region = || (0..90_u32).prop_map(|region| format!("region-{region}"));
    let slug = || (0..8_u32).prop_map(|slug| format!("skill-{slug}"));
    let outcome = (region(), slug(), 0..3_u32, 0..RESULTS.len(), vec("[a-z]{1,3}", 0..5), 0..4_u32);
    let outcome = outcome.prop_map(|(region, slug, version, result, signals, more)| {
        let mut outcome = OutcomeEvent::new(&region, &slug, &format!("{version}.0.0"), RESULTS[result]);
        outcome.signals = signals;
        outcome.side_effects = (more != 0).then(Vec::new);
        outcome.key = (more == 1).then(|| "tool".to_owned());
        outcome.env_ready = if more == 2 { vec!["TOKEN".to_owned()] } else { Vec::new() };
        outcome.env_missing = if more == 3 { vec!["TOKEN".to_owned()] } else { Vec::new() };
        if more == 3 && version == 2 {
            outcome.tenure = Tenure::LongTerm;
        }
        EventKind::Outcome(outcome)
    });
    let answer = || (region(), slug()).prop_map(|(region, slug)| RetentionEvent { region, slug });
    let lesson =
        || region().prop_map(|region| LessonRef::DependencyWarning { region, key: "tool".to_owned() });
    prop_oneof![
        20 => outcome,
        1 => Just(EventKind::Searched {}),
        1 => slug().prop_map(|slug| EventKind::Installed { slug, version: String::new() }),
        1 => answer().prop_map(EventKind::RetentionAccepted),
        1 => answer().prop_map(EventKind::RetentionDeclined),
        1 => slug().prop_map(|slug| EventKind::BlacklistAdded { slug }),
        1 => lesson().prop_map(EventKind::LessonValidated),
        1 => lesson().prop_map(EventKind::LessonContradicted),
        1 => region().prop_map(|region| EventKind::Forgotten(Forgotten::Region { region })),
        1 => slug().prop_map(|slug| EventKind::VersionSeen { slug, version: "1.0.0".to_owned() }),
        1 => Just(EventKind::Unknown { kind: "dreamt".to_owned(), payload: serde_json::Map::new() }),
    ]
}

fn events(most: usize) -> impl Strategy<Value = Vec<Event>> {
    let numbered = |events: Vec<(i64, EventKind)>| {
        let event =
            |(at, (clock, kind)): (usize, (i64, EventKind))| Event::new(&format!("{at:026}"), clock, kind);
        events.into_iter().enumerate().map(event).collect()
    };
    vec((clock(), kind()), 0..most).prop_map(numbered)
}

/// What holds after every event.
fn check(state: &CortexState, rules: Rules, clock: i64) -> Result<(), TestCaseError> {
    prop_assert!(state.regions().count() <= MAX_REGIONS);
    for (name, region) in state.regions() {
        prop_assert!((1..=MAX_CANDIDATES).contains(&region.candidates.len()), "{name}");
        for candidate in &region.candidates {
            check_candidate(candidate, rules)?;
        }
        let listing = state.listing(name, clock, rules);
        prop_assert!(
            listing.is_sorted_by(|one, other| one.effective - one.penalty >= other.effective - other.penalty)
        );
    }
    prop_assert!(state.patterns().iter().all(|pattern| pattern.signal.len() <= MAX_SIGNALS));
    prop_assert!(state.patterns().iter().all(|pattern| state.region(&pattern.region).is_some()));
    prop_assert!(state.lessons().len() <= MAX_LESSONS);
    prop_assert!(state.lessons().iter().all(|lesson| (0.3..=1.0).contains(&lesson.confidence)));
    prop_assert!(state.ledger().len() <= MAX_LEDGER);
    prop_assert!(state.long_term().count() <= MAX_LONG_TERM);
    for (_, candidate) in state.long_term() {
        check_candidate(candidate, rules)?;
    }
    Ok(())
}

fn check_candidate(candidate: &CortexCandidate, rules: Rules) -> Result<(), TestCaseError> {
    prop_assert!((0.0..=1.0).contains(&candidate.weight), "{candidate:?}");
    prop_assert!(candidate.streak() <= candidate.runs.success);
    if rules == Rules::Prowess && candidate.reflex {
        prop_assert!(candidate.streak() >= REFLEX_STREAK && candidate.blocking().next().is_none());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn limits_hold_after_any_events(events in events(200)) {
        for rules in Rules::ALL {
            let mut state = CortexState::default();
            for event in &events {
                state.apply(event, rules);
                check(&state, rules, event.clock)?;
            }
            prop_assert_eq!(state.events(), events.len() as u64);
        }
    }

    #[test]
    fn a_replay_is_the_same_and_so_is_a_stored_state(events in events(200), cut in any::<prop::sample::Index>()) {
        for rules in Rules::ALL {
            let whole = CortexState::replay(&events, rules);
            let (first, rest) = events.split_at(cut.index(events.len() + 1));
            let text = serde_json::to_string(&CortexState::replay(first, rules)).unwrap();
            let mut state: CortexState = serde_json::from_str(&text).unwrap();
            let read_back: Vec<Event> = rest.iter().map(|event| Event::from_json(&event.to_json()).unwrap()).collect();
            for event in &read_back {
                state.apply(event, rules);
            }
            prop_assert_eq!(state, whole);
        }
    }

    #[test]
    fn pruning_what_was_touched_is_pruning_everything(events in events(120)) {
        for rules in Rules::ALL {
            let (mut lazy, mut eager) = (CortexState::default(), CortexState::default());
            for event in &events {
                lazy.apply(event, rules);
                eager.pruned_on = None;
                eager.apply(event, rules);
                prop_assert_eq!(lazy.export().cortex.motor, eager.export().cortex.motor);
            }
        }
    }

    #[test]
    fn an_export_is_read_back_and_imports_change_nothing(events in events(150)) {
        for rules in Rules::ALL {
            let state = CortexState::replay(&events, rules);
            let file = read_document(write_document(&state.export()).as_bytes()).unwrap();
            prop_assert_eq!(&file, &state.export());
            prop_assert_eq!(Import::edited(&state.export(), &file), None);
            prop_assert_eq!(Import::merged(&state, &file), None);
        }
    }

    #[test]
    fn a_prior_is_bounded(events in events(80), similarity in any::<f64>(), bound in 0.0..2.0_f64, clock in clock()) {
        let state = CortexState::replay(&events, Rules::Prowess);
        let settings = PriorSettings { bound, exploration: 0.2 };
        for region in 0..90 {
            let region = crate::RegionMatch { region: format!("region-{region}"), similarity };
            for slug in 0..9 {
                let prior = state.prior(&format!("skill-{slug}"), Some(&region), settings, clock, Rules::Prowess);
                prop_assert!((-bound..=bound).contains(&prior.value), "{prior:?}");
            }
        }
    }
}
