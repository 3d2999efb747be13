//! A skill as a candidate of a region: its weight, its runs, its reflex.

use prowess_types::OutcomeResult;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Day;
use crate::constants::{
    BLOCKING_PREFIXES, INITIAL_WEIGHT, REFLEX_STREAK, REFLEX_SUCCESSES, REFLEX_WEIGHT, RETENTION_CHARS,
    RETENTION_REST_DAYS, RETENTION_SUCCESSES, RETENTION_WEIGHT,
};
use crate::rules::{Rules, boost, failure_factor};

/// Stands for side effects that are not known. It bars a reflex. Before a skill is looked at, it goes at the first look; as a finding of
/// a look or a run ([`CortexCandidate::unread`]), it stays.
pub const UNKNOWN_SIDE_EFFECT: &str = "shell:unknown";

/// A skill that was used for a kind of task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Candidate")]
pub struct CortexCandidate {
    /// The skill.
    pub slug: String,
    /// `clawhub`, `github` or another registry's name.
    #[serde(default)]
    pub source: String,
    /// The version of the last success, or the first one used.
    #[serde(default)]
    pub version: String,
    /// How good it is for such tasks, 0 to 1, before decay.
    #[serde(default = "initial_weight")]
    pub weight: f64,
    /// How often it went well.
    #[serde(default)]
    pub runs: Runs,
    /// The last failure.
    #[serde(default)]
    pub last_fail: Option<LastFail>,
    /// What it does to the world; grows, never shrinks.
    #[serde(default)]
    pub side_effects: Vec<String>,
    /// True if a part of it could not be read: then `shell:unknown` is a finding, and stays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unread: bool,
    /// Characters of its `SKILL.md`.
    #[serde(default)]
    pub skill_md_chars: u64,
    /// Bytes of its `SKILL.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_md_bytes: Option<u64>,
    /// The hash of the files of its last success; a reflex fires for these alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// True if it earned the fast path.
    #[serde(default)]
    pub reflex: bool,
    /// When it was used last (repaired rules; as written only the region has a date).
    #[serde(default, deserialize_with = "crate::day::lenient", skip_serializing_if = "Option::is_none")]
    pub last_used: Option<Day>,
    /// When the user declined to keep it.
    #[serde(default, deserialize_with = "crate::day::lenient", skip_serializing_if = "Option::is_none")]
    pub retention_declined: Option<Day>,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Counts of a candidate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Runs {
    /// Successes.
    #[serde(default)]
    pub success: u64,
    /// Failures.
    #[serde(default)]
    pub fail: u64,
    /// Successes lately, as the rules count them.
    #[serde(default)]
    pub recent_successes_7d: u64,
    /// Successes since the last failure or change of version; see [`CortexCandidate::streak`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consecutive_success: Option<u64>,
    /// The days of the successes of the last week (repaired rules).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub success_dates: Vec<Day>,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A failure that is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LastFail {
    /// Which kind.
    #[serde(rename = "type")]
    pub kind: OutcomeResult,
    /// One line about it.
    #[serde(default)]
    pub detail: String,
    /// When.
    #[serde(default, deserialize_with = "crate::day::lenient")]
    pub date: Option<Day>,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

fn initial_weight() -> f64 {
    INITIAL_WEIGHT
}

/// Returns true if a side effect bars a reflex: a matter of its first word, not of what it mentions.
///
/// ```
/// assert!(prowess_cortex::blocks_reflex("write:calendar"));
/// assert!(!prowess_cortex::blocks_reflex("network:write.example.test"));
/// ```
pub fn blocks_reflex(side_effect: &str) -> bool {
    BLOCKING_PREFIXES.iter().any(|prefix| side_effect.starts_with(prefix))
}

impl CortexCandidate {
    /// A skill nobody used yet, about whose side effects nothing is known.
    pub fn new(slug: &str) -> Self {
        Self {
            slug: slug.to_owned(),
            source: String::new(),
            version: String::new(),
            weight: INITIAL_WEIGHT,
            runs: Runs { consecutive_success: Some(0), ..Runs::default() },
            last_fail: None,
            side_effects: vec![UNKNOWN_SIDE_EFFECT.to_owned()],
            unread: false,
            skill_md_chars: 0,
            skill_md_bytes: None,
            content_hash: None,
            reflex: false,
            last_used: None,
            retention_declined: None,
            extra: Map::new(),
        }
    }

    /// Successes in a row. A file of another program does not say it: then all of them, unless something failed.
    pub fn streak(&self) -> u64 {
        let unsaid = || if self.last_fail.is_none() { self.runs.success } else { 0 };
        self.runs.consecutive_success.unwrap_or_else(unsaid)
    }

    /// Runs that are counted.
    pub fn uses(&self) -> u64 {
        self.runs.success.saturating_add(self.runs.fail)
    }

    /// Successes in a hundred runs, rounded; none without a run.
    pub fn success_percent(&self) -> Option<u64> {
        let uses = u128::from(self.runs.success) + u128::from(self.runs.fail);
        let percent = (u128::from(self.runs.success) * 200 + uses).checked_div(uses * 2)?;
        u64::try_from(percent).ok()
    }

    /// Side effects that bar a reflex.
    pub fn blocking(&self) -> impl Iterator<Item = &str> {
        self.side_effects.iter().map(String::as_str).filter(|side_effect| blocks_reflex(side_effect))
    }

    /// Learns from a success when so many successes came lately, as [`Rules::recent_successes`] counts them.
    pub fn succeed(&mut self, recent_successes: u64) {
        self.weight += (1.0 - self.weight) * boost(recent_successes);
        self.runs.recent_successes_7d = recent_successes.saturating_add(1);
        self.runs.consecutive_success = Some(self.streak().saturating_add(1));
        self.runs.success = self.runs.success.saturating_add(1);
    }

    /// Learns from a failure: the weight falls, the streak and the reflex end.
    pub fn fail(&mut self, failure: LastFail) {
        self.weight *= failure_factor(failure.kind);
        self.runs.fail = self.runs.fail.saturating_add(1);
        self.last_fail = Some(failure);
        self.demote();
    }

    /// Ends the streak and the reflex; the weight stays.
    pub fn demote(&mut self) {
        self.runs.consecutive_success = Some(0);
        self.reflex = false;
    }

    /// Gives the reflex to a candidate that earned it.
    pub fn promote_if_earned(&mut self, rules: Rules) {
        let earned = self.runs.success >= REFLEX_SUCCESSES
            && self.weight >= REFLEX_WEIGHT
            && self.blocking().next().is_none()
            // Repaired: a flag that the fast path would not honour is not given.
            && (rules == Rules::AsWritten || self.streak() >= REFLEX_STREAK);
        self.reflex |= earned;
    }

    /// Returns true if the user should be asked to keep the skill.
    pub fn offers_retention(&self, today: Day) -> bool {
        let rests = |declined| today.days_since(declined) < RETENTION_REST_DAYS;
        self.runs.success >= RETENTION_SUCCESSES
            && self.weight >= RETENTION_WEIGHT
            && self.skill_md_chars < RETENTION_CHARS
            && !self.retention_declined.is_some_and(rests)
    }

    /// Adds side effects that were declared or seen. What is known once stays known.
    pub fn widen(&mut self, seen: &[String]) {
        if !self.unread {
            self.side_effects.retain(|side_effect| side_effect != UNKNOWN_SIDE_EFFECT);
        }
        self.observe(seen);
    }

    /// Adds side effects that a run had. They say nothing about what other runs may do.
    pub fn observe(&mut self, seen: &[String]) {
        self.unread |= seen.iter().any(|side_effect| side_effect == UNKNOWN_SIDE_EFFECT);
        for side_effect in seen {
            if !self.side_effects.contains(side_effect) {
                self.side_effects.push(side_effect.clone());
            }
        }
    }
}
