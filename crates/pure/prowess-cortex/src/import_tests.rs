use prowess_types::OutcomeResult::{self, ApiError, Success};

use super::*;
use crate::{Event, EventKind, Forgotten, OutcomeEvent, read_document, write_document};

const CLOCK: i64 = 1_771_891_200_000;

fn outcome(id: &str, slug: &str, result: OutcomeResult) -> Event {
    let mut outcome = OutcomeEvent::new("todo", slug, "1.0.0", result);
    outcome.signals = vec!["todo".to_owned()];
    Event::new(id, CLOCK, EventKind::Outcome(outcome))
}

fn import(id: &str, import: Import) -> Event {
    Event::new(id, CLOCK, EventKind::Imported(Box::new(import)))
}

fn edit(document: &CortexFile, change: impl FnOnce(&mut serde_json::Value)) -> CortexFile {
    let mut tree = serde_json::from_str(&write_document(document)).unwrap();
    change(&mut tree);
    read_document(tree.to_string().as_bytes()).unwrap()
}

#[test]
fn an_edit_is_merged_with_what_happened_meanwhile() {
    for rules in Rules::ALL {
        let mut state = CortexState::replay(&[outcome("1", "a", Success), outcome("2", "b", Success)], rules);
        let base = state.export();
        let file = edit(&base, |tree| {
            tree["cortex"]["motor"]["todo"]["candidates"][0]["weight"] = 0.2.into();
            tree["cortex"]["motor"]["todo"]["candidates"][0]["runs"]["success"] = 4.into();
            tree["cortex"]["motor"]["todo"]["candidates"].as_array_mut().unwrap().pop();
            tree["cortex"]["sensory"]["patterns"][0]["signal"] = serde_json::json!(["task"]);
            tree["blacklist"] = serde_json::json!(["evil"]);
            tree["stats"]["searches"] = 5.into();
            tree["note"] = "mine".into();
        });
        // Meanwhile another process records outcomes, and adds a skill.
        state.apply(&outcome("3", "a", Success), rules);
        state.apply(&outcome("4", "c", Success), rules);
        state.apply(&Event::new("5", CLOCK, EventKind::Searched {}), rules);
        let edited = Import::edited(&base, &file).unwrap();
        state.apply(&import("6", edited.clone()), rules);
        let region = state.region("todo").unwrap();
        let slugs: Vec<&str> = region.candidates.iter().map(|candidate| candidate.slug.as_str()).collect();
        assert_eq!(slugs, ["a", "c"]);
        assert_eq!(region.candidates[0].runs.success, 2 + 3, "both changes count");
        assert!((region.candidates[0].weight - 0.2).abs() < 1e-12);
        assert_eq!(state.patterns()[0].signal, ["task"]);
        assert_eq!((state.blacklist(), state.stats().searches), (&["evil".to_owned()][..], 6));
        assert_eq!(state.export().extra["note"], "mine");
        // Again, by another process: nothing changes but the number of events.
        let once = CortexFile { events: None, ..state.export() };
        assert!(state.has_imported(&edited));
        state.apply(&import("7", edited), rules);
        assert_eq!(CortexFile { events: None, ..state.export() }, once);
    }
}

#[test]
fn an_export_that_nobody_edited_is_no_import() {
    let old = CortexState::replay(&[outcome("1", "a", Success)], Rules::Prowess);
    let file = read_document(write_document(&old.export()).as_bytes()).unwrap();
    assert_eq!(file.events, Some(1));
    assert_eq!(Import::edited(&old.export(), &file), None);
}

#[test]
fn a_file_from_elsewhere_adds_and_takes_nothing_away() {
    let theirs = [outcome("1", "a", Success), outcome("2", "a", Success), outcome("3", "x", Success)];
    let file = CortexFile { events: None, ..CortexState::replay(&theirs, Rules::AsWritten).export() };
    for rules in Rules::ALL {
        let mut state =
            CortexState::replay(&[outcome("1", "a", ApiError), outcome("2", "b", Success)], rules);
        let merged = Import::merged(&state, &file).unwrap();
        state.apply(&import("3", merged.clone()), rules);
        let region = state.region("todo").unwrap();
        assert_eq!(region.candidates.len(), 3);
        assert_eq!(region.candidate("a").unwrap().runs.success, 2, "two runs know better than one");
        assert_eq!(region.candidate("b").unwrap().runs.success, 1);
        assert!(Import::merged(&state, &file).is_none_or(|again| state.has_imported(&again)));
        // What was forgotten on purpose can be brought back on purpose.
        state.apply(&Event::new("4", CLOCK, EventKind::Forgotten(Forgotten::Everything)), rules);
        assert!(!state.has_imported(&merged));
        state.apply(&import("5", Import::merged(&state, &file).unwrap()), rules);
        assert_eq!(state.region("todo").unwrap().candidates.len(), 2);
    }
}

#[test]
fn a_foreign_reflex_needs_its_streak() {
    let text = r#"{"version": 1, "cortex": {"motor": {"r": {"last_used": "2026-02-20", "candidates": [
        {"slug": "a", "weight": 0.95, "reflex": true, "runs": {"success": 9, "fail": 1, "recent_successes_7d": 2},
         "last_fail": {"type": "api_error", "detail": "", "date": "2026-01-01"}}]}}}}"#;
    let file = read_document(text.as_bytes()).unwrap();
    for (rules, is_reflex) in [(Rules::AsWritten, true), (Rules::Prowess, false)] {
        let event = import("1", Import::merged(&CortexState::default(), &file).unwrap());
        let state = CortexState::replay([&event], rules);
        let candidate = state.region("r").unwrap().candidate("a").unwrap();
        assert_eq!(candidate.reflex, is_reflex, "{rules:?}");
        assert_eq!(candidate.runs.recent_successes_7d, 2);
    }
}

#[test]
fn a_change_for_another_shape_is_ignored() {
    let mut state = CortexState::replay(&[outcome("1", "a", Success)], Rules::Prowess);
    let before = CortexFile { events: None, ..state.export() };
    for delta in [
        ValueDelta::Set(7.into()),
        ValueDelta::Within(vec![("cortex".to_owned(), ValueDelta::Set("x".into()))]),
    ] {
        state.apply(
            &import("2", Import { digest: "d".to_owned(), delta, long_term: Vec::new() }),
            Rules::Prowess,
        );
        assert_eq!(CortexFile { events: None, ..state.export() }, before);
    }
}

#[test]
fn damaged_files_can_be_imported_or_not_but_never_break_the_limits() {
    let mut motor = serde_json::Map::new();
    for region in 0..100 {
        let candidates: Vec<_> =
            (0..9).map(|slug| serde_json::json!({"slug": format!("s{slug}"), "weight": 7})).collect();
        motor.insert(format!("r{region}"), serde_json::json!({"candidates": candidates}));
    }
    let text = serde_json::json!({"version": 1, "cortex": {"motor": motor}}).to_string();
    let file = read_document(text.as_bytes()).unwrap();
    let state = CortexState::replay(
        [&import("1", Import::merged(&CortexState::default(), &file).unwrap())],
        Rules::Prowess,
    );
    assert_eq!(state.regions().count(), 80);
    assert!(state.regions().all(|(_, region)| region.candidates.len() == 5));
    assert!(state.regions().all(|(_, region)| region.candidates[0].weight <= 1.0));
}
