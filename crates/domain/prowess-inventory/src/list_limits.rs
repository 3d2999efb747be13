//! The limits of one root that bound the list of all skills, and nothing else.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use prowess_catalog::MergeCandidate;
use prowess_config::SkillLimits;
use prowess_types::Origin;

/// A limit that keeps a skill out of the list of all skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListLimit {
    /// `skills.limits.maxCandidatesPerRoot`.
    CandidatesPerRoot(usize),
    /// `skills.limits.maxSkillsLoadedPerSource`.
    SkillsPerSource(usize),
}

impl ListLimit {
    /// The setting.
    pub fn key(self) -> &'static str {
        match self {
            Self::CandidatesPerRoot(_) => "skills.limits.maxCandidatesPerRoot",
            Self::SkillsPerSource(_) => "skills.limits.maxSkillsLoadedPerSource",
        }
    }
}

impl fmt::Display for ListLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::CandidatesPerRoot(limit) | Self::SkillsPerSource(limit)) = self;
        write!(f, "beyond the first {limit} skills of its folder (`{}`)", self.key())
    }
}

/// The limit of each skill that is beyond one, by its origin.
#[derive(Debug, Default)]
pub(crate) struct ListLimits {
    beyond: HashMap<*const Origin, ListLimit>,
}

impl ListLimits {
    /// Counts the candidates of each root in the order they were found.
    pub(crate) fn new(candidates: &[MergeCandidate], limits: SkillLimits) -> Self {
        let (per_root, per_source) = (limits.max_candidates_per_root, limits.max_skills_loaded_per_source);
        let (most, limit) = if per_root < per_source {
            (per_root, ListLimit::CandidatesPerRoot(per_root))
        } else {
            (per_source, ListLimit::SkillsPerSource(per_source))
        };
        let mut counts: HashMap<usize, usize> = HashMap::new();
        let mut beyond = HashMap::new();
        for candidate in candidates {
            let count = counts.entry(candidate.rank).or_default();
            *count += 1;
            if *count > most {
                beyond.insert(Arc::as_ptr(&candidate.origin), limit);
            }
        }
        Self { beyond }
    }

    /// The limit that the skill of this origin is beyond.
    pub(crate) fn of(&self, origin: &Arc<Origin>) -> Option<ListLimit> {
        self.beyond.get(&Arc::as_ptr(origin)).copied()
    }
}
