//! Learning from an outcome: always, whatever came out.

use prowess_cortex::{
    CortexState, EventKind, Lesson, OutcomeEvent, Pattern, RetentionEvent, TaskVector, region_name, signals,
};
use prowess_types::OutcomeResult;
use serde::Serialize;

use super::recall::{TaskMeaning, keywords, likeness_by_region};
use super::{Cortex, CortexError, NEAR};

/// Words are sought by meaning for a task that has fewer than this.
const ENOUGH_WORDS: usize = 2;

/// The place of an outcome, and the words and the vector that it teaches about such tasks.
struct Place {
    region: String,
    signals: Vec<String>,
    vector: Option<TaskVector>,
}

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
        let place = self.place(experience, &before)?;
        (outcome.region, outcome.signals, outcome.vector) = (place.region, place.signals, place.vector);
        let (region, slug, result) = (outcome.region.clone(), outcome.slug.clone(), outcome.result);
        let mut event = self.event(EventKind::Outcome(outcome));
        event.session.clone_from(&experience.session);
        event.snapshot.clone_from(&experience.snapshot);
        let after = self.write(&[event])?;
        Ok(told(&before, &after, &region, &slug, result, self.now()))
    }

    /// The region of a task, and what it teaches: only a task that was not recognised teaches words. One that was
    /// teaches its vector, if the skill that did it is known to do such tasks.
    fn place(&self, experience: &Experience, state: &CortexState) -> Result<Place, CortexError> {
        if let Some(region) = experience.region.as_deref().filter(|region| !region.trim().is_empty()) {
            let is_known = state.patterns().iter().any(|pattern| pattern.region == region);
            let task = experience.task.as_deref().unwrap_or_default();
            let signals = if is_known { Vec::new() } else { self.words(task)? };
            return Ok(Place { region: region.to_owned(), signals, vector: self.vector(task)? });
        }
        let slug = &experience.outcome.slug;
        let has_candidate =
            |name: &str| state.region(name).is_some_and(|region| region.candidate(slug).is_some());
        let Some(task) = &experience.task else {
            let known = state.regions().find(|(name, _)| has_candidate(name));
            let place = |name: &str| Place { region: name.to_owned(), signals: Vec::new(), vector: None };
            return known.map(|(name, _)| place(name)).ok_or_else(|| {
                CortexError::Incomplete("an outcome needs the task, or the region it belongs to".to_owned())
            });
        };
        if let Some(region) = self.nearest(task, state, &state.task_patterns())? {
            let is_proven = experience.outcome.result == OutcomeResult::Success && has_candidate(&region);
            let vector = if is_proven { self.vector(task)? } else { None };
            return Ok(Place { region, signals: Vec::new(), vector });
        }
        let signals = self.words(task)?;
        Ok(Place { region: state.free_region(&signals, task), signals, vector: self.vector(task)? })
    }

    /// Words that stand for a task: its own, or where these are too few, words of the same meaning.
    fn words(&self, task: &str) -> Result<Vec<String>, CortexError> {
        let mut words = signals(task);
        if words.len() < ENOUGH_WORDS && !task.trim().is_empty() {
            let more = keywords(&*self.context.encoders()?, task)?;
            let more: Vec<String> = more.into_iter().filter(|word| !words.contains(word)).collect();
            words.extend(more.into_iter().take(ENOUGH_WORDS - words.len()));
        }
        Ok(words)
    }

    /// The vector of a task after the entity filter.
    fn vector(&self, task: &str) -> Result<Option<TaskVector>, CortexError> {
        let meaning = TaskMeaning::of(&*self.context.encoders()?, task)?;
        Ok(meaning.and_then(|meaning| meaning.kept()))
    }

    /// The region that a task is near enough to.
    fn nearest(
        &self,
        task: &str,
        state: &CortexState,
        patterns: &[Pattern],
    ) -> Result<Option<String>, CortexError> {
        if let Some(region) = self.wordless(task, state)? {
            return Ok(Some(region));
        }
        let likeness = likeness_by_region(self.context, task, patterns)?;
        let best = patterns.iter().filter_map(|pattern| Some((likeness.get(&pattern.region)?, pattern)));
        let best = best.max_by(|(one, _), (other, _)| one.total_cmp(other));
        Ok(best.filter(|(value, _)| **value >= NEAR).map(|(_, pattern)| pattern.region.clone()))
    }

    /// The region of exactly this task, if the filter leaves nothing of it that could be compared.
    pub(super) fn wordless(&self, task: &str, state: &CortexState) -> Result<Option<String>, CortexError> {
        let name = region_name(&[], task);
        let is_known = state.region(&name).is_some() || state.long_term().any(|(region, _)| region == name);
        Ok(Some(name).filter(|_| is_known))
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
