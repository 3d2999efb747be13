//! The course of the weights of the candidates, event by event: derived from the log, for plots.

use std::collections::BTreeMap;

use prowess_cortex::CortexState;
use serde::Serialize;

use super::{Cortex, CortexError};

/// The filter of weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightsFilter<'a> {
    /// Only those for this kind of task.
    pub region: Option<&'a str>,
    /// Only those of this skill.
    pub slug: Option<&'a str>,
    /// The maximum number of points of a series, the latest.
    pub limit: Option<usize>,
}

/// The weight of one candidate over time.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct WeightSeries {
    /// The kind of task.
    pub region: String,
    /// The skill.
    pub slug: String,
    /// Its weight after every event that moved it, the earliest first.
    pub points: Vec<WeightPoint>,
}

/// A weight after an event.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct WeightPoint {
    /// The number of the event in the log.
    pub seq: i64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What happened.
    pub event: String,
    /// The weight before decay; none when it is no candidate any more.
    pub weight: Option<f64>,
    /// Whether it has a reflex.
    pub reflex: bool,
}

impl Cortex<'_> {
    /// Returns the course of the weights, one series per candidate.
    pub fn weights(&self, filter: WeightsFilter<'_>) -> Result<Vec<WeightSeries>, CortexError> {
        let mut series: BTreeMap<(String, String), Vec<WeightPoint>> = BTreeMap::new();
        let mut state = CortexState::default();
        let mut known = BTreeMap::new();
        for logged in self.log.read_since(0)? {
            state.apply(&logged.event, self.rules);
            let now = weights_of(&state, filter);
            let gone = known.keys().filter(|key| !now.contains_key(*key)).cloned();
            let gone: Vec<_> = gone.map(|key| (key, (None, false))).collect();
            let moved = now.iter().filter(|(key, value)| known.get(*key) != Some(*value));
            let moved: Vec<_> =
                moved.map(|(key, (weight, reflex))| (key.clone(), (Some(*weight), *reflex))).collect();
            for (key, (weight, reflex)) in moved.into_iter().chain(gone) {
                let event = logged.event.kind.name().to_owned();
                let point = WeightPoint { seq: logged.seq, at: logged.event.clock, event, weight, reflex };
                series.entry(key).or_default().push(point);
            }
            known = now;
        }
        let cut = |mut points: Vec<WeightPoint>| {
            let surplus = points.len().saturating_sub(filter.limit.unwrap_or(usize::MAX));
            points.drain(..surplus);
            points
        };
        let series = series.into_iter();
        Ok(series
            .map(|((region, slug), points)| WeightSeries { region, slug, points: cut(points) })
            .collect())
    }
}

/// Weight and reflex of the candidates that are meant, by region and slug.
fn weights_of(state: &CortexState, filter: WeightsFilter<'_>) -> BTreeMap<(String, String), (f64, bool)> {
    let regions = state.regions().filter(|(name, _)| filter.region.is_none_or(|only| only == *name));
    let all = regions.flat_map(|(name, region)| {
        let meant = region.candidates.iter().filter(|one| filter.slug.is_none_or(|only| only == one.slug));
        meant.map(move |one| ((name.to_owned(), one.slug.clone()), (one.weight, one.reflex)))
    });
    all.collect()
}
