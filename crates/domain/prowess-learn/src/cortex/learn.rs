//! Learning from an outcome: always, whatever came out.

use prowess_cortex::{
    CortexState, EventKind, Lesson, OutcomeEvent, Pattern, RetentionEvent, Rules, TaskVector, region_name,
    signals,
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
    /// True if it is from a run of this engine, as opposed to a report: a mismatch then says enough about the skill.
    pub is_from_run: bool,
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
    /// Its weight now, also if it was dropped for it; none if the user has it anyway.
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
    /// Candidates that had to go, as `region/slug`; the skill itself is among them if it is not kept.
    pub pruned: Vec<String>,
    /// The same with their weights.
    pub dropped: Vec<DroppedCandidate>,
}

/// A candidate that had to go.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct DroppedCandidate {
    /// Its kind of task.
    pub region: String,
    /// The skill.
    pub slug: String,
    /// Its last weight.
    pub weight: f64,
}

impl Cortex<'_> {
    /// Learns from an outcome.
    pub fn record(&mut self, experience: &Experience) -> Result<Learned, CortexError> {
        let mut outcome = experience.outcome.clone();
        if outcome.slug.trim().is_empty() {
            return Err(CortexError::Incomplete("an outcome needs the name of a skill".to_owned()));
        }
        let before = self.mended(|cortex| cortex.state())?;
        let place = self.place(experience, &before)?;
        (outcome.region, outcome.signals, outcome.vector) = (place.region, place.signals, place.vector);
        if let Some(session) = experience.session.as_deref().filter(|_| outcome.observed.is_empty()) {
            outcome.observed = self.session_effects(session, &outcome.slug, &before);
        }
        outcome.observed = impersonal(&outcome, &before);
        outcome.key = cause(&outcome, experience);
        let mut event = self.event(EventKind::Outcome(outcome.clone()));
        event.session.clone_from(&experience.session);
        event.snapshot.clone_from(&experience.snapshot);
        let after = self.write(&[event])?;
        Ok(told(&before, &after, &outcome, self.now(), self.rules))
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
        if let Some(region) = wordless_region(task, state) {
            return Ok(Some(region));
        }
        let likeness = likeness_by_region(self.context, task, patterns)?;
        let best = patterns.iter().filter_map(|pattern| Some((likeness.get(&pattern.region)?, pattern)));
        let best = best.max_by(|(one, _), (other, _)| one.total_cmp(other));
        Ok(best.filter(|(value, _)| **value >= NEAR).map(|(_, pattern)| pattern.region.clone()))
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

/// The region of exactly this task, if the filter leaves nothing of it that could be compared.
pub(super) fn wordless_region(task: &str, state: &CortexState) -> Option<String> {
    let name = region_name(&[], task);
    let is_known = state.region(&name).is_some() || state.long_term().any(|(region, _)| region == name);
    is_known.then_some(name)
}

/// The observed side effects without files and hosts of the task: a target that the skill itself names stays, another one
/// is kept as its kind.
fn impersonal(outcome: &OutcomeEvent, state: &CortexState) -> Vec<String> {
    let records = state.regions().filter_map(|(_, region)| region.candidate(&outcome.slug));
    let known: Vec<&String> = records
        .flat_map(|record| &record.side_effects)
        .chain(outcome.side_effects.iter().flatten())
        .collect();
    let general = |tag: &String| match tag.split_once(':') {
        Some((verb @ ("write" | "delete"), _)) if !known.contains(&tag) => format!("{verb}:file"),
        Some(("network", _)) if !known.contains(&tag) => "network:host".to_owned(),
        _ => tag.clone(),
    };
    let mut observed: Vec<String> = Vec::new();
    for tag in outcome.observed.iter().map(general) {
        if !observed.contains(&tag) {
            observed.push(tag);
        }
    }
    observed
}

/// The key of a failure: as it was named, without a value, or as the detail says it.
fn cause(outcome: &OutcomeEvent, experience: &Experience) -> Option<String> {
    let result = outcome.result;
    if !result.is_failure() {
        return None;
    }
    let named = outcome.key.as_deref().and_then(|key| prowess_trace::cause_key(result, key));
    let read =
        || prowess_trace::read_failure(outcome.detail.as_deref()?).filter(|read| read.result == result)?.key;
    // A program or module is a name of the trade; everything else may be a name of the task.
    let is_private = |key: &String| {
        let task = experience.task.as_deref().unwrap_or_default();
        experience.is_from_run && result != OutcomeResult::DependencyMissing && names_task(key, task)
    };
    named.or_else(read).filter(|key| !is_private(key)).or_else(|| {
        // Words of the task are not for a lesson, and its kind says what the skill cannot do.
        (experience.is_from_run && result == OutcomeResult::TaskMismatch)
            .then(|| format!("tasks of the kind `{}`", outcome.region))
    })
}

/// Returns true if a key has a name, a number or an address of a task in it.
fn names_task(key: &str, task: &str) -> bool {
    let (key, known) = (key.to_lowercase(), signals(task));
    task.split_whitespace().enumerate().any(|(place, word)| {
        let word = word.trim_matches(|char: char| !char.is_alphanumeric());
        let is_name = word.chars().any(|char| char.is_numeric() || "@/.:".contains(char))
            || (place > 0 && word.chars().any(char::is_uppercase));
        let lower = word.to_lowercase();
        is_name
            && !known.contains(&lower)
            && (key.contains(&lower) || (key.contains('.') && lower.contains(&key)))
    })
}

/// Returns the changes that an outcome made.
fn told(
    before: &CortexState,
    after: &CortexState,
    outcome: &OutcomeEvent,
    now: i64,
    rules: Rules,
) -> Learned {
    let (region, slug, result) = (outcome.region.as_str(), outcome.slug.as_str(), outcome.result);
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
    let dropped = dropped(before, after, outcome, now, rules);
    let is_dropped = |one: &&DroppedCandidate| one.region == region && one.slug == slug;
    Learned {
        region: region.to_owned(),
        slug: slug.to_owned(),
        result,
        before: old.as_ref().map(|candidate| candidate.weight),
        weight: new
            .as_ref()
            .map(|candidate| candidate.weight)
            .or_else(|| dropped.iter().find(is_dropped).map(|one| one.weight)),
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
        pruned: dropped.iter().map(|one| format!("{}/{}", one.region, one.slug)).collect(),
        dropped,
    }
}

/// The candidates that an outcome cost, and the skill itself if it did not become one.
fn dropped(
    before: &CortexState,
    after: &CortexState,
    outcome: &OutcomeEvent,
    now: i64,
    rules: Rules,
) -> Vec<DroppedCandidate> {
    let is_left = |region: &str, slug: &str| {
        after.region(region).is_some_and(|region| region.candidate(slug).is_some())
            || after.long_term().any(|(name, kept)| name == region && kept.slug == slug)
    };
    let all = before.regions().flat_map(|(name, region)| {
        region.candidates.iter().map(move |candidate| (name, candidate.slug.as_str(), candidate.weight))
    });
    let is_itself = |region: &str, slug: &str| region == outcome.region && slug == outcome.slug;
    let gone = all.filter(|(region, slug, _)| !is_left(region, slug) && !is_itself(region, slug));
    let itself = (outcome.result != OutcomeResult::Unknown && !is_left(&outcome.region, &outcome.slug))
        .then(|| (outcome.region.as_str(), outcome.slug.as_str(), before.weight_after(outcome, now, rules)));
    gone.chain(itself)
        .map(|(region, slug, weight)| DroppedCandidate {
            region: region.to_owned(),
            slug: slug.to_owned(),
            weight,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_no_name_of_the_task() {
        let task = "Look up the todos of Alice Meyer at https://todo.example.org/a for 2026-03-04";
        for private in ["cannot read the list of Alice", "todo.example.org", "not for 2026-03-04"] {
            assert!(names_task(private, task), "{private}");
        }
        for key in ["cannot complete a todo", "api.todoist.com", "TODOIST_API_KEY", "looks at nothing"] {
            assert!(!names_task(key, task), "{key}");
        }
    }
}
