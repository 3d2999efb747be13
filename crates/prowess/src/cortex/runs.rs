//! Learning from runs with skills that the user has anyway, and telling what that came to.

use prowess_cortex::{Match, OutcomeEvent, Tenure};
use prowess_types::{CheckOutcome, OutcomeResult};

use super::{CortexError, Experience, learned};
use crate::Step;
use crate::choose::PRIOR;
#[cfg(feature = "run")]
use crate::clock::Clock;
use crate::engine::Engine;
#[cfg(feature = "run")]
use crate::run::RunReport;

impl Engine {
    /// Learns from a run which skills did such a task well or badly. A run that nobody can judge teaches nothing.
    #[cfg(feature = "run")]
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

    /// What was learned about a skill, as the last rules that decide about it.
    pub fn learned_about(&self, name: &str, now_ms: u64) -> Vec<Step> {
        let Some((state, rules)) = learned(self) else { return Vec::new() };
        let clock = i64::try_from(now_ms).unwrap_or(i64::MAX);
        let regions = state.task_patterns().into_iter().map(|pattern| pattern.region);
        let told = regions.filter_map(|region| {
            let near = Match { region: region.clone(), similarity: 1.0 };
            let prior = state.prior(name, Some(&near), PRIOR, clock, rules);
            let effective = prior.effective?;
            Some(Step {
                stage: "learn",
                rule: region,
                outcome: if prior.value >= 0.0 { CheckOutcome::Pass } else { CheckOutcome::Fail },
                detail: format!(
                    "weight {effective:.3} after {} of {} runs for such tasks: {:+.2} of the score ({:+.2} learned, {:+.2} \
                     exploration)",
                    prior.uses, prior.region_uses, prior.value, prior.learned, prior.exploration
                ),
            })
        });
        told.collect()
    }
}

/// A message without the command or the references it begins with.
#[cfg(feature = "run")]
fn task_of(message: &str) -> &str {
    let mut rest = message.trim_start();
    while let Some(next) = rest.strip_prefix(['/', '$']) {
        rest = next.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
    }
    if rest.is_empty() { message } else { rest }
}
