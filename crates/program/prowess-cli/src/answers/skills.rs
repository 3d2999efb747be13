//! Answers about the skills that are here.

use prowess::{DoctorCheck, DoctorFinding};
use prowess_acquire::{DependencyOption, DependencyPlan, DependencyReadiness, Installation, Scanned};
use prowess_inventory::{EmptyPrompt, Examined, ListReport, SkillStatus};
use prowess_match::{CaseReport, OverlappingPair, TriggerReport};
use prowess_scan::{Accepted, CapabilityDiff};
use prowess_skill::OpenpocketIssue;
use prowess_types::{Diagnostic, Extensions, Fields, Loss, RefusedInstall, SpecLevel, Triggers};
use schemars::JsonSchema;
use serde::Serialize;

/// The skills that are here.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListAnswer<'a> {
    /// Those that were loaded.
    #[serde(flatten)]
    pub(crate) report: ListReport,
    /// What was found and not loaded, with `--all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_loaded: Option<&'a [Loss]>,
}

/// A skill's entry in the status report, and what its author wrote.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InfoAnswer<'a> {
    /// The entry.
    #[serde(flatten)]
    pub(crate) status: SkillStatus,
    /// The frontmatter as it is written.
    pub(crate) frontmatter: &'a Fields,
    /// Fields of other engines.
    pub(crate) extensions: &'a Extensions,
    /// Words that ask for it.
    pub(crate) triggers: &'a Triggers,
}

/// What a model would be told.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptAnswer<'a> {
    /// The text.
    pub(crate) prompt: &'a str,
    /// Its length.
    pub(crate) chars: usize,
    /// How much of its beginning does not follow the message.
    pub(crate) stable_chars: usize,
    /// About how many tokens it is.
    pub(crate) tokens: usize,
    /// The number of skills that are in it.
    pub(crate) included: usize,
    /// How many were left out.
    pub(crate) cut: usize,
    /// What the model is told about that.
    pub(crate) note: Option<&'a str>,
    /// The reason there are no skills in it, if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) empty: Option<&'a EmptyPrompt>,
}

/// Skills that compete for the same messages.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OverlapAnswer<'a> {
    /// The number of pairs.
    pub(crate) total: usize,
    /// The worst of them.
    pub(crate) pairs: &'a [&'a OverlappingPair],
}

/// Whether skills fire on their own trigger cases.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TriggersAnswer<'a> {
    /// The figures.
    #[serde(flatten)]
    pub(crate) report: &'a TriggerReport,
    /// True if they are good enough.
    pub(crate) ok: bool,
}

/// The results of cases that name their skill.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CasesAnswer<'a> {
    /// The figures.
    #[serde(flatten)]
    pub(crate) report: &'a CaseReport,
    /// True if they are good enough.
    pub(crate) ok: bool,
}

/// What a skill needs on this machine.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DependenciesAnswer<'a> {
    /// What is there and what is missing.
    #[serde(flatten)]
    pub(crate) readiness: &'a DependencyReadiness,
    /// The skill.
    pub(crate) skill: &'a str,
    /// Which root it is from.
    pub(crate) source: &'a str,
    /// How to get what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<&'a [DependencyOption]>,
    /// Declared ways that cannot be used, with the reasons.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) refused_installs: &'a [RefusedInstall],
    /// `true` with `--dry-run`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dry_run: Option<bool>,
    /// What would be run, with `--dry-run`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) plans: Option<&'a [DependencyPlan]>,
    /// What was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) results: Option<&'a [Installation]>,
}

/// What could be better in skills.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LintAnswer<'a> {
    /// One for each file.
    pub(crate) files: &'a [Examined],
}

/// Whether skills follow the specification.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ValidateAnswer<'a> {
    /// One for each file.
    pub(crate) files: Vec<ValidateFile<'a>>,
    /// How many do.
    pub(crate) summary: ValidateSummary,
}

/// Whether one file follows the specification.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ValidateFile<'a> {
    /// The file.
    pub(crate) path: String,
    /// True if it does.
    pub(crate) valid: bool,
    /// How far it can be used elsewhere.
    pub(crate) level: Option<SpecLevel>,
    /// The skill's name.
    pub(crate) name: Option<&'a str>,
    /// The reason why it could not be read.
    pub(crate) error: Option<&'a str>,
    /// Everything that is wrong.
    pub(crate) diagnostics: &'a [Diagnostic],
}

/// The number of files that are valid.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ValidateSummary {
    /// So many are.
    pub(crate) valid: usize,
    /// So many are not.
    pub(crate) invalid: usize,
}

/// What the reference validator of the specification would say.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SkillsRefAnswer {
    /// One for each folder.
    pub(crate) files: Vec<SkillsRefFile>,
}

/// What it would say about one folder.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SkillsRefFile {
    /// The folder.
    pub(crate) path: String,
    /// True if it is valid.
    pub(crate) valid: bool,
    /// Its messages.
    pub(crate) errors: Vec<String>,
}

/// What OpenPocket's validator would say.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OpenpocketAnswer {
    /// One for each file.
    pub(crate) files: Vec<OpenpocketFile>,
    /// How many are valid.
    pub(crate) valid: usize,
    /// How many are not.
    pub(crate) invalid: usize,
}

/// What it would say about one file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OpenpocketFile {
    /// The file.
    pub(crate) path: String,
    /// True if it is valid.
    pub(crate) ok: bool,
    /// Its messages.
    pub(crate) issues: Vec<OpenpocketIssue>,
}

/// What skills would do.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScanAnswer<'a> {
    /// One for each skill.
    pub(crate) skills: &'a [Scanned],
    /// Entries of the baseline that were written for other content.
    pub(crate) stale: &'a [Accepted],
    /// What a skill can do that its older version could not, with `--diff`.
    pub(crate) capability_diff: Option<&'a CapabilityDiff>,
    /// How many there are of each verdict.
    pub(crate) summary: ScanSummary,
}

/// The number of skills that got each verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ScanSummary {
    /// Clean.
    pub(crate) clean: usize,
    /// Suspicious.
    pub(crate) suspicious: usize,
    /// Malicious.
    pub(crate) malicious: usize,
}

/// Problems that were looked for.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DoctorAnswer<'a> {
    /// The findings.
    pub(crate) findings: Vec<&'a DoctorFinding>,
    /// What could not be mended, with `--fix`.
    pub(crate) failures: Vec<NotMended>,
}

/// A problem that could not be mended.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NotMended {
    /// The check.
    pub(crate) id: &'static str,
    /// The file, the key or the name it is about.
    pub(crate) subject: Option<String>,
    /// The reason against it.
    pub(crate) message: String,
}

/// Everything that is looked for.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DoctorChecksAnswer {
    /// Every check.
    pub(crate) checks: Vec<&'static DoctorCheck>,
}
