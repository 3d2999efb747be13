//! What follows a run that is over: it is learned from, and a draft of a skill may be offered.

use super::{RunReport, RunRequest};
use crate::engine::Engine;
use crate::sessions::SessionId;
use crate::view::AgentView;

/// A run that ended, for whoever wants to know.
pub(super) struct Observed {
    pub(super) session: SessionId,
    pub(super) snapshot: String,
    pub(super) request: RunRequest,
    pub(super) report: RunReport,
}

/// Lets the cortex and the forge look at a run. What goes wrong here is a notice and never concerns the run.
pub(super) fn observe(engine: &Engine, view: &AgentView, observed: Observed) -> RunReport {
    let Observed { session, snapshot, request, mut report } = observed;
    let clock = request.clock;
    #[cfg(feature = "learn")]
    if request.learn {
        let learned = engine.learn_from(request.message.trim(), &report, &snapshot, clock.clone());
        if let Err(error) = learned {
            report.notices.push(format!("nothing was learned: {}", crate::describe_error(&error)));
        }
    }
    #[cfg(not(feature = "learn"))]
    let _ = snapshot;
    report.draft = engine.forge().offer(view, &session, report.run.as_str(), clock.now_ms());
    report
}
