//! The user's word on how a run went.

use prowess_context::Clock;
use prowess_types::{Outcome, OutcomeResult, OutcomeSource, TraceEvent};
use serde::Serialize;

use super::{SessionError, SessionId, SessionWriter, Sessions};

/// The user's rating of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rating {
    /// The task was done.
    Good,
    /// It was not; why, the errors tell.
    Bad,
    /// It was not, for this reason.
    Failed(OutcomeResult),
}

/// A rating that was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rated {
    /// The session.
    pub session: SessionId,
    /// The run.
    pub run: String,
    /// How it went.
    pub outcome: Outcome,
}

impl Sessions {
    /// Records how a run went; without one, the last run that the user started is meant. The last rating counts.
    pub fn rate(
        &self,
        id: &SessionId,
        run: Option<&str>,
        rating: Rating,
        note: Option<String>,
        clock: Clock,
    ) -> Result<Rated, SessionError> {
        let stored = self.show(id)?;
        let run = stored.run(run)?.run.clone();
        let seen = || prowess_trace::classify(stored.session.lines.iter().filter(|line| line.run == run));
        let said = |result| Outcome { result, by: OutcomeSource::User, ..Outcome::default() };
        let outcome = match rating {
            Rating::Good => said(OutcomeResult::Success),
            Rating::Failed(result) => said(result),
            Rating::Bad => {
                let seen = seen();
                let result = if seen.result.is_failure() { seen.result } else { OutcomeResult::RuntimeError };
                Outcome { detail: seen.detail, key: seen.key, ..said(result) }
            }
        };
        let writer = SessionWriter::existing(id.clone(), self.file_of(id), clock).run(&run);
        writer.append(TraceEvent::Rating { outcome: outcome.clone(), note })?;
        writer.sync()?;
        Ok(Rated { session: id.clone(), run, outcome })
    }
}
