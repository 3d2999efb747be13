//! Learning from an outcome: weight, streak, reflex, signals and the move to and from the long-term skills.

use serde_json::Map;
use unicode_normalization::UnicodeNormalization as _;

use crate::constants::{INITIAL_WEIGHT, MAX_SIGNALS, MAX_SUCCESS_DATES, MAX_VECTORS, RECENT_WINDOW_DAYS};
use crate::state::{CortexState, Touched};
use crate::vector::merge_vectors;
use crate::{
    CortexCandidate, Day, LastFail, LongTermRecord, OutcomeEvent, Pattern, Region, RetentionEvent, Rules,
    TaskVector, Tenure,
};
use prowess_types::OutcomeResult;

impl CortexState {
    pub(crate) fn learn_outcome(&mut self, outcome: &OutcomeEvent, today: Day, rules: Rules) -> Touched {
        if outcome.result == OutcomeResult::Unknown || outcome.region.is_empty() || outcome.slug.is_empty() {
            return Touched::Nothing;
        }
        self.demote_other_version(&outcome.slug, &outcome.version);
        self.demote_other_content(&outcome.slug, outcome.content_hash.as_deref());
        let is_kept = |kept: &LongTermRecord| kept.candidate.slug == outcome.slug;
        if outcome.tenure == Tenure::LongTerm || self.long_term.iter().any(is_kept) {
            self.learn_long_term(outcome, today, rules);
        } else {
            let region = self.document.cortex.motor.entry(outcome.region.clone()).or_default();
            learn_in(region, outcome, today, rules);
            self.learn_signals(&outcome.region, &outcome.signals, outcome.vector.as_slice());
        }
        self.observe(outcome, today);
        Touched::Region(outcome.region.clone())
    }

    fn learn_long_term(&mut self, outcome: &OutcomeEvent, today: Day, rules: Rules) {
        let is_same =
            |kept: &LongTermRecord| kept.region == outcome.region && kept.candidate.slug == outcome.slug;
        let position = self.long_term.iter().position(is_same).unwrap_or_else(|| {
            let candidate = CortexCandidate::new(&outcome.slug);
            self.long_term.push(LongTermRecord {
                region: outcome.region.clone(),
                signals: Vec::new(),
                vectors: Vec::new(),
                candidate,
            });
            self.long_term.len() - 1
        });
        let kept = &mut self.long_term[position];
        merge_signals(&mut kept.signals, &outcome.signals);
        merge_vectors(&mut kept.vectors, outcome.vector.as_slice(), MAX_VECTORS);
        kept.signals.drain(..kept.signals.len().saturating_sub(MAX_SIGNALS));
        // As a region of its own: the formulas are the same, and its date of use is the candidate's.
        let mut alone = Region { last_used: kept.candidate.last_used, ..Region::default() };
        alone.candidates.push(kept.candidate.clone());
        learn_in(&mut alone, outcome, today, rules);
        alone.candidates.truncate(1);
        if let Some(candidate) = alone.candidates.pop() {
            kept.candidate = candidate;
            kept.candidate.last_used = Some(today);
            kept.candidate.reflex = false;
        }
    }

    /// The user keeps a skill: its record leaves every region, and what was learned stays with selection.
    pub(crate) fn keep(&mut self, answer: &RetentionEvent) -> Touched {
        let memory = &mut self.document.cortex;
        for (name, region) in &mut memory.motor {
            let pattern = memory.sensory.patterns.iter().find(|pattern| pattern.region == *name);
            let signals = pattern.map(|pattern| pattern.signal.clone()).unwrap_or_default();
            let vectors = pattern.map(|pattern| pattern.vectors.clone()).unwrap_or_default();
            let last_used = region.last_used;
            let leaving = region.candidates.extract_if(.., |candidate| candidate.slug == answer.slug);
            self.long_term.extend(leaving.map(|mut candidate| {
                candidate.reflex = false;
                candidate.last_used = candidate.last_used.or(last_used);
                LongTermRecord {
                    region: name.clone(),
                    signals: signals.clone(),
                    vectors: vectors.clone(),
                    candidate,
                }
            }));
        }
        Touched::Everything
    }

    /// A skill that has to be installed for a task is none of the user's own any more.
    pub(crate) fn return_from_long_term(&mut self, slug: &str) -> Touched {
        let returning: Vec<_> = self.long_term.extract_if(.., |kept| kept.candidate.slug == slug).collect();
        if returning.is_empty() {
            return Touched::Nothing;
        }
        for LongTermRecord { region: name, signals, vectors, candidate } in returning {
            let region = self.document.cortex.motor.entry(name.clone()).or_default();
            region.last_used = region.last_used.max(candidate.last_used);
            region.candidates.retain(|other| other.slug != candidate.slug);
            region.candidates.push(candidate);
            self.learn_signals(&name, &signals, &vectors);
        }
        Touched::Everything
    }

    /// The registry's version counts for a skill wherever it is a candidate. The new one is stored by its first success.
    pub(crate) fn see_version(&mut self, slug: &str, version: &str) {
        self.demote_other_version(slug, version);
    }

    fn demote_other_version(&mut self, slug: &str, version: &str) {
        let is_changed = |candidate: &&mut CortexCandidate| {
            candidate.slug == slug
                && !version.is_empty()
                && !candidate.version.is_empty()
                && candidate.version != version
        };
        self.records_mut().filter(is_changed).for_each(CortexCandidate::demote);
    }

