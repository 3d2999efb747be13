//! What one run remembers while it goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use prowess_types::{IgnorePoison as _, Outcome, Usage};

/// What one run remembers: consents, requests, the outcome its agent reported.
///
/// A clone is the same memory. Consents and the number of requests are shared with sub-agents, so that a person is
/// not asked twice and delegation multiplies nothing; everything else belongs to one run.
#[derive(Clone, Default)]
pub struct RunState {
    own: Arc<Own>,
}

#[derive(Default)]
struct Own {
    shared: Arc<Shared>,
    depth: u32,
    children: AtomicU32,
    children_usage: Mutex<Usage>,
    outcome: Mutex<Option<Outcome>>,
    active: Mutex<BTreeSet<PathBuf>>,
    skill_files: OnceLock<BTreeMap<PathBuf, usize>>,
}

#[derive(Default)]
struct Shared {
    /// Locked while somebody is asked: questions come one by one, and an answer for the whole run serves the others.
    consents: tokio::sync::Mutex<BTreeSet<String>>,
    requests: AtomicU32,
}

impl RunState {
    /// How many runs above this one have started sub-agents.
    pub fn depth(&self) -> u32 {
        self.own.depth
    }

    /// How the agent says its task went; its last word counts.
    pub fn reported_outcome(&self) -> Option<Outcome> {
        lock(&self.own.outcome).clone()
    }

    /// Notes that the skill with this file came into use; false if it already was.
    ///
    /// Whoever puts a skill into the prompt notes it, so that reading its file is no second activation.
    pub fn activate(&self, file: &Path) -> bool {
        lock(&self.own.active).insert(file.to_owned())
    }

    pub(crate) fn report_outcome(&self, outcome: Outcome) {
        *lock(&self.own.outcome) = Some(outcome);
    }

    pub(crate) fn consents(&self) -> &tokio::sync::Mutex<BTreeSet<String>> {
        &self.own.shared.consents
    }

    /// Takes one of so many requests; false if none is left.
    pub(crate) fn take_request(&self, max: u32) -> bool {
        let one_more = |asked: u32| (asked < max).then_some(asked + 1);
        self.own.shared.requests.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok()
    }

    pub(crate) fn add_usage_of_child(&self, usage: Usage) {
        *lock(&self.own.children_usage) += usage;
    }

    pub(crate) fn usage_of_children(&self) -> Usage {
        *lock(&self.own.children_usage)
    }

    /// Real paths of the skills' files, found out when they are first asked for.
    pub(crate) fn skill_files(
        &self,
        find: impl FnOnce() -> BTreeMap<PathBuf, usize>,
    ) -> &BTreeMap<PathBuf, usize> {
        self.own.skill_files.get_or_init(find)
    }

    /// The memory of a sub-agent's run, and which child of this run it is.
    pub(crate) fn child(&self) -> (Self, u32) {
        let own = Own { shared: Arc::clone(&self.own.shared), depth: self.own.depth + 1, ..Own::default() };
        (Self { own: Arc::new(own) }, self.own.children.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// What is behind the lock, also after a panic elsewhere: none of it can be half written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().ignore_poison()
}
