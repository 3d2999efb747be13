//! Perception: which region a task belongs to, from similarities the caller measured.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{CortexState, Listed, Pattern, Rules};

/// The region a task belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Match")]
pub struct RegionMatch {
    /// The region.
    pub region: String,
    /// How much the task resembles its pattern.
    pub similarity: f64,
}

/// What a task brings to mind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Perception {
    /// The region whose pattern is nearest, if one is near enough.
    pub region: Option<RegionMatch>,
    /// The nearest pattern of all, near enough or not.
    pub nearest: Option<RegionMatch>,
    /// What the region offers, best first.
    pub candidates: Vec<Listed>,
}

impl CortexState {
    /// Finds the region of a task. `similarity` says how near the task is to a pattern (by meaning, or
    /// [`lexical_similarity`]); what is not a number is not near. Equals are told apart by the effective weight of their
    /// best candidate, then by name.
    pub fn perceive(
        &self,
        similarity: &dyn Fn(&Pattern) -> f64,
        threshold: f64,
        clock: i64,
        rules: Rules,
    ) -> Perception {
        let mut nearest: Option<(RegionMatch, Vec<Listed>)> = None;
        for pattern in self.patterns() {
            let value = similarity(pattern);
            let best = nearest.as_ref().map_or(f64::NEG_INFINITY, |(nearest, _)| nearest.similarity);
            if value.is_nan() || value < best {
                continue;
            }
            let found = RegionMatch { region: pattern.region.clone(), similarity: value };
            let candidates = self.listing(&pattern.region, clock, rules);
            let weight = |candidates: &[Listed]| candidates.first().map_or(0.0, |first| first.effective);
            let is_better = nearest.as_ref().is_none_or(|(other, others)| {
                let by_weight = weight(&candidates).total_cmp(&weight(others));
                value > best || by_weight.then_with(|| other.region.cmp(&found.region)).is_gt()
            });
            if is_better {
                nearest = Some((found, candidates));
            }
        }
        match nearest {
            Some((nearest, candidates)) if nearest.similarity >= threshold => {
                Perception { region: Some(nearest.clone()), nearest: Some(nearest), candidates }
            }
            nearest => Perception { nearest: nearest.map(|(nearest, _)| nearest), ..Perception::default() },
        }
    }

    /// What every task with a history sounds like, also the tasks of long-term skills: for the prior.
    pub fn task_patterns(&self) -> Vec<Pattern> {
        let mut patterns = self.patterns().to_vec();
        let is_known = |kept: &&crate::LongTermRecord| !kept.signals.is_empty() || !kept.vectors.is_empty();
        for kept in self.long_term.iter().filter(is_known) {
            let known = patterns.iter().position(|pattern| pattern.region == kept.region);
            let position = known.unwrap_or_else(|| {
                patterns.push(Pattern { region: kept.region.clone(), ..Pattern::default() });
                patterns.len() - 1
            });
            crate::learn::merge_signals(&mut patterns[position].signal, &kept.signals);
            crate::vector::merge_vectors(&mut patterns[position].vectors, &kept.vectors, usize::MAX);
        }
        patterns
    }

    /// A name for the region of a task that belongs to none so far: one that no other kind of task has.
    pub fn free_region(&self, signals: &[String], task: &str) -> String {
        let name = region_name(signals, task);
        let is_taken = self.region(&name).is_some()
            || self.patterns().iter().any(|pattern| pattern.region == name && !pattern.vectors.is_empty())
            || self.long_term.iter().any(|kept| kept.region == name);
        if is_taken && !signals.is_empty() { format!("{name}-{}", suffix(task)) } else { name }
    }
}

/// The share of a task's words that a pattern knows: without an encoder, better than nothing.
///
/// ```
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// assert_eq!(prowess_cortex::lexical_similarity(&words("query sales"), &words("query sales report")), 1.0);
/// assert_eq!(prowess_cortex::lexical_similarity(&words("query weather"), &words("query sales report")), 0.5);
/// ```
pub fn lexical_similarity(task: &[String], pattern: &[String]) -> f64 {
    let task: BTreeSet<&String> = task.iter().collect();
    if task.is_empty() {
        return 0.0;
    }
    task.iter().filter(|word| pattern.contains(word)).count() as f64 / task.len() as f64
}

/// A name for the region of a task that was not seen before: its first words, or a digest of a task without any.
///
/// ```
/// use prowess_cortex::region_name;
///
/// assert_eq!(region_name(&["query".into(), "sales".into(), "report".into()], "Query the sales report"), "query-sales");
/// assert_eq!(region_name(&[], "Frobnicate Alice"), region_name(&[], " frobnicate  alice"));
/// assert_ne!(region_name(&[], "Frobnicate Alice"), region_name(&[], "Frobnicate Bob"));
/// ```
pub fn region_name(signals: &[String], task: &str) -> String {
    match signals {
        [] => format!("task-{}", suffix(task)),
        [first] => first.clone(),
        [first, second, ..] => format!("{first}-{second}"),
    }
}

/// Six digits of a digest: they tell tasks apart and say nothing about them.
fn suffix(task: &str) -> String {
    let words = task.to_lowercase();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for word in words.split_whitespace() {
        for byte in word.bytes().chain([b' ']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{:06x}", (hash ^ (hash >> 24) ^ (hash >> 48)) & 0xff_ffff)
}

#[cfg(test)]
#[path = "perceive_tests.rs"]
mod tests;
