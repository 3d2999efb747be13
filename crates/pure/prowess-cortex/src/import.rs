//! Merging a file from outside into the state, as an event of its own.
//!
//! What is recorded is not the file but the *change* it stands for. A file that was exported here and then edited is
//! compared with the export it came from, so counts become increments and a later outcome is not undone. A file from
//! elsewhere is joined: it adds what is missing and what it knows better, and takes nothing away. Either import has
//! a digest, and the same one is folded once: importing twice changes nothing.

mod keyed;

use crate::constants::{MAX_SUCCESS_DATES, MAX_VECTORS, REFLEX_STREAK};
use crate::delta::ValueDelta;
use crate::document::{Memory, Region};
use crate::learn::merge_signals;
use crate::vector::merge_vectors;
use crate::{CortexCandidate, CortexFile, CortexState, Import, Lesson, LongTermRecord, Rules};

/// Imports that are remembered.
const MAX_IMPORTS: usize = 64;

impl Import {
    /// The edits of a file that was exported as `base`: the fold of as many events as the file says
    /// ([`CortexFile::events`]). None if there are none.
    pub fn edited(base: &CortexFile, file: &CortexFile) -> Option<Self> {
        Self::between(base, file, file)
    }

    /// What a file from elsewhere adds to the present state. None if it adds nothing.
    pub fn merged(state: &CortexState, file: &CortexFile) -> Option<Self> {
        let mut joined = state.document.clone();
        join(&mut joined, file);
        let is_new = |kept: &&LongTermRecord| !state.knows(kept);
        let long_term: Vec<_> = file.long_term.iter().filter(is_new).cloned().collect();
        let digest = || digest(&crate::write_document(file));
        match Self::between(&state.document, &joined, file) {
            Some(import) => Some(Self { long_term, ..import }),
            None if long_term.is_empty() => None,
            None => Some(Self { digest: digest(), delta: ValueDelta::Within(Vec::new()), long_term }),
        }
    }

    fn between(base: &CortexFile, target: &CortexFile, file: &CortexFile) -> Option<Self> {
        let delta = ValueDelta::between(&keyed::from_document(base), &keyed::from_document(target))?;
        Some(Self { digest: digest(&crate::write_document(file)), delta, long_term: Vec::new() })
    }
}

impl CortexState {
    /// Returns true if an import was folded already, so that it need not be recorded again.
    pub fn has_imported(&self, import: &Import) -> bool {
        self.imports.contains(&import.digest)
    }

    /// Returns true if something is known about a long-term skill for its kind of task.
    fn knows(&self, kept: &LongTermRecord) -> bool {
        let is_same = |known: &LongTermRecord| {
            known.region == kept.region && known.candidate.slug == kept.candidate.slug
        };
        let is_candidate =
            self.region(&kept.region).is_some_and(|region| region.candidate(&kept.candidate.slug).is_some());
        is_candidate || self.long_term.iter().any(is_same)
    }

    pub(crate) fn merge(&mut self, import: &Import, rules: Rules) {
        if self.has_imported(import) {
            return;
        }
        let mut keyed = keyed::from_document(&self.document);
        import.delta.apply(&mut keyed);
        // A change that was made for another shape leaves everything as it was.
        let Some(mut document) = keyed::to_document(keyed) else { return };
        document.clamp();
        document.events = None;
        document.long_term = Vec::new();
        for region in document.cortex.motor.values_mut() {
            adopt(region, rules);
        }
        self.document = document;
        for kept in &import.long_term {
            if !self.knows(kept) {
                self.long_term.push(kept.clone());
            }
        }
        self.imports.push(import.digest.clone());
        let surplus = self.imports.len().saturating_sub(MAX_IMPORTS);
        self.imports.drain(..surplus);
    }
}

/// Gives records of other programs what the repaired rules expect.
fn adopt(region: &mut Region, rules: Rules) {
    let last_used = region.last_used;
    for candidate in region.candidates.iter_mut().filter(|_| rules == Rules::Prowess) {
        let runs = &mut candidate.runs;
        if let Some(day) = candidate.last_used.or(last_used).filter(|_| runs.success_dates.is_empty()) {
            let count = usize::try_from(runs.recent_successes_7d).unwrap_or(usize::MAX);
            runs.success_dates = vec![day; count.min(MAX_SUCCESS_DATES)];
        }
        let surplus = runs.success_dates.len().saturating_sub(MAX_SUCCESS_DATES);
        runs.success_dates.drain(..surplus);
        runs.recent_successes_7d = runs.success_dates.len() as u64;
        candidate.reflex &= candidate.streak() >= REFLEX_STREAK && candidate.blocking().next().is_none();
    }
}

