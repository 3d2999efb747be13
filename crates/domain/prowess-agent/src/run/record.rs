//! The sink of the events of a run: its session, and the watchers of its progress.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use prowess_context::Clock;
use prowess_sessions::{RunId, SessionId, SessionWriter};
use prowess_types::{IgnorePoison as _, TraceEvent, TraceLine};

use super::RunRequest;
use super::keys::Keys;
use super::plan::{NoticeKind, RunPlan};

/// Records the events of one run and of its sub-agents, from any thread. A skill that comes into use brings its keys
/// with it, before the next event is recorded.
#[derive(Clone)]
pub(super) struct Recorder {
    shared: Arc<Shared>,
}

struct Shared {
    id: SessionId,
    session: SessionWriter,
    run: RunId,
    keys: Keys,
    clock: Clock,
    lines: Mutex<Vec<TraceLine>>,
    /// The first line that could not be written, if one could not.
    lost: Mutex<Option<String>>,
}

impl Recorder {
    pub(super) fn new(session: SessionWriter, plan: &RunPlan, keys: Keys, clock: Clock) -> Self {
        let (lines, lost) = (Mutex::default(), Mutex::default());
        let (id, run) = (plan.session.clone(), plan.run.clone());
        Self { shared: Arc::new(Shared { id, session, run, keys, clock, lines, lost }) }
    }

    /// Records the decisions that were made before the model is called.
    pub(super) fn begin(&self, plan: &RunPlan, request: &RunRequest) {
        self.record(TraceEvent::RunStarted {
            message: self.keys().redactor.redact(request.message.trim()).into_owned(),
            snapshot: Some(plan.snapshot.id().to_owned()),
            catalogue: Some(prowess_fs::sha256_hex(plan.snapshot.prompt.as_bytes())),
            backend: plan.answering.backend(),
            parent: None,
        });
        if let Some(chosen) = &plan.chosen {
            self.record(chosen.event());
        }
        for notice in &plan.notices {
            self.notice(notice.kind, notice.text.as_str());
        }
    }

    /// Records an event of the run.
    pub(super) fn record(&self, event: TraceEvent) {
        self.record_for(self.shared.run.as_str(), event);
    }

    /// Records an event of a run: this one or a sub-agent's.
    pub(super) fn record_for(&self, run: &str, event: TraceEvent) {
        let shared = &self.shared;
        let activated = match &event {
            TraceEvent::Activation { path, .. } => Some(path.clone()),
            _ => None,
        };
        if let Err(error) = shared.session.run(run).append(event.clone()) {
            lock(&shared.lost).get_or_insert_with(|| prowess_text::describe_error(&error));
        }
        lock(&shared.lines).push(TraceLine { at: shared.clock.now_ms(), run: run.to_owned(), event });
        if let Some(file) = activated {
            self.tell_environment(shared.keys.activate(Path::new(&file)));
        }
    }

    /// Gives the run the keys of every skill that the agent may use.
    pub(super) fn activate_all(&self) {
        self.tell_environment(self.shared.keys.activate_all());
    }

    fn tell_environment(&self, lines: Vec<String>) {
        for line in lines {
            self.notice(NoticeKind::Environment, line);
        }
    }

    /// Records something that the user should be able to find again.
    pub(super) fn notice(&self, kind: NoticeKind, text: impl Into<String>) {
        self.record(TraceEvent::Notice { kind: kind.as_str().to_owned(), text: text.into() });
    }

    /// The keys of the run.
    pub(super) fn keys(&self) -> &Keys {
        &self.shared.keys
    }

    /// The session.
    pub(super) fn session(&self) -> &SessionId {
        &self.shared.id
    }

    /// The run.
    pub(super) fn run(&self) -> &RunId {
        &self.shared.run
    }

    /// Returns the lines recorded so far.
    pub(super) fn lines(&self) -> Vec<TraceLine> {
        lock(&self.shared.lines).clone()
    }

    /// Returns the reason a line is missing from the session's file, if one is.
    pub(super) fn lost(&self) -> Option<String> {
        lock(&self.shared.lost).clone()
    }
}

/// Locks, also after a panic elsewhere: no value behind it can be half written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().ignore_poison()
}
