//! What the log adds up to.
//!
//! Events are folded in the order of the log, whatever their clocks say: the log decides what came first, a clock only
//! says which day it was. The state holds nothing but the fold, so a replay gives the same state, bit for bit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::document::Memory;
use crate::{
    CortexCandidate, CortexFile, Day, Event, EventKind, Forgotten, LedgerEntry, Lesson, LessonKind,
    LessonRef, LongTermRecord, Pattern, Region, RetentionEvent, Rules, Stats,
};

/// Changes whenever the same log may add up to another state: a fold that was kept by another version is made anew.
pub const FOLD_VERSION: u32 = 2;

/// The fold of a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CortexState {
    /// What is exported.
    pub(crate) document: CortexFile,
    /// Skills the user has anyway, with what was learned about them: only the prior looks here.
    #[serde(default)]
    pub(crate) long_term: Vec<LongTermRecord>,
    /// Imports that are not to be repeated, oldest first.
    #[serde(default)]
    pub(crate) imports: Vec<String>,
    /// Events that were folded.
    #[serde(default)]
    applied: u64,
    /// Events nobody here understands.
    #[serde(default)]
    unknown: u64,
    /// The day for which everything was pruned.
    #[serde(default)]
    pub(crate) pruned_on: Option<Day>,
    /// The day since which a skill with a quality warning is not a candidate anywhere; noted once a day.
    #[serde(default)]
    pub(crate) absent: BTreeMap<String, Day>,
}

/// Which parts an event may have changed, so that the rest need not be pruned again on the same day.
pub(crate) enum Touched {
    Nothing,
    Region(String),
    Everything,
}

