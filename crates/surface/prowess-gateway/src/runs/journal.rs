//! Which runs go on, on disk: so that a gateway that starts after a crash can end what the crash cut off.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Duration;

use prowess::Engine;
use prowess_context::Clock;
use serde::{Deserialize, Serialize};

/// The time to wait for another process that holds the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// A run in the trace of its session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Going {
    pub(crate) session: String,
    pub(crate) run: String,
}

/// The file of the runs that go on.
#[derive(Clone, Debug)]
pub(crate) struct Journal(PathBuf);

impl Journal {
    /// Beside the sessions, whichever profile is followed.
    pub(crate) fn of(engine: &Engine) -> Self {
        Self(engine.sessions().folder().with_file_name("active-runs.json"))
    }

    /// Notes that a run began. Without the note, only a crash would not be seen in its trace.
    pub(crate) fn begun(&self, going: Going) {
        self.change(|all| all.insert(going));
    }

    /// Notes that a run ended.
    pub(crate) fn ended(&self, going: &Going) {
        self.change(|all| all.remove(going));
    }

    /// Ends every run that was cut off. Gives how many there were.
    pub(crate) fn recover(&self, engine: &Engine, clock: &Clock) -> usize {
        let mut cut_off = BTreeSet::new();
        self.change(|all| {
            cut_off = std::mem::take(all);
            !cut_off.is_empty()
        });
        let sessions = engine.sessions();
        let ended = cut_off.iter().filter(|going| {
            let Ok(session) = going.session.parse() else { return false };
            sessions.end_run(&session, &going.run, clock.clone()).unwrap_or_else(|error| {
                tracing::warn!(
                    session = going.session,
                    error = prowess_text::describe_error(&error),
                    "run not ended"
                );
                false
            })
        });
        ended.count()
    }

    /// Changes the file if `change` says that something changed.
    fn change(&self, change: impl FnOnce(&mut BTreeSet<Going>) -> bool) {
        let edit = |old: Option<String>| {
            let mut all = old.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
            let text = change(&mut all).then(|| serde_json::to_string(&all).unwrap_or_default());
            Ok::<_, Infallible>(text)
        };
        if let Err(error) = prowess_fs::update_file(&self.0, LOCK_TIMEOUT, edit) {
            tracing::warn!(file = %self.0.display(), error = prowess_text::describe_error(&error), "runs not noted");
        }
    }
}
