//! Sessions in and out: foreign logs, and exports.

use std::path::Path;

use prowess_fs::UpdateError;
use prowess_trace::{ImportKind, ImportReport, Imported};
use prowess_types::{TraceEvent, TraceLine};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::{LOCK_TIMEOUT, MAX_BYTES, SessionError, SessionId, Sessions};

/// The format of an exported session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// For people.
    #[default]
    Markdown,
    /// The lines as they are.
    Jsonl,
    /// One document: the summary, the lines, and what was not understood.
    Json,
}

/// A foreign log that was taken over.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedSession {
    /// The session it is now.
    pub id: SessionId,
    /// How many runs it has.
    pub runs: usize,
    /// Whether it had been imported before; ratings are kept.
    pub replaced: bool,
    /// What was done with every entry.
    pub report: ImportReport,
}

impl Sessions {
    /// Writes a session out.
    pub fn export(&self, id: &SessionId, format: ExportFormat) -> Result<String, SessionError> {
        if format == ExportFormat::Jsonl {
            return Ok(String::from_utf8_lossy(&self.bytes(id)?).into_owned());
        }
        let stored = self.show(id)?;
        Ok(match format {
            ExportFormat::Markdown => prowess_trace::markdown(&stored.session),
            ExportFormat::Jsonl | ExportFormat::Json => {
                let document = serde_json::json!({
                    "id": id,
                    "summary": stored.summary,
                    "lines": stored.session.lines,
                    "unread": stored.session.unread,
                });
                format!("{document:#}\n")
            }
        })
    }

    /// Writes a session out to a file, which is the user's alone.
    pub fn export_to(&self, id: &SessionId, format: ExportFormat, file: &Path) -> Result<(), SessionError> {
        let text = self.export(id, format)?;
        Ok(prowess_fs::write_atomic(file, text.as_bytes(), Some(0o600))?)
    }

    /// Imports a session log of another agent. Its id follows from the log, so that a log that has grown replaces
    /// what was imported before.
    pub fn import(&self, kind: ImportKind, file: &Path) -> Result<ImportedSession, SessionError> {
        self.take_over(kind, &prowess_fs::read_file(file, MAX_BYTES)?, file)
    }

    /// Takes over the text of a session log of another agent, as [`import`](Self::import) does.
    pub fn import_text(&self, kind: ImportKind, text: &str) -> Result<ImportedSession, SessionError> {
        self.take_over(kind, text.as_bytes(), Path::new("the text"))
    }

    fn take_over(
        &self,
        kind: ImportKind,
        bytes: &[u8],
        file: &Path,
    ) -> Result<ImportedSession, SessionError> {
        let mut imported = prowess_trace::import(kind, bytes);
        let runs = prowess_trace::summary(&imported.lines).runs.len();
        if runs == 0 {
            return Err(SessionError::NothingImported { file: file.to_owned(), kind: kind.name() });
        }
        let id = id_of(kind, &imported, bytes);
        if let Some(TraceLine { event: TraceEvent::Session { session, .. }, .. }) = imported.lines.first_mut()
        {
            *session = id.to_string();
        }
        let mut replaced = false;
        let replace = |old: Option<String>| {
            let ratings = old.map(|old| ratings(&id, kind, &old)).transpose()?;
            replaced = ratings.is_some();
            let lines = imported.lines.iter().chain(ratings.iter().flatten());
            Ok(Some(lines.map(|line| prowess_trace::write(line) + "\n").collect()))
        };
        prowess_fs::update_file(&self.file_of(&id), LOCK_TIMEOUT, replace).map_err(|error| match error {
            UpdateError::Edit(error) => error,
            error => SessionError::Replace { id: id.clone(), source: Box::new(error) },
        })?;
        Ok(ImportedSession { id, runs, replaced, report: imported.report })
    }
}

/// The name of the agent and the log's own id; where that cannot be part of a name, a hash.
fn id_of(kind: ImportKind, imported: &Imported, bytes: &[u8]) -> SessionId {
    let named = imported.session.as_ref().and_then(|id| format!("{}-{id}", kind.name()).parse().ok());
    named.unwrap_or_else(|| {
        // A log only grows, so its first line stays.
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let hash = Sha256::digest(imported.session.as_ref().map_or(first, |id| id.as_bytes()));
        SessionId::hashed(kind.name(), &hash)
    })
}

/// The user's ratings in what was imported before.
fn ratings(id: &SessionId, kind: ImportKind, old: &str) -> Result<Vec<TraceLine>, SessionError> {
    let old = prowess_trace::read(old.as_bytes())
        .map_err(|source| SessionError::Trace { id: id.clone(), source })?;
    let from = prowess_trace::summary(&old.lines).imported_from;
    if from.as_deref() != Some(kind.name()) {
        return Err(SessionError::Taken(id.clone()));
    }
    Ok(old.lines.into_iter().filter(|line| matches!(line.event, TraceEvent::Rating { .. })).collect())
}
