//! Learning from the user's word on the choice, and the cases that recorded sessions suggest.
//!
//! A correction becomes a case of the user and pushes the skills like any outcome. What sessions suggest is weaker: it is
//! read from the records whenever it is wanted and never written, so a case that is wrong goes with its session.

use std::collections::HashSet;
use std::path::PathBuf;

use prowess_agent::redacted;
use prowess_context::{ChooseError, Clock, Context};
use prowess_cortex::{OutcomeEvent, Tenure};
use prowess_inventory::MatchRequest;
use prowess_match::{
    AddedCase, AgentView, CaseKind, CaseOrigin, MessageCase, OwnCasesError, TriggerIssue, add_own_case,
    own_cases_file, read_own_cases,
};
use prowess_sessions::Sessions;
use prowess_types::{
    ActivatedBy, FollowUpEffect, OutcomeResult, RankedSkill, SelectionDecision, TraceEvent, TraceLine,
};
use serde::Serialize;

use crate::cortex::{Cortex, CortexError, Experience};

/// The newest sessions that are read for cases.
const MAX_SESSIONS: usize = 200;

/// A correction that was recorded.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Corrected {
    /// The message as it was written down, without secrets.
    pub message: String,
    /// The skill that was meant; null if none was.
    pub meant: Option<String>,
    /// The skills that the choice loads.
    pub chosen: Vec<String>,
    /// True if that is what was meant.
    pub right: bool,
    /// False if the same word was recorded before.
    pub new: bool,
    /// The file of the cases.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub file: PathBuf,
    /// Notices for the user.
    pub notices: Vec<String>,
}

/// The reason a correction was not recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorrectionError {
    /// There is nothing to correct.
    #[error("the message is empty")]
    Empty,
    /// There is no such skill.
    #[error("there is no skill `{0}`")]
    Unknown(String),
    /// The message cannot be understood.
    #[error(transparent)]
    Choose(#[from] ChooseError),
    /// The case cannot be written.
    #[error(transparent)]
    Cases(#[from] OwnCasesError),
}

impl prowess_types::Classify for CorrectionError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Empty => Is(ErrorKind::InvalidValue),
            Self::Unknown(_) => Is(ErrorKind::NotFound),
            Self::Choose(error) => Of(error),
            Self::Cases(error) => Of(error),
        }
    }
}

/// Records which skill a message meant, or that it meant none.
pub fn correct(
    context: &Context,
    view: &AgentView,
    message: &str,
    meant: Option<&str>,
    clock: Clock,
) -> Result<Corrected, CorrectionError> {
    let message = redacted(context, message.trim());
    if message.is_empty() {
        return Err(CorrectionError::Empty);
    }
    let mut entries = view.inventory().entries.iter();
    if let Some(name) = meant.filter(|name| !entries.any(|entry| entry.skill.name == **name)) {
        return Err(CorrectionError::Unknown(name.to_owned()));
    }
    let now = clock.now_ms();
    let selector = view.selector()?;
    selector.prepare_for(&message, |_| {})?;
    let answer = selector.find(&MatchRequest { now: Some(now), ..MatchRequest::new(&message) })?;
    let chosen: Vec<String> = answer.loaded().into_iter().map(str::to_owned).collect();
    let case = MessageCase {
        message: message.clone(),
        skill: meant.map(str::to_owned),
        should: meant.is_some(),
        kind: if meant.is_some() { CaseKind::Request } else { CaseKind::None },
        previous: Vec::new(),
        origin: CaseOrigin::Corrected,
    };
    let added = add_own_case(context, &case, now)?;
    let right = match meant {
        Some(name) => chosen.iter().any(|other| other == name),
        None => chosen.is_empty(),
    };
    let mut notices = Vec::new();
    // The same word said twice must not count twice.
    if added == AddedCase::Written && context.config().cortex().is_enabled {
        let wrong = chosen.iter().map(String::as_str).filter(|name| Some(*name) != meant);
        if let Err(error) = push(context, &message, meant, wrong, clock) {
            notices.push(format!("nothing was learned: {}", prowess_text::describe_error(&error)));
        }
    }
    Ok(Corrected {
        message,
        meant: meant.map(str::to_owned),
        chosen,
        right,
        new: added == AddedCase::Written,
        file: own_cases_file(context),
        notices,
    })
}

/// Pushes the skill that was meant, and holds back those that were not.
fn push<'a>(
    context: &Context,
    message: &str,
    meant: Option<&str>,
    wrong: impl Iterator<Item = &'a str>,
    clock: Clock,
) -> Result<(), CortexError> {
    let mut cortex = Cortex::open(context, clock)?;
    let right = meant.map(|name| (name, OutcomeResult::Success));
    for (name, result) in right.into_iter().chain(wrong.map(|name| (name, OutcomeResult::TaskMismatch))) {
        let mut outcome = OutcomeEvent::new("", name, "", result);
        outcome.tenure = Tenure::LongTerm;
        cortex.record(&Experience { task: Some(message.to_owned()), outcome, ..Experience::default() })?;
    }
    Ok(())
}

/// The cases of the user: the corrections, and what recorded sessions suggest where the user said nothing.
pub fn user_cases(context: &Context, issues: &mut Vec<TriggerIssue>) -> Vec<MessageCase> {
    let mut cases = read_own_cases(context, issues);
    let mut known: HashSet<String> = cases.iter().map(|case| case.message.trim().to_owned()).collect();
    let sessions = Sessions::of(context);
    for id in sessions.newest(MAX_SESSIONS) {
        let Ok(stored) = sessions.show(&id) else { continue };
        for mut case in suggested(&stored.session.lines) {
            case.message = redacted(context, &case.message);
            if known.insert(case.message.trim().to_owned()) {
                cases.push(case);
            }
        }
    }
    cases
}