    /// Other files are another version, whatever their label says.
    fn demote_other_content(&mut self, slug: &str, hash: Option<&str>) {
        let is_changed = |candidate: &&mut CortexCandidate| {
            candidate.slug == slug
                && hash.is_some()
                && candidate.content_hash.is_some()
                && candidate.content_hash.as_deref() != hash
        };
        self.records_mut().filter(is_changed).for_each(CortexCandidate::demote);
    }

    /// The files that came are not those that earned the reflex.
    pub(crate) fn withdraw_reflex(&mut self, slug: &str) {
        self.records_mut().filter(|candidate| candidate.slug == slug).for_each(CortexCandidate::demote);
    }

    /// Every record of a skill, candidates first.
    fn records_mut(&mut self) -> impl Iterator<Item = &mut CortexCandidate> {
        let in_regions = self.document.cortex.motor.values_mut().flat_map(|region| &mut region.candidates);
        in_regions.chain(self.long_term.iter_mut().map(|kept| &mut kept.candidate))
    }

    /// The weight that an outcome gives to a skill, also where it is not kept as a candidate for it.
    pub fn weight_after(&self, outcome: &OutcomeEvent, clock: i64, rules: Rules) -> f64 {
        let known = self.region(&outcome.region);
        let mut alone = Region { last_used: known.and_then(|region| region.last_used), ..Region::default() };
        alone.candidates.extend(known.and_then(|region| region.candidate(&outcome.slug)).cloned());
        learn_in(&mut alone, outcome, Day::of(clock), rules);
        alone.candidates.first().map_or(INITIAL_WEIGHT, |candidate| candidate.weight)
    }

    pub(crate) fn learn_signals(&mut self, region: &str, signals: &[String], vectors: &[TaskVector]) {
        if signals.is_empty() && vectors.is_empty() {
            return;
        }
        let patterns = &mut self.document.cortex.sensory.patterns;
        let known = patterns.iter().position(|pattern| pattern.region == region);
        let position = known.unwrap_or_else(|| {
            patterns.push(Pattern { region: region.to_owned(), ..Pattern::default() });
            patterns.len() - 1
        });
        merge_signals(&mut patterns[position].signal, signals);
        merge_vectors(&mut patterns[position].vectors, vectors, MAX_VECTORS);
    }
}

/// Adds words that are not there yet, in their order, in lower case and NFC.
pub(crate) fn merge_signals(known: &mut Vec<String>, new: &[String]) {
    for word in new {
        let word: String = word.trim().to_lowercase().nfc().collect();
        if !word.is_empty() && !known.contains(&word) {
            known.push(word);
        }
    }
}

fn learn_in(region: &mut Region, outcome: &OutcomeEvent, today: Day, rules: Rules) {
    let known = region.candidates.iter().position(|candidate| candidate.slug == outcome.slug);
    let position = known.unwrap_or_else(|| {
        region.candidates.push(CortexCandidate::new(&outcome.slug));
        region.candidates.len() - 1
    });
    // As written, reading the file resets the counters of a region that rested.
    if rules == Rules::AsWritten {
        for at in 0..region.candidates.len() {
            let recent = rules.recent_successes(&region.candidates[at], region, today);
            region.candidates[at].runs.recent_successes_7d = recent;
        }
    }
    let recent = rules.recent_successes(&region.candidates[position], region, today);
    let candidate = &mut region.candidates[position];
    describe(candidate, outcome);
    if outcome.result == OutcomeResult::Success {
        candidate.succeed(recent);
        if !outcome.version.is_empty() {
            candidate.version.clone_from(&outcome.version);
        }
        if outcome.content_hash.is_some() {
            candidate.content_hash.clone_from(&outcome.content_hash);
        }
        candidate.promote_if_earned(rules);
    } else {
        candidate.fail(LastFail {
            kind: outcome.result,
            detail: outcome.detail.clone().or_else(|| outcome.key.clone()).unwrap_or_default(),
            date: Some(today),
            extra: Map::new(),
        });
    }
    if rules == Rules::Prowess {
        remember_dates(candidate, outcome.result, today);
    }
    region.last_used = Some(today);
}

fn describe(candidate: &mut CortexCandidate, outcome: &OutcomeEvent) {
    if candidate.version.is_empty() {
        candidate.version.clone_from(&outcome.version);
    }
    if !outcome.source.is_empty() {
        candidate.source.clone_from(&outcome.source);
    }
    if let Some(side_effects) = &outcome.side_effects {
        candidate.widen(side_effects);
    }
    candidate.observe(&outcome.observed);
    candidate.skill_md_chars = outcome.skill_md_chars.unwrap_or(candidate.skill_md_chars);
    candidate.skill_md_bytes = outcome.skill_md_bytes.or(candidate.skill_md_bytes);
}

/// Keeps the dates of the last week. A date the clock has not reached yet becomes today: one that jumped is forgotten.
fn remember_dates(candidate: &mut CortexCandidate, result: OutcomeResult, today: Day) {
    candidate.last_used = Some(today);
    let dates = &mut candidate.runs.success_dates;
    for date in dates.iter_mut() {
        *date = (*date).min(today);
    }
    dates.retain(|date| today.days_since(*date) < RECENT_WINDOW_DAYS);
    if result == OutcomeResult::Success {
        dates.push(today);
    }
    let surplus = dates.len().saturating_sub(MAX_SUCCESS_DATES);
    dates.drain(..surplus);
    candidate.runs.recent_successes_7d = dates.len() as u64;
    // Side effects seen later take a reflex back: the flag never promises what the fast path refuses.
    if candidate.blocking().next().is_some() {
        candidate.reflex = false;
    }
}
