//! Snapshots that follow the disk.
//!
//! [`LiveViews`] watches every root of every view it has, the plugins and the config files. When something changes it
//! reads only that, and where an agent would now get something else it swaps in a new snapshot and tells its
//! subscribers. A held snapshot stays unchanged.
//!
//! Invariants: a reader of an open view never waits for a rebuild; a snapshot is published only if its content is
//! another; a file that is being written is never published half; an edit that breaks a skill leaves the last good
//! version in place and is reported until it is fixed.

mod events;
mod memory;
mod prepare;
mod rebuild;
mod targets;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use prowess_catalog::Snapshot;
use prowess_fs::{ChangeReason, Health, WatchOptions, Watcher};
use prowess_types::{IgnorePoison as _, RemoteNode};
use serde::Serialize;

pub use events::{LiveEvent, Subscription};
pub use prepare::PrepareAhead;

use crate::view::{AgentView, StaleEdit};
use events::Subscribers;
use prepare::Preparer;
use prowess_context::Clock;
use prowess_context::{Context, ContextError};
use prowess_inventory::CheckedTexts;
use prowess_inventory::PromptRequest;
use rebuild::{Builder, Cause, Extent};

/// The interval at which idle views are looked for.
const ROUND: Duration = Duration::from_mins(1);

/// Options by which snapshots follow the disk. `skills.load.watch` and `skills.load.debounceMs` in the config
/// decide whether and how fast.
#[derive(Clone, Debug)]
pub struct LiveOptions {
    /// The time, for versions and for idle views.
    pub clock: Clock,
    /// The request by which catalogues are rendered.
    pub request: PromptRequest,
    /// Options of the watcher; the debounce comes from the config.
    pub watch: WatchOptions,
    /// The maximum number of views; the one that was not requested for the longest time is dropped.
    pub max_views: usize,
    /// A view that is not requested in this time is retired. The next request opens it anew.
    pub idle: Duration,
    /// The messages for which selectors are prepared in the background, before the first request.
    pub prepare: PrepareAhead,
}

impl LiveOptions {
    /// The usual ones.
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            request: PromptRequest::default(),
            watch: WatchOptions::default(),
            max_views: 128,
            idle: Duration::from_hours(1),
            prepare: PrepareAhead::Nothing,
        }
    }
}

/// The state of [`LiveViews`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveStatus {
    /// The highest version so far.
    pub version: u64,
    /// How well changes can be seen.
    pub health: Health,
    /// Why the config could not be read; the last good one is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_problem: Option<String>,
    /// The open views, by agent.
    pub views: Vec<LiveViewStatus>,
}

/// How the view of one agent does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveViewStatus {
    /// The agent.
    pub agent_id: String,
    /// Its workspace.
    pub workspace_dir: String,
    /// The id of its snapshot.
    pub id: String,
    /// The version of its snapshot.
    pub version: u64,
    /// How many skills it may use.
    pub skills: usize,
    /// Edits that could not be used.
    pub stale_edits: Vec<StaleEdit>,
    /// Why the workspace's config could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_problem: Option<String>,
}

/// Snapshots that follow the disk. Ends, with its threads and watches, when it is dropped.
#[derive(Debug)]
pub struct LiveViews {
    shared: Arc<Shared>,
    worker: Option<JoinHandle<()>>,
}

struct View {
    agent: String,
    current: RwLock<Arc<AgentView>>,
    used_ms: AtomicU64,
}

struct Shared {
    options: LiveOptions,
    context: RwLock<Arc<Context>>,
    views: RwLock<BTreeMap<String, Arc<View>>>,
    builder: Mutex<Builder>,
    watcher: Watcher,
    subscribers: Subscribers,
    version: AtomicU64,
    problem: Mutex<Option<String>>,
    texts: Arc<CheckedTexts>,
    preparer: Option<Preparer>,
}

impl LiveViews {
    /// Snapshots that follow the disk from now on.
    pub fn follow(context: &Context, options: LiveOptions) -> Result<Self, ContextError> {
        let off = WatchOptions { backend: prowess_fs::WatchBackend::Off, ..options.watch };
        let shared = Arc::new(Shared {
            context: RwLock::new(Arc::new(context.reopen()?)),
            views: RwLock::default(),
            builder: Mutex::default(),
            // It begins when the first view says what to watch.
            watcher: Watcher::start(Vec::new(), off).map_err(ContextError::Watch)?,
            subscribers: Subscribers::default(),
            version: AtomicU64::new(0),
            problem: Mutex::default(),
            texts: Arc::default(),
            preparer: Preparer::start(options.prepare).map_err(ContextError::Watch)?,
            options,
        });
        let worker = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("prowess-live".to_owned());
        let worker = thread.spawn(move || worker.follow()).map_err(ContextError::Watch)?;
        Ok(Self { shared, worker: Some(worker) })
    }

    /// Returns the current skills of an agent. The first call reads them from the disk, later ones never wait.
    pub fn view(&self, agent: Option<&str>) -> Result<Arc<AgentView>, ContextError> {
        let id = self.shared.context().config().agent(agent)?.id;
        let view = match self.shared.existing(&id) {
            Some(view) => view,
            None => self.shared.open_view(&id)?,
        };
        view.used_ms.store(self.shared.options.clock.now_ms(), Ordering::Relaxed);
        Ok(view.current())
    }

    /// Returns the current snapshot of an agent.
    pub fn snapshot(&self, agent: Option<&str>) -> Result<Arc<Snapshot>, ContextError> {
        self.view(agent).map(|view| Arc::clone(view.snapshot()))
    }

