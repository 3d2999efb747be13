//! The end of a run: how it went, in the trace and in the report.

use std::collections::BTreeSet;
use std::time::Duration;

use prowess_sessions::SessionId;
use prowess_types::{OutcomeResult, TraceEvent, TraceLine};

use super::answer::Answered;
use super::record::Recorder;
use super::{RunProgress, RunReport};

/// Ends the run in the trace, and says how it went.
pub(super) fn finish(
    recorder: &Recorder,
    answered: Answered,
    session: &SessionId,
    declared: &BTreeSet<String>,
    took: Duration,
    on: &mut (dyn FnMut(RunProgress) + Send),
) -> RunReport {
    let run = recorder.run().clone();
    let own: Vec<TraceLine> = recorder.lines().into_iter().filter(|line| line.run == run.as_str()).collect();
    let mut outcome = answered.outcome;
    if outcome.result == OutcomeResult::Unknown && !answered.stopped {
        outcome = prowess_trace::classify(&own);
    }
    if outcome.result.is_failure() && outcome.key.is_none() {
        outcome.key = prowess_trace::key_of_failure(&outcome, &own);
    }
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    recorder.record(TraceEvent::RunEnded {
        outcome: outcome.clone(),
        usage: answered.usage,
        ms: Some(ms),
        stopped: answered.stopped,
    });
    let facts = prowess_trace::summary(&own).runs.pop().unwrap_or_default();
    let effects = prowess_trace::run_effects(&own, declared);
    let mut skills = Vec::new();
    let mut notices = Vec::new();
    // The cause of the end is already reported as the error of the run.
    let is_told = |text: &str| answered.error.as_ref().is_some_and(|error| error.starts_with(text));
    for line in own {
        match line.event {
            TraceEvent::Activation { skill, .. } if !skills.contains(&skill) => skills.push(skill),
            // Watchers saw a retry at once.
            TraceEvent::Notice { kind, text } if kind != "retry" && !is_told(&text) => notices.push(text),
            _ => {}
        }
    }
    notices.extend(recorder.lost().map(|reason| format!("the trace is not complete: {reason}")));
    for notice in &notices {
        on(RunProgress::Notice(notice.clone()));
    }
    RunReport {
        session: session.to_string(),
        run,
        answer: answered.text,
        outcome,
        error: answered.error,
        stopped: answered.stopped,
        prompt: facts.prompt,
        loaded: facts.loaded,
        skills,
        effects,
        usage: answered.usage,
        ms,
        notices,
        draft: None,
    }
}
