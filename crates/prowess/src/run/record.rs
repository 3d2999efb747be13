//! Where the events of a run go: into its session, and to whoever wants to know how it went.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prowess_types::{TraceEvent, TraceLine};

use crate::clock::Clock;
use crate::sessions::SessionWriter;

/// Records the events of one run and of its sub-agents, from any thread.
#[derive(Clone)]
pub(super) struct Recorder {
    shared: Arc<Shared>,
}

struct Shared {
    session: SessionWriter,
    run: String,
    clock: Clock,
    lines: Mutex<Vec<TraceLine>>,
    /// The first line that could not be written, if one could not.
    lost: Mutex<Option<String>>,
    on_activation: Mutex<Option<OnActivation>>,
}

type OnActivation = Arc<dyn Fn(&str) + Send + Sync>;

impl Recorder {
    pub(super) fn new(session: SessionWriter, run: String, clock: Clock) -> Self {
        let lines = Mutex::default();
        let (lost, on_activation) = (Mutex::default(), Mutex::default());
        Self { shared: Arc::new(Shared { session, run, clock, lines, lost, on_activation }) }
    }

    /// Calls back whenever a skill comes into use, before the next event is recorded.
    pub(super) fn on_activation(&self, react: OnActivation) {
        *lock(&self.shared.on_activation) = Some(react);
    }

    /// Records an event of the run.
    pub(super) fn record(&self, event: TraceEvent) {
        self.record_for(&self.shared.run, event);
    }

    /// Records an event of a run: this one or a sub-agent's.
    pub(super) fn record_for(&self, run: &str, event: TraceEvent) {
        let shared = &self.shared;
        let activated = match &event {
            TraceEvent::Activation { skill, .. } => Some(skill.clone()),
            _ => None,
        };
        if let Err(error) = shared.session.run(run).append(event.clone()) {
            lock(&shared.lost).get_or_insert_with(|| crate::describe_error(&error));
        }
        lock(&shared.lines).push(TraceLine { at: shared.clock.now_ms(), run: run.to_owned(), event });
        if let Some(skill) = activated {
            let react = lock(&shared.on_activation).clone();
            if let Some(react) = react {
                react(&skill);
            }
        }
    }

    /// Records something that the user should be able to find again.
    pub(super) fn notice(&self, kind: &str, text: impl Into<String>) {
        self.record(TraceEvent::Notice { kind: kind.to_owned(), text: text.into() });
    }

    /// The run.
    pub(super) fn run(&self) -> &str {
        &self.shared.run
    }

    /// What was recorded so far.
    pub(super) fn lines(&self) -> Vec<TraceLine> {
        lock(&self.shared.lines).clone()
    }

    /// Why a line is missing from the session's file, if one is.
    pub(super) fn lost(&self) -> Option<String> {
        lock(&self.shared.lost).clone()
    }
}

/// What is behind the lock, also after a panic elsewhere: none of it can be half written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
