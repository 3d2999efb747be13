//! What was learned, as a small push for selection.
//!
//! The push is bounded, so learning can decide between skills that fit but never make one fit. A part of the bound is
//! kept for exploration: what was tried less often than its rivals gets a little more, so a new skill has its chance.

use serde::Serialize;

use crate::{CortexCandidate, CortexState, Day, RegionMatch, Rules};

/// How far the push may go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PriorSettings {
    /// The push is between minus this and plus this.
    pub bound: f64,
    /// The share of the bound that is kept for exploration, 0 to 1.
    pub exploration: f64,
}

impl Default for PriorSettings {
    fn default() -> Self {
        Self { bound: 0.15, exploration: 0.2 }
    }
}

/// The push for a skill, and how it came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SkillPrior {
    /// What to add to its score, within the bound.
    pub value: f64,
    /// The part that was learned.
    pub learned: f64,
    /// The part that is exploration.
    pub exploration: f64,
    /// The region the task belongs to.
    pub region: Option<RegionMatch>,
    /// Runs of the skill for such tasks.
    pub uses: u64,
    /// Runs of all skills for such tasks.
    pub region_uses: u64,
    /// Its weight today, if it has one.
    pub effective: Option<f64>,
}

impl CortexState {
    /// The push for a skill when a task belongs to a region ([`CortexState::perceive`], or the nearest of
    /// [`CortexState::task_patterns`]). Without a region, or without any run in it, there is none.
    ///
    /// The same question always gets the same answer: exploration counts runs and draws nothing.
    pub fn prior(
        &self,
        slug: &str,
        region: Option<&RegionMatch>,
        settings: PriorSettings,
        clock: i64,
        rules: Rules,
    ) -> SkillPrior {
        let Some(region) = region else { return SkillPrior::default() };
        let today = Day::of(clock);
        let records = self.records(&region.region, today, rules);
        let region_uses = records.iter().fold(0_u64, |sum, (record, _)| sum.saturating_add(record.uses()));
        let record = records.iter().find(|(record, _)| record.slug == slug);
        let effective = record.map(|(_, effective)| *effective);
        let uses = record.map_or(0, |(record, _)| record.uses());
        let bound = clean(settings.bound, f64::MAX);
        let explored = clean(settings.exploration, 1.0);
        let near = clean(region.similarity, 1.0);
        let trust = uses as f64 / (uses as f64 + 2.0);
        let opinion = effective.map_or(0.0, |effective| (2.0 * effective - 1.0).clamp(-1.0, 1.0));
        let learned = bound * (1.0 - explored) * near * trust * opinion;
        let exploration = bound * explored * near * curiosity(uses, region_uses);
        let value = (learned + exploration).clamp(-bound, bound);
        SkillPrior { value, learned, exploration, region: Some(region.clone()), uses, region_uses, effective }
    }

    /// Everything that was learned about skills for such tasks, with the weights of today.
    fn records(&self, name: &str, today: Day, rules: Rules) -> Vec<(&CortexCandidate, f64)> {
        let region = self.region(name);
        let candidates = region.into_iter().flat_map(|region| {
            region.candidates.iter().map(move |one| (one, rules.effective(one, region, today)))
        });
        let kept = self.long_term.iter().filter(|kept| kept.region == name).map(|kept| {
            let used = kept.candidate.last_used;
            (&kept.candidate, rules.effective_since(&kept.candidate, used, today))
        });
        candidates.chain(kept).collect()
    }
}

/// How little is known about a skill compared with its rivals, 0 to 1 (the bonus of UCB1, halved and capped).
fn curiosity(uses: u64, region_uses: u64) -> f64 {
    let bonus = (2.0 * (1.0 + region_uses as f64).ln() / (1.0 + uses as f64)).sqrt();
    (bonus / 2.0).min(1.0)
}

fn clean(value: f64, most: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, most) }
}

#[cfg(test)]
#[path = "prior_tests.rs"]
mod tests;
