//! Learning from an outcome: always, whatever came out.

use std::collections::BTreeMap;

use prowess_cortex::{
    CortexState, EventKind, Lesson, OutcomeEvent, Pattern, RetentionEvent, region_name, signals,
};
use prowess_match::likeness;
use prowess_types::OutcomeResult;
use serde::Serialize;

use super::{Cortex, CortexError};

/// The least similarity of a task to the signals of a region that it belongs to.
pub(crate) const NEAR: f64 = 0.5;

/// An experience with a skill.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experience {
    /// The user's task. Only words that name no person and no thing are kept of it.
    pub task: Option<String>,
    /// The kind of task, if it is known.
    pub region: Option<String>,
    /// The skill and how it went; region and signals are filled in here.
    pub outcome: OutcomeEvent,
    /// The session it happened in.
    pub session: Option<String>,
    /// The snapshot the skill was chosen from.
    pub snapshot: Option<String>,
}

/// What was learned from an outcome.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Learned {
    /// The kind of task.
    pub region: String,
    /// The skill.
    pub slug: String,
    /// How it went.
    pub result: OutcomeResult,
    /// Its weight before; none if it is new.
    pub before: Option<f64>,
    /// Its weight now; none if it is no candidate.
    pub weight: Option<f64>,
    /// Whether it has a reflex now.
    pub reflex: bool,
    /// Whether that changed.
    pub reflex_changed: bool,
    /// Words that stand for such tasks from now on.
    pub signals: Vec<String>,
    /// Lessons that are new, or more or less certain than before.
    pub lessons: Vec<Lesson>,
    /// Whether the user should be asked to keep it.
    pub offers_retention: bool,
    /// Candidates that had to go, as `region/slug`.
    pub pruned: Vec<String>,
}

impl Cortex<'_> {
    /// Learns from an outcome.
    pub fn record(&mut self, experience: &Experience) -> Result<Learned, CortexError> {
        let mut outcome = experience.outcome.clone();
        if outcome.slug.trim().is_empty() {
            return Err(CortexError::Incomplete("an outcome needs the name of a skill".to_owned()));
        }
        let before = self.state()?;
        (outcome.region, outcome.signals) = self.place(experience, &before)?;
        if let Some(session) = experience.session.as_deref().filter(|_| outcome.observed.is_empty()) {
            outcome.observed = self.session_effects(session, &outcome.slug, &before);
        }
        let (region, slug, result) = (outcome.region.clone(), outcome.slug.clone(), outcome.result);
        let mut event = self.event(EventKind::Outcome(outcome));
        event.session.clone_from(&experience.session);
        event.snapshot.clone_from(&experience.snapshot);
        let after = self.write(&[event])?;
        Ok(told(&before, &after, &region, &slug, result, self.now()))
    }

    /// The region of a task, and the words it adds to it: only a task that was not recognised teaches words.
    fn place(
        &self,
        experience: &Experience,
        state: &CortexState,
    ) -> Result<(String, Vec<String>), CortexError> {
        let words = experience.task.as_deref().map(signals).unwrap_or_default();
        if let Some(region) = experience.region.as_deref().filter(|region| !region.trim().is_empty()) {
            let is_known = state.patterns().iter().any(|pattern| pattern.region == region);
            return Ok((region.to_owned(), if is_known { Vec::new() } else { words }));
        }
        let Some(task) = &experience.task else {
            let known = state.regions().find(|(_, region)| {
                region.candidates.iter().any(|candidate| candidate.slug == experience.outcome.slug)
            });
            return known.map(|(name, _)| (name.to_owned(), Vec::new())).ok_or_else(|| {
                CortexError::Incomplete("an outcome needs the task, or the region it belongs to".to_owned())
            });
        };
        let patterns = state.task_patterns();
        Ok(match self.nearest(task, &patterns)? {
            Some(region) => (region, Vec::new()),
            None => (region_name(&words), words),
        })
    }

    /// The region whose words are near enough to a task.
    fn nearest(&self, task: &str, patterns: &[Pattern]) -> Result<Option<String>, CortexError> {
        let likeness = self.likeness(task, patterns)?;
        let best = patterns.iter().filter_map(|pattern| Some((likeness.get(&pattern.region)?, pattern)));
        let best = best.max_by(|(one, _), (other, _)| one.total_cmp(other));
        Ok(best.filter(|(value, _)| **value >= NEAR).map(|(_, pattern)| pattern.region.clone()))
    }

    /// Returns the similarity of a task to each pattern, by region.
    pub(super) fn likeness(
        &self,
        task: &str,
        patterns: &[Pattern],
    ) -> Result<BTreeMap<String, f64>, CortexError> {
        let texts: Vec<String> = patterns.iter().map(|pattern| pattern.signal.join(" ")).collect();
        let values = likeness(self.context, task, &[], &texts)?;
        Ok(patterns.iter().map(|pattern| pattern.region.clone()).zip(values).collect())
    }

    /// Remembers whether the user keeps a skill.
    pub fn retain(&mut self, region: &str, slug: &str, is_kept: bool) -> Result<CortexState, CortexError> {
        if self.state()?.region(region).is_none_or(|region| region.candidate(slug).is_none()) {
            return Err(CortexError::Unknown(format!("`{slug}` in `{region}`")));
        }
        let answer = RetentionEvent { region: region.to_owned(), slug: slug.to_owned() };
        self.note(if is_kept {
            EventKind::RetentionAccepted(answer)
        } else {
            EventKind::RetentionDeclined(answer)
        })
    }
}

/// Returns the changes that an outcome made.
fn told(
    before: &CortexState,
    after: &CortexState,
    region: &str,
    slug: &str,
    result: OutcomeResult,
    now: i64,
) -> Learned {
    let find = |state: &CortexState| state.region(region).and_then(|region| region.candidate(slug)).cloned();
    let (old, new) = (find(before), find(after));
    let has_reflex = |candidate: &Option<prowess_cortex::CortexCandidate>| {
        candidate.as_ref().is_some_and(|candidate| candidate.reflex)
    };
    let words = |state: &CortexState| -> Vec<String> {
        let pattern = state.patterns().iter().find(|pattern| pattern.region == region);
        pattern.map(|pattern| pattern.signal.clone()).unwrap_or_default()
    };
    let known = words(before);
    let names = |state: &CortexState| -> Vec<String> {
        let all = state.regions().flat_map(|(name, region)| {
            region.candidates.iter().map(move |candidate| format!("{name}/{}", candidate.slug))
        });
        all.collect()
    };
    let left = names(after);
    Learned {
        region: region.to_owned(),
        slug: slug.to_owned(),
        result,
        before: old.as_ref().map(|candidate| candidate.weight),
        weight: new.as_ref().map(|candidate| candidate.weight),
        reflex: has_reflex(&new),
        reflex_changed: has_reflex(&old) != has_reflex(&new),
        signals: words(after).into_iter().filter(|word| !known.contains(word)).collect(),
        lessons: after
            .lessons()
            .iter()
            .filter(|lesson| !before.lessons().contains(lesson))
            .cloned()
            .collect(),
        offers_retention: result == OutcomeResult::Success && after.offers_retention(region, slug, now),
        pruned: names(before).into_iter().filter(|name| !left.contains(name)).collect(),
    }
}