    /// The context with the config as it is now.
    pub fn context(&self) -> Arc<Context> {
        self.shared.context()
    }

    /// Tells of everything that is published from now on, for all open views.
    pub fn subscribe(&self) -> Subscription {
        self.shared.subscribers.subscribe()
    }

    /// Reads everything again, config included, whatever the watcher says. Tells how many snapshots were published.
    pub fn refresh(&self, reason: ChangeReason) -> usize {
        self.shared.rebuild(Cause { reason, extent: Extent::Everything })
    }

    /// Other machines whose programs count came, went or changed. Tells how many snapshots were published.
    pub fn notify_remote(&self, remotes: Vec<RemoteNode>) -> usize {
        self.shared.set_remotes(remotes);
        self.shared.rebuild(Cause { reason: ChangeReason::RemoteNode, extent: Extent::Judgement })
    }

    /// Checks again what no event reports: programs and variables. No skill is read. Returns the number of snapshots
    /// published.
    pub fn judge_again(&self) -> usize {
        self.shared.rebuild(Cause { reason: ChangeReason::Manual, extent: Extent::Judgement })
    }

    /// Retires the views that were not requested for a long time, which happens by itself too. Returns their number.
    pub fn retire_idle(&self) -> usize {
        self.shared.retire()
    }

    /// Returns the health of the watcher.
    pub fn health(&self) -> Health {
        self.shared.watcher.health()
    }

    /// Returns its status.
    pub fn status(&self) -> LiveStatus {
        let of_view = |(agent_id, view): (String, Arc<View>)| {
            let view = view.current();
            let snapshot = view.snapshot();
            LiveViewStatus {
                agent_id,
                workspace_dir: snapshot.workspace_dir.clone(),
                id: snapshot.id().to_owned(),
                version: snapshot.version(),
                skills: snapshot.skills.len(),
                stale_edits: view.stale_edits().to_vec(),
                config_problem: view.config_problem().map(ToOwned::to_owned),
            }
        };
        LiveStatus {
            version: self.shared.version(),
            health: self.health(),
            config_problem: self.shared.problem.lock().ignore_poison().clone(),
            views: self.shared.views().into_iter().map(of_view).collect(),
        }
    }
}

impl Drop for LiveViews {
    fn drop(&mut self) {
        self.shared.watcher.close();
        if let Some(worker) = self.worker.take() {
            // A panic of the worker was reported on its own thread.
            let _ = worker.join();
        }
        if let Some(preparer) = &self.shared.preparer {
            preparer.close();
        }
        self.shared.subscribers.close();
    }
}

// Every lock but the builder's is held for an assignment only, so no caller waits and nothing is ever half done.
impl Shared {
    /// Rebuilds whenever something changes.
    fn follow(&self) {
        while !self.watcher.is_closed() {
            match self.watcher.next(ROUND) {
                Some(change) => {
                    let reason = change.reason;
                    let extent = if change.overflow { Extent::Everything } else { Extent::Changed(&change) };
                    self.rebuild(Cause { reason, extent });
                }
                None => drop(self.retire()),
            }
        }
    }

    fn context(&self) -> Arc<Context> {
        Arc::clone(&self.context.read().ignore_poison())
    }

    fn set_context(&self, context: Arc<Context>) {
        *self.context.write().ignore_poison() = context;
    }

    fn views(&self) -> BTreeMap<String, Arc<View>> {
        self.views.read().ignore_poison().clone()
    }

    fn existing(&self, agent: &str) -> Option<Arc<View>> {
        self.views.read().ignore_poison().get(agent).cloned()
    }

    fn insert(&self, agent: &str, first: AgentView) -> Arc<View> {
        self.set_version(first.snapshot().version());
        let first = Arc::new(first);
        self.prepare(&first);
        let view = Arc::new(View {
            agent: agent.to_owned(),
            current: RwLock::new(first),
            used_ms: AtomicU64::new(self.options.clock.now_ms()),
        });
        let mut views = self.views.write().ignore_poison();
        views.insert(agent.to_owned(), Arc::clone(&view));
        view
    }

    /// Gets a view ready for the first message, if that is wanted.
    fn prepare(&self, view: &Arc<AgentView>) {
        if let Some(preparer) = &self.preparer {
            preparer.prepare(view);
        }
    }

    /// Drops the texts that no view has.
    fn forget_texts(&self) {
        let views = self.views();
        let current: Vec<Arc<AgentView>> = views.values().map(|view| view.current()).collect();
        let entries = current.iter().flat_map(|view| &view.inventory().entries);
        self.texts.retain(&entries.map(|entry| entry.skill.content_hash).collect());
    }

    fn forget(&self, agent: &str) {
        self.views.write().ignore_poison().remove(agent);
    }

    fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    fn set_version(&self, version: u64) {
        self.version.fetch_max(version, Ordering::Relaxed);
    }

    fn set_problem(&self, problem: Option<String>) {
        *self.problem.lock().ignore_poison() = problem;
    }

    fn note_problem(&self, problem: String) {
        self.set_problem(Some(problem));
    }
}

impl View {
    fn current(&self) -> Arc<AgentView> {
        Arc::clone(&self.current.read().ignore_poison())
    }

    fn swap(&self, next: Arc<AgentView>) {
        *self.current.write().ignore_poison() = next;
    }

    fn used_ms(&self) -> u64 {
        self.used_ms.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("watcher", &self.watcher).finish_non_exhaustive()
    }
}
