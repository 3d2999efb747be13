//! Finding and reading sessions.

use std::cmp::Reverse;

use prowess_trace::{RunSummary, Session, SessionSummary};
use serde::Serialize;

use super::{MAX_BYTES, SessionError, SessionId, Sessions, TRACE_FILE};

/// The word for the session that was written last.
const LAST: &str = "last";

/// The filter of a list of sessions.
#[derive(Clone, Debug, Default)]
pub struct SessionFilter {
    /// Only those of this agent.
    pub agent: Option<String>,
    /// The maximum number, those that were written last.
    pub limit: Option<usize>,
}

/// A session in a list.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionListing {
    /// Its id.
    pub id: SessionId,
    /// What happened in it; empty if it cannot be read.
    #[serde(flatten)]
    pub summary: SessionSummary,
    /// How many of its lines were not understood.
    pub unread_lines: usize,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A session that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    /// Its id.
    pub id: SessionId,
    /// Its lines, and those that were not understood.
    pub session: Session,
    /// The summary of its events.
    pub summary: SessionSummary,
}

impl StoredSession {
    /// A run by its id or the only beginning of one; without one, the last run that the user started.
    pub fn run(&self, run: Option<&str>) -> Result<&RunSummary, SessionError> {
        let runs = &self.summary.runs;
        let Some(run) = run else {
            let own = runs.iter().rev().find(|run| run.parent.is_none());
            return own.or(runs.last()).ok_or_else(|| SessionError::NoRun(self.id.clone()));
        };
        let begins = |known: &&RunSummary| {
            !run.is_empty() && known.run.get(..run.len()).is_some_and(|start| start.eq_ignore_ascii_case(run))
        };
        let mut beginning = runs.iter().filter(begins);
        let only = beginning.next().filter(|_| beginning.next().is_none());
        runs.iter().find(|known| known.run == run).or(only).ok_or_else(|| SessionError::UnknownRun {
            session: self.id.clone(),
            run: run.to_owned(),
            runs: runs.iter().map(|run| run.run.clone()).collect(),
        })
    }
}

impl Sessions {
    /// The sessions, those written last first. One that cannot be read is in the list with the reason.
    pub fn list(&self, filter: &SessionFilter) -> Vec<SessionListing> {
        let listed = self.ids().into_iter().map(|id| self.listing(id));
        let wanted = listed
            .filter(|listing| filter.agent.as_ref().is_none_or(|agent| listing.summary.agent == *agent));
        wanted.take(filter.limit.unwrap_or(usize::MAX)).collect()
    }

    /// The ids of the sessions that were written last, at most `limit`.
    pub fn newest(&self, limit: usize) -> Vec<SessionId> {
        self.ids().into_iter().take(limit).collect()
    }

    /// The session that is meant by an id, the beginning of one, or `last`.
    pub fn find(&self, text: &str) -> Result<SessionId, SessionError> {
        if let Ok(id) = text.parse::<SessionId>()
            && prowess_fs::is_taken(&self.file_of(&id))
        {
            return Ok(id);
        }
        let ids = self.ids();
        let begins = |id: &&SessionId| {
            id.as_str().get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text))
        };
        let matches: Vec<SessionId> = ids.iter().filter(begins).cloned().collect();
        match (matches.as_slice(), ids.first()) {
            ([id], _) => Ok(id.clone()),
            ([], Some(last)) if text == LAST => Ok(last.clone()),
            ([], _) => Err(SessionError::Unknown(text.to_owned())),
            _ => Err(SessionError::Ambiguous { text: text.to_owned(), matches }),
        }
    }

    /// Reads a session.
    pub fn show(&self, id: &SessionId) -> Result<StoredSession, SessionError> {
        let bytes = self.bytes(id)?;
        let trace = |source| SessionError::Trace { id: id.clone(), source };
        let session = prowess_trace::read(&bytes).map_err(trace)?;
        let summary = prowess_trace::summary(&session.lines);
        Ok(StoredSession { id: id.clone(), session, summary })
    }

    /// The file of a session as it is.
    pub(super) fn bytes(&self, id: &SessionId) -> Result<Vec<u8>, SessionError> {
        prowess_fs::read_file(&self.file_of(id), MAX_BYTES).map_err(|error| {
            if error.is_missing() { SessionError::Unknown(id.to_string()) } else { error.into() }
        })
    }

    /// Every session, that written last first.
    pub(crate) fn ids(&self) -> Vec<SessionId> {
        let mut found: Vec<_> = prowess_fs::subfolders(&self.folder)
            .into_iter()
            .filter_map(|folder| {
                let id: SessionId = folder.file_name()?.to_str()?.parse().ok()?;
                let stamp = prowess_fs::stamp(&folder.join(TRACE_FILE)).ok()??;
                Some(((stamp.modified_secs, stamp.modified_nanos), id))
            })
            .collect();
        found.sort_by(|one, other| Reverse(one).cmp(&Reverse(other)));
        found.into_iter().map(|(_, id)| id).collect()
    }

    pub(super) fn listing(&self, id: SessionId) -> SessionListing {
        match self.show(&id) {
            Ok(stored) => SessionListing {
                id,
                summary: stored.summary,
                unread_lines: stored.session.unread.len(),
                error: None,
            },
            Err(error) => SessionListing {
                id,
                summary: SessionSummary::default(),
                unread_lines: 0,
                error: Some(prowess_text::describe_error(&error)),
            },
        }
    }
}
