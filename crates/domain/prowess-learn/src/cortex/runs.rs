//! Learning from runs with skills that the user has anyway.

use std::collections::BTreeSet;

use prowess_agent::EndedRun;
use prowess_context::{Clock, Context};
use prowess_cortex::{CortexState, EventKind, OutcomeEvent, Tenure};
use prowess_inventory::Inventory;
use prowess_sessions::{Rated, SessionId, Sessions, StoredSession};
use prowess_trace::RunSummary;
use prowess_types::{Outcome, OutcomeResult, TraceEvent};

use super::task::{Variables, effect_words};
use super::{Cortex, CortexError, Experience, HistoryFilter};

/// A run with a verdict.
struct Judged<'a> {
    message: &'a str,
    skills: &'a [String],
    effects: &'a [String],
    outcome: &'a Outcome,
    session: &'a str,
    snapshot: Option<&'a str>,
    /// The skills as they were in the run, where that is known.
    inventory: Option<&'a Inventory>,
}

/// Learns from a run which skills did such a task well or badly, and returns what the user should know. A run without
/// a verdict teaches nothing.
pub(crate) fn learn_from(run: &EndedRun<'_>) -> Result<Vec<String>, CortexError> {
    let (context, report) = (run.context, run.report);
    let is_judged = report.outcome.result != OutcomeResult::Unknown && !report.stopped;
    if !is_judged || report.skills.is_empty() || !context.config().cortex().is_enabled {
        return Ok(Vec::new());
    }
    let mut cortex = Cortex::open(context, run.request.clock.clone())?;
    cortex.learn_about(&Judged {
        message: run.request.message.trim(),
        skills: &report.skills,
        effects: &report.effects,
        outcome: &report.outcome,
        session: &report.session,
        snapshot: Some(run.snapshot),
        inventory: Some(run.view.inventory()),
    })?;
    Ok(cortex.take_notices())
}

/// Learns from the user's word on a run that taught nothing when it ended, and returns the skills it was about.
///
/// A lesson stays: weights follow from the outcomes in their order, and one that is recorded twice
/// would count twice. So a second rating, and a rating of a run that was judged at its end, teach nothing.
pub fn learn_from_rating(context: &Context, rated: &Rated, clock: Clock) -> Result<Vec<String>, CortexError> {
    let Ok(stored) = Sessions::of(context).show(&rated.session) else { return Ok(Vec::new()) };
    let Ok(run) = stored.run(Some(&rated.run)) else { return Ok(Vec::new()) };
    let is_lesson = !run.stopped && run.parent.is_none() && is_first_word(&stored, &rated.run);
    if !is_lesson || run.skills.is_empty() || !context.config().cortex().is_enabled {
        return Ok(Vec::new());
    }
    let next = stored.summary.runs.iter().map(|run| run.started).filter(|start| *start > run.started);
    let (since, until) = (run.started, next.min().unwrap_or(u64::MAX));
    let mut cortex = Cortex::open(context, clock)?;
    let noted = cortex.outcomes_in(rated.session.as_str(), since, until)?;
    let skills: Vec<String> = run.skills.iter().filter(|skill| !noted.contains(skill)).cloned().collect();
    let lines = stored.session.lines.iter().filter(|line| line.run == rated.run);
    let effects = prowess_trace::run_effects(lines, &BTreeSet::new());
    cortex.learn_about(&Judged {
        message: &run.message,
        skills: &skills,
        effects: &effects,
        outcome: &rated.outcome,
        session: rated.session.as_str(),
        snapshot: snapshot_of(&stored, &rated.run),
        inventory: None,
    })?;
    Ok(skills)
}

impl Cortex<'_> {
    fn learn_about(&mut self, run: &Judged<'_>) -> Result<(), CortexError> {
        for skill in run.skills {
            let mut event = OutcomeEvent::new("", skill, "", run.outcome.result);
            event.tenure = Tenure::LongTerm;
            event.key.clone_from(&run.outcome.key);
            event.observed = effect_words(run.effects);
            let entries = run.inventory.map(|inventory| inventory.entries.iter()).into_iter().flatten();
            if let Some(entry) = entries.into_iter().find(|entry| entry.skill.name == *skill) {
                let variables = Variables::of(entry);
                (event.env_ready, event.env_missing) = (variables.ready, variables.missing);
            }
            self.record(&Experience {
                task: Some(task_of(run.message).to_owned()),
                region: None,
                outcome: event,
                session: Some(run.session.to_owned()),
                snapshot: run.snapshot.map(ToOwned::to_owned),
                is_from_run: true,
            })?;
        }
        Ok(())
    }

    /// The side effects of the runs of a session that used a skill.
    pub(super) fn session_effects(&self, session: &str, slug: &str, state: &CortexState) -> Vec<String> {
        let Ok(id) = session.parse::<SessionId>() else { return Vec::new() };
        let Ok(stored) = Sessions::of(self.context).show(&id) else { return Vec::new() };
        let used = |run: &&RunSummary| run.skills.iter().any(|skill| skill == slug);
        let runs: Vec<&str> = stored.summary.runs.iter().filter(used).map(|run| run.run.as_str()).collect();
        // Programs that the skill was seen to read with, which a scan knew as declared.
        let candidates = state.regions().filter_map(|(_, region)| region.candidate(slug));
        let declared: BTreeSet<String> = candidates
            .flat_map(|candidate| &candidate.side_effects)
            .filter_map(|tag| tag.strip_prefix("read:").map(str::to_owned))
            .collect();
        let lines = stored.session.lines.iter().filter(|line| runs.contains(&line.run.as_str()));
        effect_words(&prowess_trace::run_effects(lines, &declared))
    }

    /// The skills of which an outcome was noted in a session, between two times.
    fn outcomes_in(&self, session: &str, since: u64, until: u64) -> Result<Vec<String>, CortexError> {
        let events = self.history(HistoryFilter::default())?.into_iter().map(|remembered| remembered.event);
        let in_session = events.filter(|event| {
            let at = u64::try_from(event.clock).unwrap_or_default();
            event.session.as_deref() == Some(session) && (since..until).contains(&at)
        });
        Ok(in_session
            .filter_map(|event| match event.kind {
                EventKind::Outcome(outcome) => Some(outcome.slug),
                _ => None,
            })
            .collect())
    }
}

/// Returns true if a run had no verdict before its only rating.
fn is_first_word(stored: &StoredSession, run: &str) -> bool {
    let lines = stored.session.lines.iter().filter(|line| line.run == run);
    let (mut ratings, mut is_judged) = (0, false);
    for line in lines {
        match &line.event {
            TraceEvent::Rating { .. } => ratings += 1,
            TraceEvent::RunEnded { outcome, .. } => is_judged = outcome.result != OutcomeResult::Unknown,
            _ => {}
        }
    }
    ratings == 1 && !is_judged
}

/// The snapshot that a run began with.
fn snapshot_of<'a>(stored: &'a StoredSession, run: &str) -> Option<&'a str> {
    stored.session.lines.iter().find_map(|line| match &line.event {
        TraceEvent::RunStarted { snapshot, .. } if line.run == run => snapshot.as_deref(),
        _ => None,
    })
}

/// A message without the command or the references it begins with.
fn task_of(message: &str) -> &str {
    let mut rest = message.trim_start();
    while let Some(next) = rest.strip_prefix(['/', '$']) {
        rest = next.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
    }
    if rest.is_empty() { message } else { rest }
}
