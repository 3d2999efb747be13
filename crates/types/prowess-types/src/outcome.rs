//! The result of a run.

use serde::{Deserialize, Serialize};

/// The result of a run, and who says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The result.
    pub result: OutcomeResult,
    /// The source of the statement.
    pub by: OutcomeSource,
    /// What went wrong, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The name of the cause of a failure: the missing program or module, the variable, the service, the ability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeResult {
    /// The task was done.
    Success,
    /// A program or library is not there.
    DependencyMissing,
    /// A key is missing, wrong or without the right.
    AuthError,
    /// A service refused or failed.
    ApiError,
    /// The skill is for something else.
    TaskMismatch,
    /// Anything else went wrong while the skill was used.
    RuntimeError,
    /// Nobody knows; nothing is learned from it.
    #[default]
    Unknown,
}

impl OutcomeResult {
    /// Returns true if it is one of the five failures.
    pub fn is_failure(self) -> bool {
        !matches!(self, Self::Success | Self::Unknown)
    }
}

/// Who says how a run went; an earlier one of these outranks a later one.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeSource {
    /// The user rated it.
    User,
    /// The agent reported it.
    Agent,
    /// It was told from the errors in the trace.
    Classifier,
    /// Nobody.
    #[default]
    Nobody,
}