/// One run of a session, as far as it says how good the choice was.
#[derive(Default)]
struct Choice<'a> {
    message: &'a str,
    chosen: Option<Vec<&'a str>>,
    used: Vec<(&'a str, ActivatedBy)>,
    outcome: OutcomeResult,
}

/// The cases that the lines of a session suggest.
fn suggested(lines: &[TraceLine]) -> Vec<MessageCase> {
    let mut runs: Vec<(&str, Choice<'_>)> = Vec::new();
    for line in lines {
        if let TraceEvent::RunStarted { message, parent: None, .. } = &line.event {
            runs.push((&line.run, Choice { message: message.trim(), ..Choice::default() }));
        } else if let Some((_, choice)) = runs.iter_mut().rfind(|(run, _)| *run == line.run) {
            choice.note(&line.event);
        }
    }
    runs.iter().filter_map(|(_, choice)| choice.case()).collect()
}

impl<'a> Choice<'a> {
    fn note(&mut self, event: &'a TraceEvent) {
        match event {
            // A kept skill was not chosen for this message.
            TraceEvent::Selection { follow_up: Some(follow_up), .. }
                if follow_up.effect == FollowUpEffect::Kept => {}
            TraceEvent::Selection { decision, ranked, .. } => {
                let is_loaded = |skill: &&RankedSkill| skill.loaded && *decision == SelectionDecision::Load;
                let names = ranked.iter().filter(is_loaded).map(|skill| skill.name.as_str());
                self.chosen = Some(names.collect());
            }
            TraceEvent::Activation { skill, by, .. } => self.used.push((skill, *by)),
            TraceEvent::RunEnded { outcome, .. } | TraceEvent::Rating { outcome, .. } => {
                self.outcome = outcome.result;
            }
            _ => {}
        }
    }

    /// The case of the run: a skill that was read although it was not chosen, or one that was chosen in vain.
    fn case(&self) -> Option<MessageCase> {
        let chosen = self.chosen.as_ref()?;
        if self.message.is_empty() || self.message.starts_with(['/', '$']) {
            return None;
        }
        let was_read = |(skill, by): &&(&str, ActivatedBy)| {
            matches!(by, ActivatedBy::Read | ActivatedBy::Harness) && !chosen.contains(skill)
        };
        let mut read: Vec<&str> = self.used.iter().filter(was_read).map(|(skill, _)| *skill).collect();
        read.dedup();
        let case = |skill: &str, should: bool, origin: CaseOrigin| MessageCase {
            message: self.message.to_owned(),
            skill: Some(skill.to_owned()),
            should,
            kind: if should { CaseKind::Request } else { CaseKind::None },
            previous: Vec::new(),
            origin,
        };
        match (read.as_slice(), chosen.as_slice()) {
            // Several would not say which one was meant.
            ([skill], _) if !self.outcome.is_failure() => Some(case(skill, true, CaseOrigin::Read)),
            (_, [skill]) if self.outcome == OutcomeResult::TaskMismatch => {
                Some(case(skill, false, CaseOrigin::Dropped))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use prowess_types::{Backend, Outcome, Usage};

    use super::*;

    fn run(chosen: &[&str], read: &[&str], result: OutcomeResult) -> Vec<MessageCase> {
        let line = |event: TraceEvent| TraceLine { at: 1, run: "1".to_owned(), event };
        let ranked = chosen.iter().map(|name| RankedSkill {
            name: (*name).to_owned(),
            score: 1.0,
            confidence: 0.9,
            loaded: true,
        });
        let mut lines = vec![
            line(TraceEvent::RunStarted {
                message: "rain in Bern?".to_owned(),
                snapshot: None,
                catalogue: None,
                backend: Backend::default(),
                parent: None,
            }),
            line(TraceEvent::Selection {
                decision: if chosen.is_empty() { SelectionDecision::None } else { SelectionDecision::Load },
                confidence: 0.9,
                ranked: ranked.collect(),
                follow_up: None,
            }),
        ];
        lines.extend(read.iter().map(|name| {
            line(TraceEvent::Activation {
                skill: (*name).to_owned(),
                path: String::new(),
                content_hash: None,
                by: ActivatedBy::Read,
            })
        }));
        let outcome = Outcome { result, ..Outcome::default() };
        lines.push(line(TraceEvent::RunEnded { outcome, usage: Usage::default(), ms: None, stopped: false }));
        suggested(&lines)
    }

    #[test]
    fn a_skill_that_was_read_although_it_was_not_chosen_is_a_case() {
        let cases = run(&[], &["weather"], OutcomeResult::Success);
        assert_eq!(cases.len(), 1);
        assert!(cases[0].should && cases[0].origin == CaseOrigin::Read);
        assert_eq!(cases[0].skill.as_deref(), Some("weather"));
        assert!(run(&["weather"], &["weather"], OutcomeResult::Success).is_empty());
        assert!(
            run(&[], &["weather", "maps"], OutcomeResult::Success).is_empty(),
            "it is not known which one was meant"
        );
        assert!(run(&[], &["weather"], OutcomeResult::RuntimeError).is_empty());
    }

    #[test]
    fn a_skill_that_was_for_something_else_is_a_case() {
        let cases = run(&["maps"], &[], OutcomeResult::TaskMismatch);
        assert!(cases.len() == 1 && !cases[0].should && cases[0].origin == CaseOrigin::Dropped);
        assert!(run(&["maps"], &[], OutcomeResult::Unknown).is_empty());
    }
}
