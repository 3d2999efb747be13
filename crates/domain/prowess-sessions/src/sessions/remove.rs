//! Sessions that go, begin anew, or were cut off.

use prowess_context::Clock;
use prowess_fs::Mirror;
use prowess_types::{Outcome, TraceEvent};

use super::{SessionError, SessionId, SessionWriter, Sessions};

/// More files than this no session has; most of them are stored prompts.
const MAX_FILES: usize = 10_000;
const MAX_DEPTH: usize = 8;

impl Sessions {
    /// Deletes a session with everything in its folder. Says whether there was one.
    pub fn delete(&self, id: &SessionId) -> Result<bool, SessionError> {
        let folder = self.folder_of(id);
        if !prowess_fs::is_taken(&folder) {
            return Ok(false);
        }
        let is_there = prowess_fs::is_taken(&self.file_of(id));
        let mirror = Mirror::open(&folder)?;
        let failed = |source| SessionError::Replace { id: id.clone(), source: Box::new(source) };
        for entry in prowess_fs::list_all(&folder, MAX_FILES, MAX_DEPTH).entries {
            mirror.remove(&entry.relative).map_err(failed)?;
        }
        Ok(is_there)
    }

    /// Begins a session anew. What happened in it so far is a session of its own from now on, whose id is given back;
    /// none if nothing had happened.
    pub fn reset(&self, id: &SessionId, now_ms: u64) -> Result<Option<SessionId>, SessionError> {
        let bytes = match self.bytes(id) {
            Ok(bytes) => bytes,
            Err(SessionError::Unknown(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let kept = SessionId::new(now_ms);
        prowess_fs::create_folder(&self.folder_of(&kept))?;
        prowess_fs::write_atomic(&self.file_of(&kept), &bytes, Some(0o600))?;
        self.move_prompts(id, &kept)?;
        let settings = self.settings(id);
        self.delete(id)?;
        self.change_settings(id, |fresh| *fresh = settings)?;
        Ok(Some(kept))
    }

    /// Ends a run that was cut off, such as by a crash. Says whether its end was missing.
    pub fn end_run(&self, id: &SessionId, run: &str, clock: Clock) -> Result<bool, SessionError> {
        let stored = self.show(id)?;
        if stored.run(Some(run))?.ended {
            return Ok(false);
        }
        let writer = SessionWriter::existing(id.clone(), self.file_of(id), clock).run(run);
        writer.append(TraceEvent::Notice {
            kind: "interrupted".to_owned(),
            text: "the program ended before the run did".to_owned(),
        })?;
        let usage = stored.run(Some(run))?.usage;
        writer.append(TraceEvent::RunEnded {
            outcome: Outcome::default(),
            usage,
            ms: None,
            stopped: true,
        })?;
        Ok(true)
    }
}
