//! The care of an installation: its problems, and the news of a version.

use prowess_context::{Clock, ContextError};

use super::Engine;
use crate::doctor::{self, DoctorFinding, DoctorOptions, MendError};
use crate::news;

impl Engine {
    /// Looks for common problems on this machine, the worst first. No request leaves the machine.
    pub fn doctor(&self, agent: Option<&str>) -> Result<Vec<DoctorFinding>, ContextError> {
        doctor::doctor(self, agent)
    }

    /// The same, with a choice of checks, a clock, and perhaps a question to the registry.
    pub fn doctor_with(
        &self,
        agent: Option<&str>,
        options: &DoctorOptions,
    ) -> Result<Vec<DoctorFinding>, ContextError> {
        doctor::doctor_with(self, agent, options)
    }

    /// Fixes a finding, as [`Finding::remedy`] says and not otherwise.
    pub fn mend(&self, finding: &DoctorFinding, clock: &Clock) -> Result<(), MendError> {
        doctor::mend(self, finding, clock)
    }

    /// The changes that concern a home of an earlier version. Told once: the next call has nothing to tell.
    ///
    /// If that cannot be remembered, on a read-only disk, nothing is shown.
    pub fn news(&self) -> Option<&'static str> {
        news::news(self)
    }

    /// Remembers it for a home in which no agent has run yet.
    pub fn settle_news_of_fresh_home(&self) {
        news::settle_news_of_fresh_home(self);
    }
}
