//! Keeping the memory small: what is worthless goes first, then what is least.
//!
//! The order matters and is fixed: weak candidates, the sixth of a region, regions without candidates, the
//! eighty-first region, patterns and signals, weak lessons, lessons of regions that went, the thirty-first lesson.
//! What goes here stays in the log.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::constants::{
    LESSON_THRESHOLD, MAX_CANDIDATES, MAX_LEDGER, MAX_LESSONS, MAX_LONG_TERM, MAX_REGIONS, MAX_SIGNALS,
    MAX_VECTORS, PRUNE_THRESHOLD, QUALITY_DAYS,
};
use crate::state::{CortexState, Touched};
use crate::vector::cap_vectors;
use crate::{Day, LessonKind, Pattern, Region, Rules};

impl CortexState {
    /// Prunes what may have to go. On the same day, only what was touched can have changed.
    pub(crate) fn prune(&mut self, touched: &Touched, today: Day, rules: Rules) {
        let is_new_day = self.pruned_on != Some(today);
        match touched {
            Touched::Nothing if !is_new_day => return,
            Touched::Region(name) if !is_new_day => self.prune_region(name, today, rules),
            _ => self.prune_regions(today, rules),
        }
        self.prune_lessons();
        let surplus = self.document.ledger.len().saturating_sub(MAX_LEDGER);
        self.document.ledger.drain(..surplus);
        self.prune_long_term();
    }

    fn prune_regions(&mut self, today: Day, rules: Rules) {
        let memory = &mut self.document.cortex;
        memory.motor.values_mut().for_each(|region| prune_candidates(region, today, rules));
        memory.motor.retain(|_, region| !region.candidates.is_empty());
        self.cap_regions();
        self.prune_patterns();
        self.document.cortex.sensory.patterns.iter_mut().for_each(cap_signals);
        self.note_absent_skills(today);
        self.pruned_on = Some(today);
    }

    fn prune_region(&mut self, name: &str, today: Day, rules: Rules) {
        let memory = &mut self.document.cortex;
        let count = memory.motor.len();
        if let Some(region) = memory.motor.get_mut(name) {
            prune_candidates(region, today, rules);
            if region.candidates.is_empty() {
                memory.motor.remove(name);
            }
        }
        self.cap_regions();
        if self.document.cortex.motor.len() != count {
            self.prune_patterns();
        }
        let patterns = &mut self.document.cortex.sensory.patterns;
        patterns.iter_mut().filter(|pattern| pattern.region == name).for_each(cap_signals);
    }

    /// Drops the regions that were used longest ago.
    fn cap_regions(&mut self) {
        let motor = &mut self.document.cortex.motor;
        let surplus = motor.len().saturating_sub(MAX_REGIONS);
        if surplus > 0 {
            // Names are in order, and the sort keeps equals in theirs.
            let mut names: Vec<_> =
                motor.iter().map(|(name, region)| (region.last_used, name.clone())).collect();
            names.sort_by_key(|(last_used, _)| *last_used);
            for (_, name) in &names[..surplus] {
                motor.remove(name);
            }
        }
    }

    /// A pattern goes with its region.
    fn prune_patterns(&mut self) {
        let memory = &mut self.document.cortex;
        memory.sensory.patterns.retain(|pattern| memory.motor.contains_key(&pattern.region));
    }

    fn prune_lessons(&mut self) {
        let memory = &mut self.document.cortex;
        let (motor, lessons) = (&memory.motor, &mut memory.prefrontal.lessons);
        lessons.retain(|lesson| lesson.confidence >= LESSON_THRESHOLD);
        let long_term = &self.long_term;
        let is_known =
            |region: &str| motor.contains_key(region) || long_term.iter().any(|kept| kept.region == region);
        lessons.retain(|lesson| lesson.kind.region().is_none_or(is_known));
        let surplus = lessons.len().saturating_sub(MAX_LESSONS);
        if surplus > 0 {
            let mut weakest: Vec<usize> = (0..lessons.len()).collect();
            weakest.sort_by(|one, other| lessons[*one].confidence.total_cmp(&lessons[*other].confidence));
            let gone: BTreeSet<usize> = weakest.into_iter().take(surplus).collect();
            let mut at = 0;
            lessons.retain(|_| {
                at += 1;
                !gone.contains(&(at - 1))
            });
        }
    }

    fn prune_long_term(&mut self) {
        let surplus = self.long_term.len().saturating_sub(MAX_LONG_TERM);
        if surplus > 0 {
            self.long_term.sort_by(|one, other| {
                let key = |kept: &crate::LongTermRecord| Reverse(kept.candidate.last_used);
                key(one)
                    .cmp(&key(other))
                    .then_with(|| one.region.cmp(&other.region))
                    .then_with(|| one.candidate.slug.cmp(&other.candidate.slug))
            });
            self.long_term.truncate(MAX_LONG_TERM);
        }
    }

    /// A warning about a skill that is no candidate any more lasts half a year.
    fn note_absent_skills(&mut self, today: Day) {
        let memory = &mut self.document.cortex;
        let (motor, lessons) = (&memory.motor, &mut memory.prefrontal.lessons);
        let is_candidate =
            |slug: &str| motor.values().any(|region: &Region| region.candidate(slug).is_some());
        let mut absent = BTreeMap::new();
        lessons.retain(|lesson| {
            let LessonKind::SkillQualityWarning { slug, .. } = &lesson.kind else { return true };
            if is_candidate(slug) {
                return true;
            }
            let since = self.absent.get(slug).copied().unwrap_or(today).min(today);
            absent.insert(slug.clone(), since);
            today.days_since(since) <= QUALITY_DAYS
        });
        self.absent = absent;
    }
}

/// The words that were learned first go first.
fn cap_signals(pattern: &mut Pattern) {
    pattern.signal.drain(..pattern.signal.len().saturating_sub(MAX_SIGNALS));
    cap_vectors(&mut pattern.vectors, MAX_VECTORS);
}

/// Drops weak candidates and all but the best five; those that stay keep their order.
pub(crate) fn prune_candidates(region: &mut Region, today: Day, rules: Rules) {
    let weights: Vec<f64> =
        region.candidates.iter().map(|candidate| rules.effective(candidate, region, today)).collect();
    let mut best: Vec<usize> = (0..weights.len()).filter(|at| weights[*at] >= PRUNE_THRESHOLD).collect();
    if best.len() == weights.len() && best.len() <= MAX_CANDIDATES {
        return;
    }
    best.sort_by(|one, other| {
        let slug = |at: &usize| &region.candidates[*at].slug;
        weights[*other].total_cmp(&weights[*one]).then_with(|| slug(one).cmp(slug(other)))
    });
    best.truncate(MAX_CANDIDATES);
    let mut at = 0;
    region.candidates.retain(|_| {
        at += 1;
        best.contains(&(at - 1))
    });
}
