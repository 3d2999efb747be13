//! The learned prior: a small push for the skills that did such tasks well.

use std::sync::{Arc, Mutex};

use prowess_context::{ChooseError, Context, PriorQuery, PriorSource, SelectorPrior};
use prowess_cortex::{CortexState, Pattern, PriorSettings, RegionMatch, Rules};
use prowess_types::IgnorePoison as _;

use super::recall::{PatternWords, likeness};
use super::{LogStamp, NEAR, learned, log_stamp};

/// The bound of the push, in the units of a score: standard deviations of a message's likeness with unrelated
/// skills. It settles a close race and cannot make a skill fit.
pub(crate) const PRIOR: PriorSettings = PriorSettings { bound: 1.0, exploration: 0.2 };

/// The source of priors from the log of what was learned.
#[derive(Clone, Copy, Debug, Default)]
pub struct LearnedPriors;

impl PriorSource for LearnedPriors {
    fn open(&self, context: &Context) -> Box<dyn SelectorPrior> {
        Box::new(LearnedPrior { context: context.clone(), read: Mutex::default() })
    }
}

/// The prior of one context at each message: the log is read again whenever it has changed.
struct LearnedPrior {
    context: Context,
    read: Mutex<Option<ReadLog>>,
}

/// The log as it was last read.
struct ReadLog {
    stamp: LogStamp,
    memory: Option<Arc<Memory>>,
}

struct Memory {
    state: CortexState,
    rules: Rules,
    patterns: Vec<Pattern>,
    words: PatternWords,
}

impl LearnedPrior {
    /// The learned memory by now, if there is any. Costs a look at the log's files while they are the same.
    fn memory(&self) -> Option<Arc<Memory>> {
        let mut read = self.read.lock().ignore_poison();
        // Before it is read: what is written meanwhile is seen the next time.
        let stamp = log_stamp(&self.context);
        if let Some(read) = read.as_ref().filter(|read| read.stamp == stamp) {
            return read.memory.clone();
        }
        let memory = learned(&self.context).map(|(state, rules)| {
            let patterns = state.task_patterns();
            let words = PatternWords::of(&patterns);
            Arc::new(Memory { state, rules, patterns, words })
        });
        let memory = memory.filter(|memory| !memory.patterns.is_empty());
        *read = Some(ReadLog { stamp, memory: memory.clone() });
        memory
    }
}

impl SelectorPrior for LearnedPrior {
    fn push(&self, query: &PriorQuery<'_>, names: &[&str]) -> Result<Option<Vec<f32>>, ChooseError> {
        let Some(memory) = self.memory() else { return Ok(None) };
        let likeness = likeness(&self.context, query.text, &memory.patterns, &memory.words)?;
        let nearest =
            likeness.into_iter().zip(&memory.patterns).max_by(|(one, _), (other, _)| one.total_cmp(other));
        let Some((similarity, pattern)) = nearest.filter(|(value, _)| *value >= NEAR) else {
            return Ok(None);
        };
        let region = RegionMatch { region: pattern.region.clone(), similarity };
        let clock = i64::try_from(query.now).unwrap_or(i64::MAX);
        #[expect(clippy::cast_possible_truncation, reason = "a score is not more precise")]
        let push =
            |name: &str| memory.state.prior(name, Some(&region), PRIOR, clock, memory.rules).value as f32;
        Ok(Some(names.iter().map(|name| push(name)).collect()))
    }
}
