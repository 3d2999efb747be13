//! The same task again: whether the newer run did it better.

use prowess_forge::{Episode, episode, fingerprint, wording};
use prowess_match::AgentView;
use prowess_sessions::Sessions;
use prowess_types::{OutcomeResult, OutcomeSource};

use super::record::{DraftRecord, DraftStatus, SourceRun};
use super::{Forge, ForgeError};

/// The quality of a run of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunQuality {
    pub(super) is_success: bool,
    /// True if the user said so.
    pub(super) is_confirmed: bool,
    pub(super) steps: usize,
    /// Steps that did not work.
    pub(super) failed: usize,
}

impl RunQuality {
    /// Says why this run is better than an earlier one; nothing if it is not.
    pub(super) fn better_than(self, earlier: Self) -> Option<String> {
        if self.is_success && !earlier.is_success {
            return Some("it succeeded, and the earlier run is rated as a failure".to_owned());
        }
        if earlier.is_confirmed && !self.is_confirmed && self.steps >= earlier.steps {
            return None;
        }
        if self.steps < earlier.steps {
            return Some(format!("{} steps instead of {}", self.steps, earlier.steps));
        }
        if self.steps > earlier.steps {
            return None;
        }
        if self.failed < earlier.failed {
            return Some(format!("{} failed steps instead of {}", self.failed, earlier.failed));
        }
        (self.is_confirmed && !earlier.is_confirmed).then(|| "you rated it as good".to_owned())
    }
}

/// A draft of the same task.
pub(super) struct SameTask {
    pub(super) record: DraftRecord,
    /// The reason the newer run is better, if it did the task in another way and better.
    pub(super) better: Option<String>,
}

impl Forge<'_> {
    /// The draft of the same task: the same steps, the same request, or a promoted skill that is found for it. Fails if a
    /// skill that is not the forge's is found for it.
    pub(super) fn same_task(
        &self,
        view: &AgentView,
        found: &Episode,
        quality: RunQuality,
    ) -> Result<Option<SameTask>, ForgeError> {
        let records = self.list()?;
        let print = fingerprint(&found.steps);
        let same_steps = records.iter().find(|record| record.fingerprint == print);
        // OpenPocket asks for nothing: the newest replaces what did the same.
        if self.is_openpocket() {
            return Ok(same_steps.map(|record| SameTask { record: record.clone(), better: None }));
        }
        if let Some(record) = same_steps.filter(|record| record.current.is_some()) {
            return Ok(Some(SameTask { record: record.clone(), better: None }));
        }
        let mut same = same_steps.or_else(|| self.same_request(&records, found));
        if same.is_none_or(|record| record.current.is_none())
            && let Some(skill) = Self::nearest(view, found)?
        {
            let is_own = |record: &&DraftRecord| {
                record.name == skill && record.current.is_some() && self.is_like(record, found)
            };
            let own = records.iter().find(is_own);
            same = Some(own.ok_or(ForgeError::NearDuplicate(skill))?);
        }
        let Some(record) = same else { return Ok(None) };
        let earlier = record.sessions.last().and_then(|source| self.quality_of(source));
        let better = match earlier {
            _ if record.fingerprint == print => None,
            Some(earlier) => quality.better_than(earlier),
            None => Some("the session of the earlier run is gone".to_owned()),
        };
        Ok(Some(SameTask { record: record.clone(), better }))
    }

    /// The draft whose last run was asked for the same in general words.
    fn same_request<'r>(&self, records: &'r [DraftRecord], found: &Episode) -> Option<&'r DraftRecord> {
        let phrase = wording(&found.task)?.phrase;
        let is_open = |record: &&DraftRecord| {
            matches!(record.status, DraftStatus::Waiting | DraftStatus::Promoted | DraftStatus::Rejected)
        };
        let is_same =
            |record: &&DraftRecord| self.wording_of(record).is_some_and(|wording| wording.phrase == phrase);
        records.iter().filter(is_open).find(is_same)
    }

    /// Returns true if half of the general words of a run's task are those of a draft.
    fn is_like(&self, record: &DraftRecord, found: &Episode) -> bool {
        let (Some(own), Some(known)) = (wording(&found.task), self.wording_of(record)) else { return false };
        let shared = own.words.iter().filter(|word| known.words.contains(word)).count();
        shared * 2 >= own.words.len().min(known.words.len()).max(1)
    }

    fn quality_of(&self, source: &SourceRun) -> Option<RunQuality> {
        let session = Sessions::of(self.context).show(&source.session.parse().ok()?).ok()?;
        let summary = session.run(Some(&source.run)).ok()?;
        let (result, by) = (summary.outcome.result, summary.outcome.by);
        Some(quality(&episode(&session.session.lines, &source.run)?, result, by))
    }
}

/// Returns the quality of a run.
pub(super) fn quality(found: &Episode, result: OutcomeResult, by: OutcomeSource) -> RunQuality {
    RunQuality {
        is_success: result == OutcomeResult::Success,
        is_confirmed: by == OutcomeSource::User,
        steps: found.steps.len(),
        failed: found.left_out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(steps: usize, failed: usize, is_confirmed: bool) -> RunQuality {
        RunQuality { is_success: true, is_confirmed, steps, failed }
    }

    #[test]
    fn fewer_steps_fewer_failures_and_the_users_word_are_better() {
        for (newer, earlier, is_better) in [
            (run(4, 0, false), run(6, 0, false), true),
            (run(6, 0, false), run(4, 0, false), false),
            (run(4, 0, false), run(4, 2, false), true),
            (run(4, 2, false), run(4, 0, false), false),
            (run(4, 0, true), run(4, 0, false), true),
            (run(4, 0, false), run(4, 0, false), false),
            (run(9, 3, false), RunQuality { is_success: false, ..run(2, 0, true) }, true),
            (run(4, 0, false), run(4, 1, true), false),
            (run(3, 0, false), run(4, 1, true), true),
        ] {
            assert_eq!(newer.better_than(earlier).is_some(), is_better, "{newer:?} {earlier:?}");
        }
    }
}
