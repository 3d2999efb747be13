//! What was learned, as a small push for the skills that did such tasks well.

use prowess_cortex::{Match, Pattern, PriorSettings, Rules, State};

use super::{ChooseError, MatchRequest};
use crate::cortex::NEAR;
use crate::engine::Engine;

/// How far the push may go, in the units of a score: standard deviations of a message's likeness with unrelated
/// skills. It settles a close race and cannot make a skill fit.
pub(crate) const PRIOR: PriorSettings = PriorSettings { bound: 1.0, exploration: 0.2 };

/// What was learned here, if anything.
#[derive(Default)]
pub(super) struct Learned(Option<Memory>);

struct Memory {
    engine: Engine,
    state: State,
    rules: Rules,
    patterns: Vec<Pattern>,
}

impl Learned {
    pub(super) fn of(engine: &Engine) -> Self {
        let memory = crate::cortex::learned(engine).map(|(state, rules)| {
            let patterns = state.task_patterns();
            Memory { engine: engine.clone(), state, rules, patterns }
        });
        Self(memory.filter(|memory| !memory.patterns.is_empty()))
    }

    /// The push for each skill, by its name; none if nothing like the message was ever done. `vectors` are the
    /// message's.
    pub(super) fn prior<'a>(
        &self,
        request: &MatchRequest<'_>,
        vectors: &[(&str, &[f32])],
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Option<Vec<f32>>, ChooseError> {
        let (Some(memory), Some(now)) = (&self.0, request.now) else { return Ok(None) };
        let texts: Vec<String> = memory.patterns.iter().map(|pattern| pattern.signal.join(" ")).collect();
        let likeness = memory.engine.likeness(request.text, vectors, &texts)?;
        let nearest =
            likeness.into_iter().zip(&memory.patterns).max_by(|(one, _), (other, _)| one.total_cmp(other));
        let Some((similarity, pattern)) = nearest.filter(|(value, _)| *value >= NEAR) else {
            return Ok(None);
        };
        let region = Match { region: pattern.region.clone(), similarity };
        let clock = i64::try_from(now).unwrap_or(i64::MAX);
        #[expect(clippy::cast_possible_truncation, reason = "a score is no more precise")]
        let push =
            |name: &str| memory.state.prior(name, Some(&region), PRIOR, clock, memory.rules).value as f32;
        Ok(Some(names.map(push).collect()))
    }
}
