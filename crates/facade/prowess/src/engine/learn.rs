//! Learning: the cortex and the forge.

use prowess_context::Clock;
use prowess_inventory::WhyStep;
use prowess_learn::corrections::{self, Corrected, CorrectionError};
use prowess_learn::cortex::{self, Cortex, CortexError};
use prowess_learn::forge::Forge;
use prowess_match::{AgentView, MessageCase, TriggerIssue};
use prowess_sessions::Rated;

use super::Engine;

impl Engine {
    /// Opens the cortex, and merges what was written into `cortex.json` since.
    pub fn cortex(&self, clock: Clock) -> Result<Cortex<'_>, CortexError> {
        Cortex::open(self, clock)
    }

    /// Records which skill a message meant, or that it meant none: a case of the user, and a push like any outcome.
    pub fn correct(
        &self,
        view: &AgentView,
        message: &str,
        meant: Option<&str>,
        clock: Clock,
    ) -> Result<Corrected, CorrectionError> {
        corrections::correct(self, view, message, meant, clock)
    }

    /// The cases of the user: corrections, and what recorded sessions suggest where the user said nothing.
    pub fn user_cases(&self, issues: &mut Vec<TriggerIssue>) -> Vec<MessageCase> {
        corrections::user_cases(self, issues)
    }

    /// The forge.
    pub fn forge(&self) -> Forge<'_> {
        Forge::new(self)
    }

    /// Returns the memory of a skill, as the last rules that decide about it.
    pub fn learned_about(&self, name: &str, now_ms: u64) -> Vec<WhyStep> {
        cortex::learned_about(self, name, now_ms)
    }

    /// Learns from the user's word on a run that taught nothing when it ended, and returns the skills it was about.
    ///
    /// A lesson stays: weights follow from the outcomes in their order, and one that is recorded twice
    /// would count twice. So a second rating, and a rating of a run that was judged at its end, teach nothing.
    pub fn learn_from_rating(&self, rated: &Rated, clock: Clock) -> Result<Vec<String>, CortexError> {
        cortex::learn_from_rating(self, rated, clock)
    }
}
