//! Conversations that other programs hold with models of their own, with skills that they get from us.
//!
//! Such a program searches, loads and reports; each of it becomes a line of a session, so that it counts like what our
//! own agents do. A search begins a run, because it is the first that is heard of a new wish.

use std::fmt;
use std::sync::{Mutex, MutexGuard};

use prowess_catalog::Snapshot;
use prowess_context::{Clock, Context};
use prowess_inventory::{Inventory, MessageMatch, SkillEntry};
use prowess_types::{
    ActivatedBy, Backend, BackendKind, IgnorePoison as _, Outcome, OutcomeResult, OutcomeSource, TraceEvent,
    Usage,
};

use crate::sessions::{RunId, SessionError, SessionId, SessionWriter, Sessions};

/// The session of a conversation that another program holds.
pub struct Hosted {
    writer: SessionWriter,
    host: String,
    clock: Clock,
    run: Mutex<Option<SessionWriter>>,
}

impl Hosted {
    /// Begins the session of a conversation that the program `host` holds.
    pub fn open(
        context: &Context,
        inventory: &Inventory,
        host: &str,
        clock: Clock,
    ) -> Result<Self, SessionError> {
        let id = SessionId::new(clock.now_ms());
        let workspace = inventory.workspace.display().to_string();
        let writer = Sessions::of(context).open(id, &inventory.agent_id, &workspace, clock.clone())?;
        Ok(Self { writer, host: host.to_owned(), clock, run: Mutex::default() })
    }

    /// The session.
    pub fn id(&self) -> &SessionId {
        self.writer.id()
    }

    /// A skill was searched for: a new run.
    pub fn searched(
        &self,
        message: &str,
        snapshot: &Snapshot,
        answer: &MessageMatch,
    ) -> Result<(), SessionError> {
        let mut run = self.lock();
        end(run.take(), Outcome::default())?;
        let begun = self.begin(message, Some(snapshot.id()))?;
        begun.append(answer.event())?;
        *run = Some(begun);
        Ok(())
    }

    /// A skill's text was given to the model.
    pub fn loaded(&self, entry: &SkillEntry, by: ActivatedBy) -> Result<(), SessionError> {
        let mut run = self.lock();
        if run.is_none() {
            *run = Some(self.begin("", None)?);
        }
        let Some(run) = run.as_ref() else { return Ok(()) };
        run.append(TraceEvent::Activation {
            skill: entry.skill.name.clone(),
            path: entry.origin.file.display().to_string(),
            content_hash: Some(entry.skill.content_hash.to_string()),
            by,
        })
    }

    /// The program says how it went: the run ends.
    pub fn reported(
        &self,
        result: OutcomeResult,
        detail: Option<String>,
        key: Option<String>,
    ) -> Result<(), SessionError> {
        end(self.lock().take(), Outcome { result, by: OutcomeSource::Agent, detail, key })
    }

    fn begin(&self, message: &str, snapshot: Option<&str>) -> Result<SessionWriter, SessionError> {
        let run = self.writer.run(RunId::new(self.clock.now_ms()).as_str());
        run.append(TraceEvent::RunStarted {
            message: message.to_owned(),
            snapshot: snapshot.map(str::to_owned),
            catalogue: None,
            backend: Backend { kind: BackendKind::Harness, name: self.host.clone(), model: None },
            parent: None,
        })?;
        Ok(run)
    }

    fn lock(&self) -> MutexGuard<'_, Option<SessionWriter>> {
        self.run.lock().ignore_poison()
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        // There is no caller left to report a failure of the last line to.
        let _ = end(self.lock().take(), Outcome::default());
    }
}

impl fmt::Debug for Hosted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hosted")
            .field("writer", &self.writer)
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

fn end(run: Option<SessionWriter>, outcome: Outcome) -> Result<(), SessionError> {
    let ended = TraceEvent::RunEnded { outcome, usage: Usage::default(), ms: None, stopped: false };
    run.map_or(Ok(()), |run| run.append(ended))
}
