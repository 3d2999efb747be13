//! The end of a run as others see it: observers look at it off the executor, one after the other.

use std::fmt;
use std::sync::Arc;

use prowess_context::Context;
use prowess_match::AgentView;
use prowess_sessions::SessionId;
use serde::Serialize;

use super::{RunReport, RunRequest};

/// A run that ended.
#[derive(Clone, Copy)]
pub struct EndedRun<'a> {
    /// The context it ran in.
    pub context: &'a Context,
    /// The agent at the time of the run.
    pub view: &'a AgentView,
    /// The session.
    pub session: &'a SessionId,
    /// The id of the snapshot that was shown.
    pub snapshot: &'a str,
    /// The request.
    pub request: &'a RunRequest,
    /// The report so far.
    pub report: &'a RunReport,
}

/// The result of an observation.
#[derive(Clone, Debug, Default)]
pub struct RunObservation {
    /// Notices for the user.
    pub notices: Vec<String>,
    /// The draft of a skill that was made of the run.
    pub draft: Option<OfferedDraft>,
}

/// A draft that was made after a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct OfferedDraft {
    /// Its name.
    pub name: String,
    /// How often the same was done.
    pub count: u64,
    /// What was done, in twelve digits.
    pub fingerprint: String,
}

/// An observer of runs that ended. A failure of an observer is a notice and never concerns the run.
pub trait RunObserver: fmt::Debug + Send + Sync {
    /// Looks at a run. May block.
    fn observe(&self, run: &EndedRun<'_>) -> RunObservation;
}

/// A run that ended, kept for its observers.
pub(super) struct ObservedRun {
    pub(super) view: Arc<AgentView>,
    pub(super) session: SessionId,
    pub(super) snapshot: String,
    pub(super) request: RunRequest,
    pub(super) report: RunReport,
}

/// Lets each observer look at a run, and adds to its report.
pub(super) fn observe(
    context: &Context,
    observers: &[Arc<dyn RunObserver>],
    observed: ObservedRun,
) -> RunReport {
    let ObservedRun { view, session, snapshot, request, mut report } = observed;
    for observer in observers {
        let observation = observer.observe(&EndedRun {
            context,
            view: &view,
            session: &session,
            snapshot: &snapshot,
            request: &request,
            report: &report,
        });
        report.notices.extend(observation.notices);
        report.draft = observation.draft.or(report.draft);
    }
    report
}