/// Adds to `ours` what `theirs` has more of.
fn join(ours: &mut CortexFile, theirs: &CortexFile) {
    join_memory(&mut ours.cortex, &theirs.cortex);
    for banned in &theirs.blacklist {
        if !ours.blacklist.contains(banned) {
            ours.blacklist.push(banned.clone());
        }
    }
    let (stats, other) = (&mut ours.stats, &theirs.stats);
    stats.searches = stats.searches.max(other.searches);
    stats.installs = stats.installs.max(other.installs);
    stats.cache_hits = stats.cache_hits.max(other.cache_hits);
    stats.reflexes_fired = stats.reflexes_fired.max(other.reflexes_fired);
    add_missing(&mut stats.extra, &other.extra);
    for entry in &theirs.ledger {
        let is_same = |ours: &&mut crate::LedgerEntry| {
            (&ours.region, &ours.kind, &ours.key) == (&entry.region, &entry.kind, &entry.key)
        };
        match ours.ledger.iter_mut().find(is_same) {
            Some(known) => known.count = known.count.max(entry.count),
            None => ours.ledger.push(entry.clone()),
        }
    }
    add_missing(&mut ours.extra, &theirs.extra);
}

fn join_memory(ours: &mut Memory, theirs: &Memory) {
    for pattern in &theirs.sensory.patterns {
        match ours.sensory.patterns.iter_mut().find(|known| known.region == pattern.region) {
            Some(known) => {
                merge_signals(&mut known.signal, &pattern.signal);
                merge_vectors(&mut known.vectors, &pattern.vectors, MAX_VECTORS);
                add_missing(&mut known.extra, &pattern.extra);
            }
            None => ours.sensory.patterns.push(pattern.clone()),
        }
    }
    for (name, region) in &theirs.motor {
        let known = ours.motor.entry(name.clone()).or_default();
        known.last_used = known.last_used.max(region.last_used);
        add_missing(&mut known.extra, &region.extra);
        for candidate in &region.candidates {
            join_candidate(&mut known.candidates, candidate);
        }
    }
    for lesson in &theirs.prefrontal.lessons {
        let is_same = |known: &&mut Lesson| known.kind == lesson.kind;
        match ours.prefrontal.lessons.iter_mut().find(is_same) {
            Some(known) => known.confidence = known.confidence.max(lesson.confidence),
            None => ours.prefrontal.lessons.push(lesson.clone()),
        }
    }
    add_missing(&mut ours.extra, &theirs.extra);
    add_missing(&mut ours.sensory.extra, &theirs.sensory.extra);
    add_missing(&mut ours.prefrontal.extra, &theirs.prefrontal.extra);
}

/// The record with more runs knows better; side effects of both are true.
fn join_candidate(candidates: &mut Vec<CortexCandidate>, theirs: &CortexCandidate) {
    let Some(ours) = candidates.iter_mut().find(|known| known.slug == theirs.slug) else {
        return candidates.push(theirs.clone());
    };
    let (mut better, other) = if theirs.uses() > ours.uses() {
        (theirs.clone(), ours.clone())
    } else {
        (ours.clone(), theirs.clone())
    };
    let is_known = |candidate: &CortexCandidate| {
        !candidate.side_effects.iter().any(|tag| tag == crate::UNKNOWN_SIDE_EFFECT)
    };
    if is_known(&other) || other.unread {
        better.widen(&other.side_effects);
    }
    add_missing(&mut better.extra, &other.extra);
    *ours = better;
}

fn add_missing(
    ours: &mut serde_json::Map<String, serde_json::Value>,
    theirs: &serde_json::Map<String, serde_json::Value>,
) {
    for (name, value) in theirs {
        ours.entry(name.clone()).or_insert_with(|| value.clone());
    }
}

/// FNV-1a, twice with different starts: tells files apart, protects nothing.
fn digest(text: &str) -> String {
    let hash = |start: u64| {
        text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    format!("{:016x}{:016x}", hash(0xcbf2_9ce4_8422_2325), hash(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
