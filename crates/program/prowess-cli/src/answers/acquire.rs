//! Answers about getting, keeping and removing skills.

use prowess_acquire::{Done, InstalledSkill, OutdatedSkill, Plan, RemovalPlan, Removed};
use prowess_connect::harness::Survey;
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::ErrorDetail;

/// The outcome of every skill that was asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InstallAnswer<'a> {
    /// What another agent program has, where skills are taken over from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) found: Option<&'a Survey>,
    /// One result for each.
    pub(crate) results: Vec<InstallResult<'a>>,
}

/// The outcome of one wish.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "status", rename_all = "camelCase")]
pub(crate) enum InstallResult<'a> {
    /// It was done.
    Done {
        /// The requested name.
        asked: &'a str,
        /// The plan.
        plan: &'a Plan,
        /// The action.
        done: &'a Done,
    },
    /// It would be done.
    Planned {
        /// The requested name.
        asked: &'a str,
        /// The plan.
        plan: &'a Plan,
    },
    /// There is no consent.
    NeedsConsent {
        /// The requested name.
        asked: &'a str,
        /// The plan.
        plan: &'a Plan,
    },
    /// Nothing to do.
    Nothing {
        /// The requested name.
        asked: &'a str,
        /// The reason.
        reason: &'a str,
    },
    /// It went wrong.
    Failed {
        /// The requested name.
        asked: &'a str,
        /// What was planned, if it came so far.
        plan: Option<&'a Plan>,
        /// The error.
        error: ErrorDetail,
    },
}

/// What `install --frozen` did.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FrozenAnswer<'a> {
    /// Skills that were missing.
    pub(crate) results: Vec<InstallResult<'a>>,
    /// Folders that were as the lock says.
    pub(crate) intact: Vec<String>,
    /// Skills that the lock does not name.
    pub(crate) extra: Vec<String>,
}

/// Whether there is something newer.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OutdatedAnswer<'a> {
    /// Every skill that was asked about.
    pub(crate) skills: &'a [OutdatedSkill],
}

/// Whether installed skills are as they were installed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct VerifyAnswer<'a> {
    /// True if all are.
    pub(crate) ok: bool,
    /// Every installed skill.
    pub(crate) skills: &'a [InstalledSkill],
    /// Locks that could not be read.
    pub(crate) problems: &'a [String],
}

/// The outcome of every skill that was to be pinned.
pub(crate) type PinAnswer<'a> = NamedAnswer<'a, InstalledSkill>;

/// The outcome of every skill that was to be unpinned.
pub(crate) type UnpinAnswer<'a> = NamedAnswer<'a, UnpinDone>;

/// One result for each name.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NamedAnswer<'a, T> {
    /// In the order of the names.
    pub(crate) results: Vec<PinResult<'a, T>>,
}

/// The outcome of one name.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "status", rename_all = "camelCase")]
pub(crate) enum PinResult<'a, T> {
    /// It was done.
    Done {
        /// The name.
        asked: &'a str,
        /// Its current state.
        done: T,
    },
    /// It went wrong.
    Failed {
        /// The name.
        asked: &'a str,
        /// The error.
        error: ErrorDetail,
    },
}

/// A skill that may be updated again.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UnpinDone {
    /// True if it was pinned before.
    pub(crate) was_pinned: bool,
}

/// The outcome of every skill that was to be removed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RemovalAnswer<'a> {
    /// In the order of the names.
    pub(crate) results: Vec<RemovalRow<'a>>,
}

/// The outcome of one skill that was to be removed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RemovalRow<'a> {
    /// The name.
    pub(crate) asked: &'a str,
    /// The outcome of it.
    #[serde(flatten)]
    pub(crate) result: RemovalResult,
}

/// The outcome of one removal.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "status", rename_all = "camelCase")]
pub(crate) enum RemovalResult {
    /// It is in the trash.
    Done {
        /// The action.
        done: Box<Removed>,
    },
    /// It would be moved to the trash.
    Planned {
        /// The plan.
        plan: Box<RemovalPlan>,
    },
    /// There is no consent.
    NeedsConsent {
        /// The plan.
        plan: Box<RemovalPlan>,
    },
    /// It went wrong.
    Failed {
        /// The error.
        error: ErrorDetail,
    },
}

/// The content of the trash.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TrashAnswer {
    /// One row for each folder.
    pub(crate) trash: Vec<TrashRow>,
}

/// For whom a folder in the trash was installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TrashScope {
    /// For one workspace.
    Workspace,
    /// For all workspaces.
    Managed,
}

/// A folder in the trash.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrashRow {
    /// What brings it back: `prowess restore ID`.
    pub(crate) id: String,
    /// For whom it was installed.
    pub(crate) scope: TrashScope,
    /// Its previous location.
    pub(crate) from: String,
    /// When it was removed, in milliseconds since 1970.
    pub(crate) removed_at: u64,
}
