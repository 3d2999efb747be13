//! Answers that find skills: a search, and what is downloaded most.

use serde::{Deserialize, Serialize};

use super::read::Owner;
use super::wire::Millis;

/// `GET /api/v1/search`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SearchAnswer {
    /// The best first.
    pub results: Vec<SearchHit>,
}

/// One line of a search. Only the score is certain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// How well it fits; only comparable within one answer.
    pub score: f64,
    /// The slug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The latest version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How often it was downloaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub downloads: Option<f64>,
    /// When it last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Millis>,
    /// The owner's handle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_handle: Option<String>,
    /// The owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// The kind of registry that has it; OpenClaw leaves out what does not say [`NATIVE_SOURCE`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The [`SearchHit::source`] of a skill that the registry itself has.
pub const NATIVE_SOURCE: &str = "clawhub";

/// `GET /api/v1/trending`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TrendingAnswer {
    /// The most downloaded first.
    pub items: Vec<TrendingSkill>,
}

/// One skill of a [`TrendingAnswer`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrendingSkill {
    /// The slug.
    pub slug: String,
    /// The name for people.
    pub display_name: String,
    /// Its purpose.
    pub summary: Option<String>,
    /// The kind of registry that has it, [`NATIVE_SOURCE`].
    pub source: String,
    /// Who publishes it.
    pub publisher: Owner,
    /// Its counts.
    pub metrics: TrendingMetrics,
}

/// The counts of a [`TrendingSkill`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrendingMetrics {
    /// When it last changed.
    pub updated_at: Millis,
    /// Archives that were fetched.
    pub downloads: u64,
    /// Publishers who starred it.
    pub stars: u64,
}
