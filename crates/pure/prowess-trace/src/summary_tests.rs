use proptest::prelude::*;
use prowess_types::{ActivatedBy, BackendKind, OutcomeResult};
use serde_json::json;

use super::*;
use crate::test_support::{any_lines, call, ended, line, ran, result};

fn started(message: &str) -> TraceLine {
    line(TraceEvent::RunStarted {
        message: message.into(),
        snapshot: None,
        catalogue: None,
        backend: Backend { kind: BackendKind::Model, name: "local".into(), model: Some("m".into()) },
        parent: None,
    })
}

fn activation(skill: &str) -> TraceLine {
    line(TraceEvent::Activation {
        skill: skill.into(),
        path: format!("/skills/{skill}/SKILL.md"),
        content_hash: None,
        by: ActivatedBy::Read,
    })
}

fn rating(result: OutcomeResult, note: Option<&str>) -> TraceLine {
    let outcome = Outcome { result, by: OutcomeSource::User, ..Outcome::default() };
    line(TraceEvent::Rating { outcome, note: note.map(Into::into) })
}

#[test]
fn a_run_is_summed_up() {
    let mut lines = vec![
        TraceLine {
            at: 900,
            run: String::new(),
            event: TraceEvent::Session {
                format: 1,
                session: "s".into(),
                agent: "main".into(),
                workspace: "/w".into(),
                imported_from: None,
            },
        },
        started("rain?"),
        activation("weather"),
        activation("weather"),
        activation("maps"),
    ];
    lines.extend(ran("curl wttr.in", 0, "sunny"));
    lines.extend([call("1", "read", json!({})), result("1", false, "gone", None)]);
    lines.extend([
        line(TraceEvent::Answer { text: "no".into() }),
        ended(OutcomeResult::Success, OutcomeSource::Agent),
    ]);
    let session = summary(&lines);
    assert_eq!((session.session.as_str(), session.started, session.ended), ("s", 900, 1_000));
    let [run] = session.runs.as_slice() else { panic!("one run") };
    assert_eq!(run.message, "rain?");
    assert_eq!(run.skills, ["weather", "maps"]);
    assert_eq!(run.tools["exec"], ToolUse { calls: 1, failed: 0 });
    assert_eq!(run.tools["read"], ToolUse { calls: 1, failed: 1 });
    assert_eq!(run.outcome.result, OutcomeResult::Success);
    assert_eq!(run.answer.as_deref(), Some("no"));
    assert_eq!((run.ms, run.ended), (Some(40), true));
    assert_eq!(session.usage.input_tokens, 10);
}

#[test]
fn the_user_outranks_the_agent_and_the_agent_outranks_the_errors() {
    let outcome = |lines: &[TraceLine]| summary(lines).runs[0].outcome.clone();
    let failing = || ran("jq .", 127, "jq: command not found").to_vec();

    let unknown = outcome(&[started("m"), ended(OutcomeResult::Unknown, OutcomeSource::Nobody)]);
    assert_eq!(unknown, Outcome::default());

    let mut lines = failing();
    assert_eq!(outcome(&lines).result, OutcomeResult::DependencyMissing);
    assert_eq!(outcome(&lines).by, OutcomeSource::Classifier);

    lines.push(ended(OutcomeResult::TaskMismatch, OutcomeSource::Agent));
    assert_eq!(outcome(&lines).result, OutcomeResult::TaskMismatch);

    lines.push(rating(OutcomeResult::RuntimeError, Some("meh")));
    lines.push(rating(OutcomeResult::Success, None));
    assert_eq!(outcome(&lines).result, OutcomeResult::Success);
    assert_eq!(outcome(&lines).by, OutcomeSource::User);
}

#[test]
fn what_the_errors_said_when_the_run_ended_still_counts() {
    // The writer saw more of the output than was kept.
    let lines = [ended(OutcomeResult::ApiError, OutcomeSource::Classifier)];
    assert_eq!(summary(&lines).runs[0].outcome.result, OutcomeResult::ApiError);
}

