//! What a state answers: who is listed, who is not and why, and whether the fast path is open.

use std::fmt;

use serde::Serialize;

use crate::constants::{LIST_THRESHOLD, QUALITY_PENALTY, REFLEX_STREAK, REFLEX_WEIGHT};
use crate::{CortexCandidate, CortexState, Day, LessonKind, Rules};

/// A candidate that may be offered.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Listed {
    /// Its record.
    pub candidate: CortexCandidate,
    /// Its weight today.
    pub effective: f64,
    /// What quality warnings take from its place in the list; its weight is not touched.
    pub penalty: f64,
}

/// A candidate that is not offered.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Unlisted {
    /// Its record.
    pub candidate: CortexCandidate,
    /// Its weight today.
    pub effective: f64,
    /// The reason against it.
    pub why: WhyHidden,
}

/// The reason why a candidate is not offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhyHidden {
    /// It is banned.
    Blacklisted,
    /// Its weight today is below 0.3.
    Weak,
}

/// Whether a skill may be used without a confirmation of the plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FastPath {
    /// Its weight today.
    pub effective: f64,
    /// Everything that bars it; the fast path is open when nothing does.
    pub why_not: Vec<WhyNot>,
}

/// What bars the fast path.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum WhyNot {
    /// Nothing is known about it for such tasks.
    NoCandidate,
    /// It is banned.
    Blacklisted,
    /// Another candidate comes first.
    NotFirst {
        /// The one that is meant.
        first: String,
    },
    /// It has not earned a reflex.
    NoReflex,
    /// Its weight today is too low.
    Weak {
        /// The weight.
        effective: f64,
    },
    /// It has not succeeded often enough in a row.
    ShortStreak {
        /// The number of times that it has.
        streak: u64,
    },
    /// It changes something.
    SideEffects {
        /// What bars it.
        blocking: Vec<String>,
    },
    /// The registry offers another version, or nobody knows which one.
    OtherVersion {
        /// The version that earned the reflex.
        stored: String,
        /// The version there is.
        available: String,
    },
}

impl FastPath {
    /// Returns true if it is open.
    pub fn fires(&self) -> bool {
        self.why_not.is_empty()
    }
}

impl fmt::Display for WhyNot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCandidate => write!(formatter, "it is not a candidate of the region"),
            Self::Blacklisted => write!(formatter, "it is banned"),
            Self::NotFirst { first } => write!(formatter, "`{first}` comes first"),
            Self::NoReflex => write!(formatter, "it has not earned a reflex"),
            Self::Weak { effective } => {
                write!(formatter, "its effective weight is {effective:.4}, below {REFLEX_WEIGHT}")
            }
            Self::ShortStreak { streak } => {
                write!(formatter, "{streak} successes in a row, {REFLEX_STREAK} are needed")
            }
            Self::SideEffects { blocking } => {
                write!(formatter, "it changes something: {}", blocking.join(", "))
            }
            Self::OtherVersion { stored, available } => {
                write!(formatter, "version `{available}` is not `{stored}`, which earned the reflex")
            }
        }
    }
}

/// Checks every condition of the fast path but the candidate's place and the blacklist.
pub(crate) fn fast_path(candidate: &CortexCandidate, effective: f64, available: &str) -> FastPath {
    let mut why_not = Vec::new();
    if !candidate.reflex {
        why_not.push(WhyNot::NoReflex);
    }
    if effective < REFLEX_WEIGHT {
        why_not.push(WhyNot::Weak { effective });
    }
    if candidate.streak() < REFLEX_STREAK {
        why_not.push(WhyNot::ShortStreak { streak: candidate.streak() });
    }
    let blocking: Vec<String> = candidate.blocking().map(str::to_owned).collect();
    if !blocking.is_empty() {
        why_not.push(WhyNot::SideEffects { blocking });
    }
    if candidate.version != available || available.is_empty() {
        let (stored, available) = (candidate.version.clone(), available.to_owned());
        why_not.push(WhyNot::OtherVersion { stored, available });
    }
    FastPath { effective, why_not }
}

impl CortexState {
    /// The candidates of a region that may be offered, best first; equals by name.
    pub fn listing(&self, region: &str, clock: i64, rules: Rules) -> Vec<Listed> {
        self.split(region, clock, rules).0
    }

    /// The candidates of a region that are not offered, and why.
    pub fn unlisted(&self, region: &str, clock: i64, rules: Rules) -> Vec<Unlisted> {
        self.split(region, clock, rules).1
    }

    fn split(&self, region: &str, clock: i64, rules: Rules) -> (Vec<Listed>, Vec<Unlisted>) {
        let today = Day::of(clock);
        let (mut listed, mut unlisted) = (Vec::new(), Vec::new());
        let Some(region) = self.region(region) else { return (listed, unlisted) };
        for candidate in &region.candidates {
            let effective = rules.effective(candidate, region, today);
            let is_banned = self.is_blacklisted(&candidate.slug, &candidate.version);
            if is_banned || effective < LIST_THRESHOLD {
                let why = if is_banned { WhyHidden::Blacklisted } else { WhyHidden::Weak };
                unlisted.push(Unlisted { candidate: candidate.clone(), effective, why });
            } else {
                let penalty = self.quality_penalty(&candidate.slug);
                listed.push(Listed { candidate: candidate.clone(), effective, penalty });
            }
        }
        listed.sort_by(|one, other| {
            let key = |listed: &Listed| listed.effective - listed.penalty;
            key(other).total_cmp(&key(one)).then_with(|| one.candidate.slug.cmp(&other.candidate.slug))
        });
        unlisted.sort_by(|one, other| one.candidate.slug.cmp(&other.candidate.slug));
        (listed, unlisted)
    }

    /// Only the most trusted warning counts: many words about one fault are one fault.
    fn quality_penalty(&self, slug: &str) -> f64 {
        let confidence = |lesson: &crate::Lesson| match &lesson.kind {
            LessonKind::SkillQualityWarning { slug: about, .. } if about == slug => lesson.confidence,
            _ => 0.0,
        };
        QUALITY_PENALTY * self.lessons().iter().map(confidence).fold(0.0, f64::max)
    }

    /// Whether the fast path is open for a candidate, in the version the registry offers now.
    ///
    /// When another version bars it, record [`VersionSeen`](crate::EventKind::VersionSeen): that ends the reflex.
    pub fn fast_path(&self, region: &str, slug: &str, available: &str, clock: i64, rules: Rules) -> FastPath {
        let known = self.region(region).and_then(|region| Some((region, region.candidate(slug)?)));
        let Some((in_region, candidate)) = known else {
            return FastPath { effective: 0.0, why_not: vec![WhyNot::NoCandidate] };
        };
        let effective = rules.effective(candidate, in_region, Day::of(clock));
        let mut path = fast_path(candidate, effective, available);
        if self.is_blacklisted(slug, available) {
            path.why_not.push(WhyNot::Blacklisted);
        }
        let first = self.listing(region, clock, rules).into_iter().next();
        if let Some(first) = first.filter(|first| first.candidate.slug != slug) {
            path.why_not.push(WhyNot::NotFirst { first: first.candidate.slug });
        }
        path
    }

    /// Returns true if the user should be asked to keep a candidate.
    pub fn offers_retention(&self, region: &str, slug: &str, clock: i64) -> bool {
        let candidate = self.region(region).and_then(|region| region.candidate(slug));
        candidate.is_some_and(|candidate| candidate.offers_retention(Day::of(clock)))
    }
}
