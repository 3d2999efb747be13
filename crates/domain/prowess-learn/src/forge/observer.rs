//! Drafts of runs that ended.

use prowess_agent::{EndedRun, RunObservation, RunObserver};

use super::Forge;

/// Offers the draft of a skill after a run that is worth one.
#[derive(Clone, Copy, Debug, Default)]
pub struct DraftObserver;

impl RunObserver for DraftObserver {
    fn observe(&self, run: &EndedRun<'_>) -> RunObservation {
        let (run_id, now) = (run.report.run.as_str(), run.request.clock.now_ms());
        let draft = Forge::new(run.context).offer(run.view, run.session, run_id, now);
        RunObservation { draft, ..RunObservation::default() }
    }
}
