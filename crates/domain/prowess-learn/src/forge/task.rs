//! The task of a draft. It stays in its session: it measures a draft, and is never part of one.

use prowess_forge::{Episode, Wording, episode, wording};
use prowess_sessions::Sessions;

use super::Forge;
use super::record::{DraftRecord, SourceRun};

/// Runs whose tasks a draft is measured with, the last ones.
const TASKS: usize = 3;

impl Forge<'_> {
    /// The tasks of the last runs that a draft was made of, the newest first. Runs whose sessions are gone have none.
    pub(super) fn tasks(&self, record: &DraftRecord) -> Vec<String> {
        let mut tasks: Vec<String> = Vec::new();
        for source in record.sessions.iter().rev() {
            let Some(task) = self.task_of(source).filter(|task| !tasks.contains(task)) else { continue };
            tasks.push(task);
            if tasks.len() == TASKS {
                break;
            }
        }
        tasks
    }

    /// The request of the user in a run, if its session is still there.
    pub(super) fn task_of(&self, source: &SourceRun) -> Option<String> {
        Some(self.episode_of(source)?.task).filter(|task| !task.trim().is_empty())
    }

    /// A run that a draft was made of, if its session is still there.
    pub(super) fn episode_of(&self, source: &SourceRun) -> Option<Episode> {
        let session = Sessions::of(self.context).show(&source.session.parse().ok()?).ok()?;
        episode(&session.session.lines, &source.run)
    }

    /// The task of a draft in general words.
    pub(super) fn wording_of(&self, record: &DraftRecord) -> Option<Wording> {
        wording(self.tasks(record).first()?)
    }
}
