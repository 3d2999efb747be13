//! Telling others what was published.
//!
//! Each subscriber has a queue of its own. A full queue takes no more events: the newest one of the same view is made
//! to say both, so a slow subscriber learns less often, never less, and the publisher never waits.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::time::Duration;

use prowess_catalog::SnapshotDiff;
use prowess_fs::ChangeReason;
use prowess_types::IgnorePoison as _;
use serde::Serialize;

use crate::view::StaleEdit;

/// The maximum number of events that wait for one subscriber before they are joined.
const MAX_WAITING: usize = 64;

/// What happened to the view of one agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveEvent {
    /// The agent.
    pub agent_id: String,
    /// Its workspace.
    pub workspace_dir: String,
    /// Whether there is a new snapshot. If not, only the edits that could not be used are others.
    pub published: bool,
    /// The version of its snapshot.
    pub version: u64,
    /// The id of its snapshot.
    pub id: String,
    /// Why it was looked at.
    pub reason: ChangeReason,
    /// A path that changed, links resolved; none if there were too many to know, or none at all.
    #[serde(serialize_with = "prowess_types::path_text::serialize_option")]
    pub changed_path: Option<PathBuf>,
    /// The skills that came, went and changed.
    pub diff: SnapshotDiff,
    /// All edits that could not be used; the last good versions are.
    pub stale_edits: Vec<StaleEdit>,
    /// How many earlier events this one also stands for, because nobody took them.
    pub coalesced: usize,
}

impl LiveEvent {
    fn absorb(&mut self, later: Self) {
        let earlier = std::mem::replace(self, later);
        self.published |= earlier.published;
        self.diff = earlier.diff.then(std::mem::take(&mut self.diff));
        self.coalesced += earlier.coalesced + 1;
    }
}

#[derive(Default)]
struct State {
    waiting: VecDeque<LiveEvent>,
    closed: bool,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    arrived: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().ignore_poison()
    }

    fn push(&self, event: LiveEvent) {
        let mut state = self.lock();
        let is_full = state.waiting.len() >= MAX_WAITING;
        let same_view = |waiting: &&mut LiveEvent| is_full && waiting.agent_id == event.agent_id;
        match state.waiting.iter_mut().rev().find(same_view) {
            Some(waiting) => waiting.absorb(event),
            None => state.waiting.push_back(event),
        }
        drop(state);
        self.arrived.notify_one();
    }
}

/// Receives what is published from now on.
pub struct Subscription(Arc<Queue>);

impl Subscription {
    /// The next event, if one comes in time. None at once when the [`Live`](super::Live) has ended.
    pub fn next(&self, timeout: Duration) -> Option<LiveEvent> {
        let state = self.0.lock();
        let is_waiting = |state: &mut State| state.waiting.is_empty() && !state.closed;
        let waited = self.0.arrived.wait_timeout_while(state, timeout, is_waiting);
        let (mut state, _) = waited.ignore_poison();
        state.waiting.pop_front()
    }

    /// Returns true if no more events will come.
    pub fn is_closed(&self) -> bool {
        let state = self.0.lock();
        state.closed && state.waiting.is_empty()
    }
}

/// All subscribers.
#[derive(Default)]
pub(super) struct Subscribers(Mutex<Vec<Weak<Queue>>>);

impl Subscribers {
    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Queue>>> {
        self.0.lock().ignore_poison()
    }

    pub(super) fn subscribe(&self) -> Subscription {
        let queue = Arc::new(Queue::default());
        self.lock().push(Arc::downgrade(&queue));
        Subscription(queue)
    }

    pub(super) fn tell(&self, event: &LiveEvent) {
        self.lock().retain(|queue| queue.upgrade().map(|queue| queue.push(event.clone())).is_some());
    }

    pub(super) fn close(&self) {
        for queue in self.lock().drain(..).filter_map(|queue| queue.upgrade()) {
            queue.lock().closed = true;
            queue.arrived.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(agent: &str, version: u64, added: &str) -> LiveEvent {
        LiveEvent {
            agent_id: agent.to_owned(),
            workspace_dir: String::new(),
            published: true,
            version,
            id: version.to_string(),
            reason: ChangeReason::Watch,
            changed_path: None,
            diff: SnapshotDiff { added: vec![added.to_owned()], ..SnapshotDiff::default() },
            stale_edits: Vec::new(),
            coalesced: 0,
        }
    }

    #[test]
    fn a_slow_subscriber_learns_less_often_but_not_less() {
        let subscribers = Subscribers::default();
        let (slow, quick) = (subscribers.subscribe(), subscribers.subscribe());
        for version in 0..1_000 {
            let agent = if version % 2 == 0 { "a" } else { "b" };
            subscribers.tell(&event(agent, version, &format!("skill-{version:04}")));
            assert_eq!(quick.next(Duration::ZERO).unwrap().version, version);
        }
        let events: Vec<LiveEvent> = std::iter::from_fn(|| slow.next(Duration::ZERO)).collect();
        assert!(events.len() <= MAX_WAITING + 2);
        for agent in ["a", "b"] {
            let of_agent: Vec<&LiveEvent> = events.iter().filter(|event| event.agent_id == agent).collect();
            assert_eq!(of_agent.iter().map(|event| 1 + event.coalesced).sum::<usize>(), 500);
            assert_eq!(of_agent.iter().map(|event| event.diff.added.len()).sum::<usize>(), 500);
            assert!(of_agent.is_sorted_by_key(|event| event.version));
        }
    }

    #[test]
    fn the_end_is_told() {
        let subscribers = Subscribers::default();
        let subscription = subscribers.subscribe();
        drop(subscribers.subscribe());
        subscribers.tell(&event("a", 1, "one"));
        assert_eq!(subscribers.lock().len(), 1, "whoever went away is forgotten");
        subscribers.close();
        assert!(!subscription.is_closed());
        assert!(subscription.next(Duration::from_mins(1)).is_some());
        assert!(subscription.is_closed());
        assert_eq!(subscription.next(Duration::from_mins(1)), None);
    }
}
