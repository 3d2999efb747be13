//! Learning from runs with skills that the user has anyway.

use prowess_cortex::{OutcomeEvent, Tenure};
use prowess_types::OutcomeResult;

use super::{CortexError, Experience};
use crate::clock::Clock;
use crate::engine::Engine;
use crate::run::RunReport;

impl Engine {
    /// Learns from a run which skills did such a task well or badly. A run that nobody can judge teaches nothing.
    pub(crate) fn learn_from(
        &self,
        message: &str,
        report: &RunReport,
        snapshot: &str,
        clock: Clock,
    ) -> Result<(), CortexError> {
        let outcome = &report.outcome;
        let is_judged = outcome.result != OutcomeResult::Unknown && !report.stopped;
        if !is_judged || report.skills.is_empty() || !self.config().cortex().is_enabled {
            return Ok(());
        }
        let mut cortex = self.cortex(clock)?;
        for skill in &report.skills {
            let mut event = OutcomeEvent::new("", skill, "", outcome.result);
            event.tenure = Tenure::LongTerm;
            cortex.record(&Experience {
                task: Some(task_of(message).to_owned()),
                region: None,
                outcome: event,
                session: Some(report.session.clone()),
                snapshot: Some(snapshot.to_owned()),
            })?;
        }
        Ok(())
    }
}

/// A message without the command or the references it begins with.
fn task_of(message: &str) -> &str {
    let mut rest = message.trim_start();
    while let Some(next) = rest.strip_prefix(['/', '$']) {
        rest = next.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
    }
    if rest.is_empty() { message } else { rest }
}
