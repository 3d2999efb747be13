//! Runs: messages that agents answer inside the gateway, with or without watchers.
//!
//! A run belongs to the gateway, not to the connection that started it. It waits until its session and its agent are
//! free, tells what happens as [events](narrator), and stays known for a while after its end.
//!
//! Invariants: runs of one session never overlap; an agent has at most [`AT_ONCE`] at once; every run that began ends
//! in its trace, at the latest when the gateway stops or starts again.

mod journal;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use prowess_agent::RunReport;
use prowess_types::{ErrorKind, IgnorePoison as _};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::refusal::Refusal;

pub(crate) use journal::{Going, Journal};

/// Maximum number of concurrent runs of one agent; the others wait.
pub(crate) const AT_ONCE: usize = 4;
/// Maximum number of queued runs of one agent.
pub(crate) const WAITING: usize = 16;
/// Maximum number of finished runs that are kept; the traces are kept anyway.
const REMEMBERED: usize = 200;
/// The time that runs have to stop when the gateway does.
const PATIENCE: Duration = Duration::from_secs(10);

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunStatus {
    /// It waits for its session or its agent.
    Queued,
    /// It goes on.
    Running,
    /// It was answered.
    Done,
    /// It could not begin, or an error ended it.
    Failed,
    /// It was stopped, or the gateway ended.
    Aborted,
}

impl RunStatus {
    pub(crate) fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Aborted)
    }
}

/// Who started a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Origin {
    /// A call of `runs.start`.
    Call,
    /// A message in a chat.
    Chat,
    /// An automation.
    Cron,
}

/// A run, as clients see it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunView {
    /// The run, as events name it.
    pub(crate) run_id: String,
    /// The session it belongs to.
    pub(crate) session: String,
    /// The session, as chat clients name it.
    pub(crate) session_key: String,
    /// The agent that answers.
    pub(crate) agent_id: String,
    /// What the user said; the first 4,000 characters of it.
    pub(crate) message: String,
    /// Who started it.
    pub(crate) origin: Origin,
    /// Its state.
    pub(crate) status: RunStatus,
    /// When it was asked for, in milliseconds since 1970.
    pub(crate) created_at: u64,
    /// When it began.
    pub(crate) started_at: Option<u64>,
    /// When it ended.
    pub(crate) ended_at: Option<u64>,
    /// What the run is called in the trace of its session; none until it began.
    pub(crate) trace_run: Option<String>,
    /// The reason why it failed, if it did.
    pub(crate) error: Option<String>,
    /// What it came to; none until it ended, and if it never began.
    pub(crate) report: Option<RunReport>,
}

/// A run and how to reach it.
#[derive(Debug)]
struct Run {
    view: RunView,
    cancel: CancellationToken,
    over: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Table {
    runs: BTreeMap<String, Run>,
    /// Those that ended, the earliest first.
    ended: VecDeque<String>,
    agents: HashMap<String, Arc<Semaphore>>,
    sessions: HashMap<String, Arc<Semaphore>>,
    is_closed: bool,
}

/// All runs of a gateway.
#[derive(Debug, Default)]
pub(crate) struct Runs(Mutex<Table>);

/// What a run must hold to go on.
pub(crate) struct Gate {
    pub(crate) session: Arc<Semaphore>,
    pub(crate) agent: Arc<Semaphore>,
}

impl Runs {
    /// A run that is known.
    pub(crate) fn get(&self, run: &str) -> Option<RunView> {
        self.table().runs.get(run).map(|run| run.view.clone())
    }

    /// Every run that is known, the latest first.
    pub(crate) fn list(&self) -> Vec<RunView> {
        let mut runs: Vec<RunView> = self.table().runs.values().map(|run| run.view.clone()).collect();
        runs.sort_by(|one, other| (other.created_at, &other.run_id).cmp(&(one.created_at, &one.run_id)));
        runs
    }

