//! Foreign session logs, as lines of a session.
//!
//! Each log is JSON lines, so one loop reads them all: a line is parsed, its secrets are masked, and the importer of
//! its kind says what it means. What it does not know stays as it was, as a foreign entry, and is counted; what it
//! knows to be bookkeeping or a repetition is left out, and is counted too.

mod builder;
mod claude_code;
mod codex;
mod content;
mod openclaw;
mod openpocket;
mod skills;

use std::collections::BTreeMap;

use prowess_types::TraceLine;
use serde_json::Value;

use crate::line::{MAX_LINE_BYTES, UnreadLine, UnreadReason, unread};
use crate::shape;

use builder::Builder;

/// The number of unread lines that are listed; the rest is only counted.
const MAX_UNREAD: usize = 100;

/// The agent program that wrote a log. The names are ids of the table of agent programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImportKind {
    /// Claude Code: `~/.claude/projects/<folder>/<uuid>.jsonl`.
    #[serde(alias = "claude")]
    ClaudeCode,
    /// Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`.
    Codex,
    /// OpenClaw: a transcript in the format of pi sessions.
    Openclaw,
    /// OpenPocket: `sessions/session-<id>.jsonl`.
    Openpocket,
}

impl ImportKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::ClaudeCode, Self::Codex, Self::Openclaw, Self::Openpocket];

    /// Its name, as it stands in a session.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Openclaw => "openclaw",
            Self::Openpocket => "openpocket",
        }
    }

    /// The kind of a name; none if logs of that program cannot be read.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl schemars::JsonSchema for ImportKind {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ImportKind".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": Self::ALL.map(Self::name) })
    }
}

/// A foreign log, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The session's id in the log; none if the log does not say.
    pub session: Option<String>,
    /// Its lines; none if nothing was understood.
    pub lines: Vec<TraceLine>,
    /// What was done with every entry.
    pub report: ImportReport,
}

/// What was done with the entries of a log.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// How many there were.
    pub entries: usize,
    /// Kept as they were because their meaning is not known, by kind.
    pub foreign: BTreeMap<String, usize>,
    /// Left out because they repeat others or say nothing about the run, by kind.
    pub skipped: BTreeMap<String, usize>,
    /// Secrets that were masked.
    pub masked: usize,
    /// Lines that are not entries.
    pub unread: Vec<UnreadLine>,
    /// How many of those are not listed.
    pub more_unread: usize,
}

/// Reads a foreign log.
///
/// ```
/// use prowess_trace::{ImportKind, import};
/// let log = br#"{"type":"user","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hi"}}"#;
/// let imported = import(ImportKind::ClaudeCode, log);
/// assert_eq!(prowess_trace::summary(&imported.lines).runs[0].message, "hi");
/// ```
pub fn import(kind: ImportKind, bytes: &[u8]) -> Imported {
    let mut builder = Builder::new(kind);
    let mut reader: Box<dyn Importer> = match kind {
        ImportKind::ClaudeCode => Box::new(claude_code::ClaudeCode::default()),
        ImportKind::Codex => Box::new(codex::Codex::default()),
        ImportKind::Openclaw => Box::new(openclaw::Openclaw),
        ImportKind::Openpocket => Box::new(openpocket::Openpocket::default()),
    };
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        builder.report.entries += 1;
        match parse(line) {
            Ok(mut entry) => {
                builder.report.masked += shape::mask_value(&mut entry);
                reader.entry(&entry, &mut builder);
            }
            Err(reason) if builder.report.unread.len() < MAX_UNREAD => {
                builder.report.unread.push(unread(index + 1, reason, line));
            }
            Err(_) => builder.report.more_unread += 1,
        }
    }
    builder.finish()
}

/// What the entries of one kind of log mean.
trait Importer {
    /// Takes the next entry.
    fn entry(&mut self, entry: &Value, builder: &mut Builder);
}

fn parse(line: &[u8]) -> Result<Value, UnreadReason> {
    if line.len() > MAX_LINE_BYTES {
        return Err(UnreadReason::TooLong(line.len()));
    }
    let text = str::from_utf8(line).map_err(|_| UnreadReason::NotText)?;
    let entry: Value =
        serde_json::from_str(text).map_err(|error| UnreadReason::NotJson(error.to_string()))?;
    if entry.is_object() { Ok(entry) } else { Err(UnreadReason::Malformed("not an object".to_owned())) }
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
