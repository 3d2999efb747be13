//! Learning from runs that ended.

use prowess_agent::{EndedRun, RunObservation, RunObserver};

use super::runs::learn_from;

/// Learns from the outcome of every run whose request allows it.
#[derive(Clone, Copy, Debug, Default)]
pub struct LearningObserver;

impl RunObserver for LearningObserver {
    fn observe(&self, run: &EndedRun<'_>) -> RunObservation {
        let mut observation = RunObservation::default();
        if run.request.learn {
            match learn_from(run) {
                Ok(notices) => observation.notices.extend(notices),
                Err(error) => {
                    let notice = format!("nothing was learned: {}", prowess_text::describe_error(&error));
                    observation.notices.push(notice);
                }
            }
        }
        observation
    }
}
