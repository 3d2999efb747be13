//! What a scan says: findings, and the verdict that follows from them.

use std::borrow::Cow;
use std::fmt;

use prowess_types::{ContentHash, ScanVerdict, Span};
use serde::{Deserialize, Serialize};

use crate::{Capabilities, UnscannedReason};

/// How bad a finding is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Severity")]
pub enum ScanSeverity {
    /// Worth knowing; says nothing against the skill.
    Info,
    /// A person should look before the skill is used.
    Warn,
    /// The skill must not be installed.
    Critical,
}

impl ScanSeverity {
    /// The word used in files and answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Critical => "critical",
        }
    }

    /// One step milder.
    pub(crate) const fn softer(self) -> Self {
        match self {
            Self::Critical => Self::Warn,
            Self::Warn | Self::Info => Self::Info,
        }
    }
}

impl fmt::Display for ScanSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The verdict over findings.
pub fn verdict_over(findings: &[ScanFinding]) -> ScanVerdict {
    match findings.iter().map(|finding| finding.severity).max() {
        Some(ScanSeverity::Critical) => ScanVerdict::Malicious,
        Some(ScanSeverity::Warn) => ScanVerdict::Suspicious,
        Some(ScanSeverity::Info) | None => ScanVerdict::Clean,
    }
}

/// The families of things a skill can do wrong.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// Secrets leave the machine.
    Exfiltration,
    /// Somebody else gets a shell.
    ReverseShell,
    /// Code is fetched and run.
    DownloadAndRun,
    /// The payload is encoded.
    Obfuscation,
    /// Text that a person does not see.
    Hidden,
    /// The agent is told to drop its rules.
    Override,
    /// Instructions come from elsewhere, later.
    RemoteInstructions,
    /// The files that steer an agent are changed.
    MemoryPoisoning,
    /// Something stays after the skill.
    Persistence,
    /// The machine works for somebody else.
    Mining,
    /// The user is talked into running something.
    Lure,
    /// Built-in tools or other skills are displaced.
    Shadowing,
    /// A declared installer is abused.
    InstallSpec,
    /// Variables that load code or redirect traffic.
    Environment,
    /// It pretends to be something else.
    Identity,
    /// Rights are raised, or data destroyed.
    Destruction,
    /// The shape of the files themselves.
    Structure,
}

impl Category {
    /// The word used in files and answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exfiltration => "exfiltration",
            Self::ReverseShell => "reverse-shell",
            Self::DownloadAndRun => "download-and-run",
            Self::Obfuscation => "obfuscation",
            Self::Hidden => "hidden",
            Self::Override => "override",
            Self::RemoteInstructions => "remote-instructions",
            Self::MemoryPoisoning => "memory-poisoning",
            Self::Persistence => "persistence",
            Self::Mining => "mining",
            Self::Lure => "lure",
            Self::Shadowing => "shadowing",
            Self::InstallSpec => "install-spec",
            Self::Environment => "environment",
            Self::Identity => "identity",
            Self::Destruction => "destruction",
            Self::Structure => "structure",
        }
    }
}

/// One thing that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Finding")]
pub struct ScanFinding {
    /// Stable id such as `exfiltration/credential-file`; see [`crate::rules`].
    pub rule: Cow<'static, str>,
    /// Its family.
    pub category: Category,
    /// How bad it is here; context can make a rule milder, never worse than it says.
    pub severity: ScanSeverity,
    /// The file, relative to the skill.
    pub file: String,
    /// Line, from 1; 0 when the finding concerns the whole file.
    pub line: u32,
    /// First column, from 1, in characters.
    pub column: u32,
    /// One past the last column on that line.
    pub end_column: u32,
    /// The bytes it concerns, in the decoded text of the file.
    pub span: Span,
    /// What was seen, short, with secrets masked and control characters escaped.
    pub evidence: String,
    /// The reason why it matters.
    pub reason: String,
    /// How to fix or accept it.
    pub fix: Cow<'static, str>,
}

/// What was read and what was not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Files whose every byte was looked at.
    pub files_read: usize,
    /// Their bytes.
    pub bytes_read: u64,
    /// Bytes that were looked at, each as often as it was: what a scan costs, without a clock.
    #[serde(default)]
    pub bytes_examined: u64,
    /// Everything else, with the reason.
    pub unread: Vec<UnreadFile>,
}

/// A file, or a part of it, that was not looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnreadFile {
    /// The file, relative to the skill.
    pub file: String,
    /// How many of its bytes were not looked at.
    pub bytes: u64,
    /// The reason.
    pub reason: UnscannedReason,
}

/// The outcome of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// What the findings amount to.
    pub verdict: ScanVerdict,
    /// What was seen: worst first, then by file and place.
    pub findings: Vec<ScanFinding>,
    /// What the skill can do.
    pub capabilities: Capabilities,
    /// What was read and what was not.
    pub coverage: Coverage,
    /// Hash over the names and bytes of all files, which accepted findings are bound to.
    pub content: ContentHash,
}

impl Report {
    /// The findings of at least this severity.
    pub fn at_least(&self, severity: ScanSeverity) -> impl Iterator<Item = &ScanFinding> {
        self.findings.iter().filter(move |finding| finding.severity >= severity)
    }
}
