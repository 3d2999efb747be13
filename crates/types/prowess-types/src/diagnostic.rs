//! Problems in a skill, with their places.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A half-open range of bytes in the text of a file, after decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

/// How bad a diagnostic is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing to do.
    Note,
    /// The skill works here, but not everywhere, or not as its author meant.
    Warning,
    /// The skill is refused, or breaks the specification.
    Error,
}

/// One problem in a skill. Problems in skills are never `Err`: parsing always succeeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Diagnostic {
    /// Stable id such as `name/too-long`; documented in `docs/reference/rules.md`.
    pub rule: Cow<'static, str>,
    /// Its severity.
    pub severity: Severity,
    /// Where in the file, if it has a place.
    pub span: Option<Span>,
    /// What is wrong, in one sentence without a final period.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}

/// How far a skill is from the Agent Skills specification.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Level")]
pub enum SpecLevel {
    /// Not loaded: a required part is missing or unreadable.
    #[default]
    Rejected,
    /// Loaded, with warnings: other engines may refuse it.
    Loadable,
    /// Portable but for known extension fields and nested metadata.
    Extended,
    /// Follows the bare specification.
    Portable,
}
