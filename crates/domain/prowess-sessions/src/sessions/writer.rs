//! Writing a session while it happens.

use std::fmt;
use std::path::{Path, PathBuf};

use prowess_context::Clock;
use prowess_fs::Appended;
use prowess_types::{TRACE_FORMAT, TraceEvent, TraceLine};

use super::{LOCK_TIMEOUT, SessionError, SessionId, Sessions};

/// Adds events to a session, from any thread.
///
/// A clone, or what [`run`](Self::run) gives, writes to the same session. Every line is in the file when
/// [`append`](Self::append) returns; the end of a run is also forced to disk.
#[derive(Clone)]
pub struct SessionWriter {
    id: SessionId,
    file: PathBuf,
    run: String,
    clock: Clock,
}

impl Sessions {
    /// Opens a session for writing; a session that does not exist begins now.
    ///
    /// ```
    /// use prowess::{Clock, Engine, EngineOptions, Env, SessionId};
    /// use prowess::types::TraceEvent;
    /// # let home = tempfile::tempdir()?;
    /// # let env = Env::new([("HOME".to_owned(), home.path().display().to_string())], home.path());
    /// # let engine = Engine::open(EngineOptions { env, ..EngineOptions::default() })?;
    /// let writer = Sessions::of(engine).open(SessionId::new(1_000), "main", "/project", Clock::new(|| 1_000))?;
    /// let run = writer.run("r1");
    /// run.append(TraceEvent::Answer { text: "done".into() })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(
        &self,
        id: SessionId,
        agent: &str,
        workspace: &str,
        clock: Clock,
    ) -> Result<SessionWriter, SessionError> {
        let writer = SessionWriter::existing(id.clone(), self.file_of(&id), clock);
        if !prowess_fs::is_taken(&writer.file) {
            writer.append(TraceEvent::Session {
                format: TRACE_FORMAT,
                session: writer.id.to_string(),
                agent: agent.to_owned(),
                workspace: workspace.to_owned(),
                imported_from: None,
            })?;
        }
        Ok(writer)
    }
}

impl SessionWriter {
    /// For a session that has its first line.
    pub(super) fn existing(id: SessionId, file: PathBuf, clock: Clock) -> Self {
        Self { id, file, run: String::new(), clock }
    }

    /// The session.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// The file with its lines.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The same session, for the events of one run.
    #[must_use]
    pub fn run(&self, run: impl Into<String>) -> Self {
        Self { run: run.into(), ..self.clone() }
    }

    /// Adds an event.
    ///
    /// If a crash had cut off the last line, a notice is added first that says so; the cut line is kept.
    pub fn append(&self, event: TraceEvent) -> Result<(), SessionError> {
        let ends_run = matches!(event, TraceEvent::RunEnded { .. });
        if self.add(event)? == Appended::AfterTornLine {
            self.add(TraceEvent::Notice {
                kind: "torn_line".to_owned(),
                text: "the line before the last one was cut off; it is kept as it was found".to_owned(),
            })?;
        }
        if ends_run { self.sync() } else { Ok(()) }
    }

    /// Forces what was added to disk.
    pub fn sync(&self) -> Result<(), SessionError> {
        Ok(prowess_fs::sync_file(&self.file)?)
    }

    fn add(&self, event: TraceEvent) -> Result<Appended, SessionError> {
        let line = TraceLine { at: self.clock.now_ms(), run: self.run.clone(), event };
        Ok(prowess_fs::append_line(&self.file, &prowess_trace::write(&line), LOCK_TIMEOUT)?)
    }
}

impl fmt::Debug for SessionWriter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("SessionWriter");
        shown.field("id", &self.id).field("file", &self.file).field("run", &self.run).finish_non_exhaustive()
    }
}