    /// Stops the runs that are meant and not over. Gives their ids.
    pub(crate) fn abort(&self, is_meant: impl Fn(&RunView) -> bool) -> Vec<String> {
        let table = self.table();
        let meant = table.runs.values().filter(|run| !run.view.status.is_over() && is_meant(&run.view));
        meant
            .map(|run| {
                run.cancel.cancel();
                run.view.run_id.clone()
            })
            .collect()
    }

    /// Waits until a run is over, but not for ever. None if no such run is known.
    pub(crate) async fn wait(&self, run: &str, at_most: Duration) -> Option<RunView> {
        let mut over = self.table().runs.get(run)?.over.subscribe();
        let _ = tokio::time::timeout(at_most, over.wait_for(|is_over| *is_over)).await;
        self.get(run)
    }

    /// Stops every run, takes no new ones, and waits until their traces are whole.
    pub(crate) async fn close(&self) {
        let waiting: Vec<watch::Receiver<bool>> = {
            let mut table = self.table();
            table.is_closed = true;
            let going = table.runs.values().filter(|run| !run.view.status.is_over());
            going
                .map(|run| {
                    run.cancel.cancel();
                    run.over.subscribe()
                })
                .collect()
        };
        let all = async {
            for mut over in waiting {
                let _ = over.wait_for(|is_over| *is_over).await;
            }
        };
        let _ = tokio::time::timeout(PATIENCE, all).await;
    }

    /// Takes a run in, unless too many of its agent wait. A run of the same id is given back as it is.
    pub(crate) fn admit(&self, view: RunView) -> Result<Result<(Gate, CancellationToken), RunView>, Refusal> {
        let mut table = self.table();
        if let Some(known) = table.runs.get(&view.run_id) {
            return Ok(Err(known.view.clone()));
        }
        if table.is_closed {
            return Err(Refusal::unavailable("the gateway is stopping and takes no new runs"));
        }
        let of_agent = table.runs.values().filter(|run| run.view.agent_id == view.agent_id);
        let going = of_agent.filter(|run| !run.view.status.is_over()).count();
        if going >= AT_ONCE + WAITING {
            let agent = &view.agent_id;
            let message = format!("the agent `{agent}` has {going} runs that go on or wait; try again later");
            let refusal = Refusal::new(ErrorKind::Busy, message);
            return Err(Refusal { retryable: Some(true), retry_after_ms: Some(1_000), ..refusal });
        }
        let agent = table.agents.entry(view.agent_id.clone()).or_insert_with(|| semaphore(AT_ONCE)).clone();
        let session = table.sessions.entry(view.session.clone()).or_insert_with(|| semaphore(1)).clone();
        let cancel = CancellationToken::new();
        let run = Run { view, cancel: cancel.clone(), over: watch::Sender::new(false) };
        table.runs.insert(run.view.run_id.clone(), run);
        Ok(Ok((Gate { session, agent }, cancel)))
    }

    /// Changes what is known about a run.
    pub(crate) fn update(&self, run: &str, change: impl FnOnce(&mut RunView)) {
        if let Some(run) = self.table().runs.get_mut(run) {
            change(&mut run.view);
        }
    }

    /// Says that a run is over, and forgets the earliest ones.
    pub(crate) fn end(&self, run: &str) {
        let mut table = self.table();
        if let Some(run) = table.runs.get(run) {
            run.over.send_replace(true);
        }
        table.ended.push_back(run.to_owned());
        while table.ended.len() > REMEMBERED {
            if let Some(oldest) = table.ended.pop_front() {
                table.runs.remove(&oldest);
            }
        }
        // A session without waiters is held by this table alone.
        table.sessions.retain(|_, gate| Arc::strong_count(gate) > 1);
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Nothing in it can be half changed: every change is one assignment.
        self.0.lock().ignore_poison()
    }
}

fn semaphore(permits: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(permits))
}

#[cfg(test)]
#[path = "runs_tests.rs"]
mod tests;