#[test]
fn runs_do_not_mix() {
    let mut other = ran("jq .", 127, "not found");
    for line in &mut other {
        line.run = "r2".into();
    }
    let mut lines = ran("jq .", 0, "{}").to_vec();
    lines.splice(1..1, other);
    let session = summary(&lines);
    let outcomes: Vec<_> = session.runs.iter().map(|run| (run.run.as_str(), run.outcome.result)).collect();
    assert_eq!(outcomes, [("r1", OutcomeResult::Unknown), ("r2", OutcomeResult::DependencyMissing)]);
}

proptest! {
    #[test]
    fn every_line_with_a_run_belongs_to_exactly_one(lines in any_lines()) {
        let session = summary(&lines);
        let mut runs: Vec<&str> = lines.iter().map(|line| line.run.as_str()).filter(|run| !run.is_empty()).collect();
        runs.sort_unstable();
        runs.dedup();
        let mut found: Vec<&str> = session.runs.iter().map(|run| run.run.as_str()).collect();
        found.sort_unstable();
        prop_assert_eq!(found, runs);
        let calls = lines.iter().filter(|line| !line.run.is_empty() && matches!(line.event, TraceEvent::ToolCall { .. }));
        let counted: u32 = session.runs.iter().flat_map(|run| run.tools.values()).map(|tool| tool.calls).sum();
        prop_assert_eq!(counted as usize, calls.count());
        prop_assert!(session.started <= session.ended);
    }
}

#[test]
fn what_the_model_was_shown_comes_from_the_prompt_and_never_from_the_ranking() {
    use prowess_types::{PromptedAs, RankedSkill};
    let ranked = RankedSkill { name: "slack".into(), score: 1.0, confidence: 0.9, loaded: true };
    let ranking = line(TraceEvent::Selection {
        decision: prowess_types::SelectionDecision::Load,
        confidence: 0.9,
        ranked: vec![ranked],
        follow_up: None,
    });
    let old = summary(&[started("rain?"), ranking.clone()]);
    assert_eq!((old.runs[0].prompt.as_ref(), old.runs[0].loaded.len()), (None, 0));

    let prompted = |name: &str, how| PromptedSkill {
        name: name.into(),
        path: format!("/{name}/SKILL.md"),
        content_hash: None,
        how,
    };
    let prompt = line(TraceEvent::Prompt {
        system: "aa".into(),
        context: Some("bb".into()),
        message: None,
        chars: 9,
        listed: 2,
        skills: vec![
            prompted("weather", PromptedAs::Listed),
            prompted("maps", PromptedAs::Listed),
            prompted("weather", PromptedAs::Text),
            prompted("tides", PromptedAs::Pointer),
        ],
        empty: None,
    });
    let new = summary(&[started("rain?"), ranking, prompt, activation("tides")]);
    let run = &new.runs[0];
    let prompt = run.prompt.as_ref().expect("a prompt");
    assert_eq!((prompt.shown.join(" "), prompt.listed), ("weather maps tides".to_owned(), 2));
    assert_eq!(
        (run.loaded.join(" "), run.skills.join(" ")),
        ("weather tides".to_owned(), "tides".to_owned())
    );
}

#[test]
fn a_skill_that_was_only_named_or_went_to_a_tool_was_not_loaded() {
    let by =
        |by| line(TraceEvent::Activation { skill: "s".into(), path: "/s".into(), content_hash: None, by });
    assert!(summary(&[started("$s"), by(ActivatedBy::Reference)]).runs[0].loaded.is_empty());
    assert_eq!(summary(&[started("/s"), by(ActivatedBy::Command)]).runs[0].loaded, ["s"]);
    let mut dispatched = started("/s");
    if let TraceEvent::RunStarted { backend, .. } = &mut dispatched.event {
        backend.kind = BackendKind::Dispatch;
    }
    assert!(summary(&[dispatched, by(ActivatedBy::Command)]).runs[0].loaded.is_empty());
}