impl CortexState {
    /// Folds a log.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>, rules: Rules) -> Self {
        let mut state = Self::default();
        events.into_iter().for_each(|event| state.apply(event, rules));
        state
    }

    /// Folds one more event.
    pub fn apply(&mut self, event: &Event, rules: Rules) {
        let today = Day::of(event.clock);
        self.applied += 1;
        let touched = self.learn(&event.kind, today, rules);
        self.prune(&touched, today, rules);
    }

    fn learn(&mut self, kind: &EventKind, today: Day, rules: Rules) -> Touched {
        let stats = &mut self.document.stats;
        match kind {
            EventKind::Outcome(outcome) => return self.learn_outcome(outcome, today, rules),
            EventKind::Searched {} => stats.searches = stats.searches.saturating_add(1),
            EventKind::Installed { slug, .. } => {
                stats.installs = stats.installs.saturating_add(1);
                return self.return_from_long_term(slug);
            }
            EventKind::CacheHit { .. } => stats.cache_hits = stats.cache_hits.saturating_add(1),
            EventKind::ReflexFired { .. } => stats.reflexes_fired = stats.reflexes_fired.saturating_add(1),
            EventKind::InstallFailed { .. } | EventKind::ReflexCancelled { .. } => {}
            EventKind::ReflexWithdrawn { slug, .. } => self.withdraw_reflex(slug),
            EventKind::RetentionAccepted(answer) => return self.keep(answer),
            EventKind::RetentionDeclined(RetentionEvent { region, slug }) => {
                if let Some(candidate) = self.candidate_mut(region, slug) {
                    candidate.retention_declined = Some(today);
                }
            }
            EventKind::BlacklistAdded { slug } => {
                if !self.document.blacklist.contains(slug) {
                    self.document.blacklist.push(slug.clone());
                }
            }
            EventKind::BlacklistRemoved { slug } => self.document.blacklist.retain(|banned| banned != slug),
            EventKind::LessonValidated(lesson) => self.validate(lesson),
            EventKind::LessonContradicted(lesson) => {
                self.contradict(lesson);
                return Touched::Everything;
            }
            EventKind::Forgotten(what) => {
                self.forget(what);
                return Touched::Everything;
            }
            EventKind::Imported(import) => {
                self.merge(import, rules);
                return Touched::Everything;
            }
            EventKind::VersionSeen { slug, version } => self.see_version(slug, version),
            EventKind::Unknown { .. } => self.unknown += 1,
        }
        Touched::Nothing
    }

    fn forget(&mut self, what: &Forgotten) {
        // What was forgotten may be brought back from a file by the user's own hand.
        self.imports.clear();
        let memory = &mut self.document.cortex;
        match what {
            Forgotten::Everything => {
                *memory = Memory::default();
                self.document.stats = Stats::default();
                self.document.ledger.clear();
                self.long_term.clear();
            }
            Forgotten::Region { region } => {
                memory.motor.remove(region);
                memory.sensory.patterns.retain(|pattern| pattern.region != *region);
                memory.prefrontal.lessons.retain(|lesson| lesson.kind.region() != Some(region));
                self.document.ledger.retain(|entry| entry.region != *region);
                self.long_term.retain(|kept| kept.region != *region);
            }
            Forgotten::Skill { slug, region } => {
                let is_meant = |name: &str| region.as_ref().is_none_or(|region| region == name);
                for (_, region) in memory.motor.iter_mut().filter(|(name, _)| is_meant(name)) {
                    region.candidates.retain(|candidate| candidate.slug != *slug);
                }
                self.long_term.retain(|kept| kept.candidate.slug != *slug || !is_meant(&kept.region));
                if region.is_none() {
                    let about = LessonRef::SkillQualityWarning { slug: slug.clone(), detail: None };
                    memory.prefrontal.lessons.retain(|lesson| !lesson.kind.is(&about));
                }
            }
            Forgotten::Signal { region, signal } => {
                for pattern in memory.sensory.patterns.iter_mut().filter(|pattern| pattern.region == *region)
                {
                    pattern.signal.retain(|word| word != signal);
                    // They were computed from the word as well.
                    pattern.vectors.clear();
                }
                for kept in self.long_term.iter_mut().filter(|kept| kept.region == *region) {
                    kept.signals.retain(|word| word != signal);
                    kept.vectors.clear();
                }
            }
            Forgotten::Lesson { lesson: meant } => {
                memory.prefrontal.lessons.retain(|lesson| !lesson.kind.is(meant));
            }
        }
    }

    pub(crate) fn candidate_mut(&mut self, region: &str, slug: &str) -> Option<&mut CortexCandidate> {
        let candidates = &mut self.document.cortex.motor.get_mut(region)?.candidates;
        candidates.iter_mut().find(|candidate| candidate.slug == slug)
    }

    /// The regions with their candidates, by name.
    pub fn regions(&self) -> impl Iterator<Item = (&str, &Region)> {
        self.document.cortex.motor.iter().map(|(name, region)| (name.as_str(), region))
    }

    /// A region.
    pub fn region(&self, name: &str) -> Option<&Region> {
        self.document.cortex.motor.get(name)
    }

    /// The patterns, in the order they were learned.
    pub fn patterns(&self) -> &[Pattern] {
        &self.document.cortex.sensory.patterns
    }

    /// The lessons, in the order they were learned.
    pub fn lessons(&self) -> &[Lesson] {
        &self.document.cortex.prefrontal.lessons
    }

    /// Lessons to show with a plan: those of the region, and those about the skill.
    pub fn lessons_for<'a>(&'a self, region: &'a str, slug: &'a str) -> impl Iterator<Item = &'a Lesson> {
        self.lessons().iter().filter(move |lesson| match &lesson.kind {
            LessonKind::SkillQualityWarning { slug: about, .. } => about == slug,
            kind => kind.region() == Some(region),
        })
    }

    /// What is banned: `slug` or `slug@version`.
    pub fn blacklist(&self) -> &[String] {
        &self.document.blacklist
    }

    /// Returns true if a version of a skill is banned.
    pub fn is_blacklisted(&self, slug: &str, version: &str) -> bool {
        let bans = |banned: &String| {
            banned == slug
                || banned
                    .rsplit_once('@')
                    .is_some_and(|(name, of)| name == slug && of == version && !of.is_empty())
        };
        self.document.blacklist.iter().any(bans)
    }

    /// The counts.
    pub fn stats(&self) -> &Stats {
        &self.document.stats
    }

    /// Observations that may become lessons.
    pub fn ledger(&self) -> &[LedgerEntry] {
        &self.document.ledger
    }

    /// Long-term skills something was learned about: region and record.
    pub fn long_term(&self) -> impl Iterator<Item = (&str, &CortexCandidate)> {
        self.long_term.iter().map(|kept| (kept.region.as_str(), &kept.candidate))
    }

    /// The number of events that were folded.
    pub fn events(&self) -> u64 {
        self.applied
    }

    /// How many of them nobody here understands.
    pub fn unknown_events(&self) -> u64 {
        self.unknown
    }

    /// What is written to `cortex.json`.
    pub fn export(&self) -> CortexFile {
        let events = Some(self.applied).filter(|events| *events > 0);
        CortexFile { events, long_term: self.long_term.clone(), ..self.document.clone() }
    }
}

#[cfg(test)]
#[path = "state_properties.rs"]
mod properties;
#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
