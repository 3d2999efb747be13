//! Whether a snapshot is still what its agent would get now.
//!
//! Contents are compared, never counters: a counter starts again with the process that counts.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Snapshot;
use crate::snapshot::diff;

/// The reason a snapshot is not what its agent would get now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaleReason {
    /// It is for another agent or workspace.
    View,
    /// Skills came, went or changed.
    Skills,
    /// The agent may use other skills than before.
    Filter,
    /// The catalogue is written differently.
    Prompt,
    /// The rules by which catalogues are written are others.
    Format,
}

/// Whether a snapshot is still good.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotFreshness {
    /// True if another one should take its place.
    pub stale: bool,
    /// The reason.
    pub reasons: Vec<StaleReason>,
}

impl Snapshot {
    /// Compares with what the agent would get now. Equal ids are fresh; filters are compared as sets.
    pub fn freshness(&self, current: &Self) -> SnapshotFreshness {
        if self.id() == current.id() {
            return SnapshotFreshness::default();
        }
        let names = |snapshot: &Self| {
            snapshot.skill_filter.as_ref().map(|names| names.iter().cloned().collect::<BTreeSet<_>>())
        };
        let is_same_view = self.agent_id == current.agent_id && self.workspace_dir == current.workspace_dir;
        let has_same_skills = diff(self, current).is_empty()
            && self.skills.len() == current.skills.len()
            && self.skills.iter().all(|skill| current.skills.contains(skill));
        let differences = [
            (!is_same_view, StaleReason::View),
            (!has_same_skills, StaleReason::Skills),
            (names(self) != names(current), StaleReason::Filter),
            (self.prompt != current.prompt, StaleReason::Prompt),
            (self.prompt_format_version() != current.prompt_format_version(), StaleReason::Format),
        ];
        let reasons: Vec<StaleReason> =
            differences.into_iter().filter(|(differs, _)| *differs).map(|(_, reason)| reason).collect();
        SnapshotFreshness { stale: !reasons.is_empty(), reasons }
    }
}
