use serde_json::json;

use super::*;
use crate::test_support::session;

#[test]
fn what_failed_and_what_is_beside_the_work_is_left_out() {
    let lines = session(
        "count commits",
        &[
            ("skill_search", json!({"need": "git"}), true),
            ("read", json!({"path": "/s/git/SKILL.md"}), true),
            ("exec", json!({"command": "git lgo"}), false),
            ("exec", json!({"command": "git log"}), true),
            ("read", json!({"path": "notes.txt"}), true),
            ("report_outcome", json!({"result": "success"}), true),
        ],
    );
    let episode = episode(&lines, "r").expect("a run");
    let steps: Vec<(usize, &str)> =
        episode.steps.iter().map(|step| (step.number, step.kind.as_str())).collect();
    assert_eq!(steps, [(1, "exec"), (2, "read")]);
    assert_eq!((episode.left_out, episode.task.as_str()), (1, "count commits"));
    assert_eq!((episode.session.as_str(), episode.workspace.as_str()), ("s1", "/ws"));
}

#[test]
fn a_run_that_is_not_there_is_none() {
    let lines = session("count commits", &[]);
    assert_eq!(episode(&lines, "other"), None);
    assert_eq!(episode(&lines, ""), None);
    assert!(episode(&lines, "r").is_some_and(|episode| episode.steps.is_empty()));
}

#[test]
fn a_session_is_own_only_if_it_says_so() {
    let own = session("count commits", &[]);
    assert!(episode(&own, "r").is_some_and(|episode| episode.is_own));
    let imported = |mut lines: Vec<TraceLine>| {
        let TraceEvent::Session { imported_from, .. } = &mut lines[0].event else { panic!("a session") };
        *imported_from = Some("codex".to_owned());
        lines
    };
    let foreign = imported(own.clone());
    assert!(episode(&foreign, "r").is_some_and(|episode| !episode.is_own));
    // A later line cannot make it another, and neither can a missing one.
    for lines in [[foreign.clone(), own.clone()].concat(), [own.clone(), foreign].concat(), own[1..].to_vec()]
    {
        assert!(episode(&lines, "r").is_some_and(|episode| !episode.is_own));
    }
}
