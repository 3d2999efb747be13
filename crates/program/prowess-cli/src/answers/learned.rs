//! Answers about sessions, drafts and what was learned.

use std::collections::BTreeMap;

use prowess_cortex::{CortexFile, Lesson};
use prowess_learn::cortex::{Perceived, Remembered, UseOfSkill, Validation};
use prowess_learn::forge::{DraftRecord, ReplayPreview, TestReport, Unused};
use prowess_sessions::{ImportedSession, SessionId, SessionListing};
use prowess_trace::{RunSummary, SessionSummary, UnreadLine};
use prowess_types::TraceLine;
use schemars::JsonSchema;
use serde::Serialize;

/// Recorded sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionsAnswer<'a> {
    /// The place where they are.
    pub(crate) folder: String,
    /// The latest first.
    pub(crate) sessions: &'a [SessionListing],
}

/// A session in short.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionAnswer<'a> {
    /// Its id.
    pub(crate) id: &'a SessionId,
    /// Its location.
    pub(crate) folder: String,
    /// What happened in it.
    pub(crate) summary: &'a SessionSummary,
    /// Lines that were not understood.
    pub(crate) unread: &'a [UnreadLine],
    /// Fields that are not known, with how often they occur.
    pub(crate) unknown_fields: &'a BTreeMap<String, usize>,
}

/// One run of a session, with its events.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RunAnswer<'a> {
    /// The session.
    pub(crate) id: &'a SessionId,
    /// The run in short.
    pub(crate) run: &'a RunSummary,
    /// Its events.
    pub(crate) lines: Vec<&'a TraceLine>,
}

/// The outcome of the files of other agents.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ImportAnswer {
    /// One for each file.
    pub(crate) imported: Vec<ImportedFile>,
}

/// The outcome of one file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ImportedFile {
    /// The file.
    pub(crate) file: String,
    /// True if it was taken over.
    pub(crate) ok: bool,
    /// The session that it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<ImportedSession>,
    /// The reason why it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// Drafts of skills.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DraftsAnswer<'a> {
    /// Every draft.
    pub(crate) drafts: &'a [DraftRecord],
    /// Promoted ones that nobody uses.
    pub(crate) unused: &'a [Unused],
}

/// One draft with its files.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct StoredDraftAnswer<'a> {
    /// Known facts about it.
    pub(crate) draft: &'a DraftRecord,
    /// Its files, by their place below its folder.
    pub(crate) files: &'a BTreeMap<String, String>,
    /// The hash of its files.
    pub(crate) hash: &'a str,
    /// True if it passed its test as it is now.
    pub(crate) passed: bool,
    /// The script as a test runs it.
    pub(crate) replay: &'a ReplayPreview,
}

/// The result of a test, and what it ran or would run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TestAnswer<'a> {
    /// The result.
    #[serde(flatten)]
    pub(crate) report: &'a TestReport,
    /// The script as the test runs it.
    pub(crate) replay: &'a ReplayPreview,
}

/// A difference as text.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TextDiffAnswer {
    /// In the unified format; empty if there is none.
    pub(crate) diff: String,
}

/// What was seen for a task.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PerceivedAnswer<'a> {
    /// What was seen.
    #[serde(flatten)]
    pub(crate) seen: &'a Perceived,
    /// What the first candidate was checked for.
    pub(crate) validation: Option<Validation>,
}

/// What happened, as the log has it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HistoryAnswer<'a> {
    /// The events.
    pub(crate) events: &'a [Remembered],
}

/// Whether something was changed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ChangedAnswer {
    /// True if something was.
    pub(crate) changed: bool,
}

/// What was learned, computed anew from the log.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplayedAnswer<'a> {
    /// Under which rules.
    pub(crate) rules: &'a str,
    /// Of how many events.
    pub(crate) events: u64,
    /// True if it is what is kept.
    pub(crate) same: bool,
    /// What was learned, as `cortex.json` has it.
    pub(crate) cortex: CortexFile,
}

/// Something was forgotten.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ForgottenAnswer {
    /// Always `true`.
    pub(crate) forgotten: bool,
    /// The number of events that the log has.
    pub(crate) events: u64,
}

/// What is never used.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BlacklistAnswer {
    /// `slug` or `slug@version`.
    pub(crate) blacklist: Vec<String>,
    /// True if the list was changed; none if nothing was asked to be.
    pub(crate) changed: Option<bool>,
}

/// The lessons.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LessonsAnswer<'a> {
    /// In the order they were learned.
    pub(crate) lessons: &'a [Lesson],
}

/// A weight over a number of uses.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SimulationAnswer<'a> {
    /// Use by use.
    pub(crate) uses: &'a [UseOfSkill],
}
