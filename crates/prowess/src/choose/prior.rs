//! What was learned, as a small push for the skills that did such tasks well.

use std::sync::{Arc, Mutex, PoisonError};

use prowess_cortex::{Match, Pattern, PriorSettings, Rules, State};

use super::likeness::TextVectors;
use super::{ChooseError, MatchRequest};
use crate::cortex::{LogStamp, NEAR};
use crate::engine::Engine;

/// How far the push may go, in the units of a score: standard deviations of a message's likeness with unrelated
/// skills. It settles a close race and cannot make a skill fit.
pub(crate) const PRIOR: PriorSettings = PriorSettings { bound: 1.0, exploration: 0.2 };

/// What was learned here, as it is at each message: the log is read again whenever it has changed.
#[derive(Default)]
pub(super) struct Learned {
    engine: Option<Engine>,
    read: Mutex<Option<ReadLog>>,
}

/// The log as it was last read.
struct ReadLog {
    stamp: LogStamp,
    memory: Option<Arc<Memory>>,
}

struct Memory {
    state: State,
    rules: Rules,
    patterns: Vec<Pattern>,
    /// What each pattern says, in their order.
    texts: Vec<String>,
    vectors: TextVectors,
}

impl Learned {
    pub(super) fn of(engine: &Engine) -> Self {
        Self { engine: Some(engine.clone()), read: Mutex::default() }
    }

    /// What was learned by now, if anything. Costs a look at the log's files while they are the same.
    fn memory(&self, engine: &Engine) -> Option<Arc<Memory>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        // Before it is read: what is written meanwhile is seen the next time.
        let stamp = crate::cortex::log_stamp(engine);
        if let Some(read) = read.as_ref().filter(|read| read.stamp == stamp) {
            return read.memory.clone();
        }
        let memory = crate::cortex::learned(engine).map(|(state, rules)| {
            let patterns = state.task_patterns();
            let texts = patterns.iter().map(|pattern| pattern.signal.join(" ")).collect();
            Arc::new(Memory { state, rules, patterns, texts, vectors: TextVectors::default() })
        });
        let memory = memory.filter(|memory| !memory.patterns.is_empty());
        *read = Some(ReadLog { stamp, memory: memory.clone() });
        memory
    }

    /// The push for each skill, by its name; none if nothing like the message was ever done. `vectors` are the
    /// message's.
    pub(super) fn prior<'a>(
        &self,
        request: &MatchRequest<'_>,
        vectors: &[(&str, &[f32])],
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Option<Vec<f32>>, ChooseError> {
        let (Some(engine), Some(now)) = (&self.engine, request.now) else { return Ok(None) };
        let Some(memory) = self.memory(engine) else { return Ok(None) };
        let likeness = engine.likeness_to(request.text, vectors, &memory.texts, &memory.vectors)?;
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
