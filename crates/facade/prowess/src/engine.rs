//! The engine: one context, and the tools that its host brings.

mod acquire;
mod agent;
mod care;
mod connect;
mod learn;
mod view;

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use prowess_agent::{RunError, RunProgress, RunReport, RunRequest, Runner, Tools};
use prowess_catalog::Snapshot;
use prowess_config::{Env, Overrides};
use prowess_context::{Caching, Context, ContextError, ContextOptions, EmbeddedFile, Models, PriorSource};
use prowess_fs::{ChangeReason, Health};
use prowess_learn::cortex::{LearnedPriors, LearningObserver};
use prowess_learn::forge::DraftObserver;
use prowess_match::{AgentView, LiveOptions, LiveStatus, LiveViews, Subscription};
use prowess_types::{ProfileName, RemoteNode};

/// The options an engine is opened with. Everything it may look at is named here.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// The profile: which places and rules to follow.
    pub profile: ProfileName,
    /// The environment, captured once.
    pub env: Env,
    /// Places given on the command line.
    pub overrides: Overrides,
    /// The running program, to find bundled skills beside it.
    pub executable: Option<PathBuf>,
    /// Bundled skills inside the program.
    pub embedded: &'static [EmbeddedFile],
    /// The cache of parsed skills.
    pub cache: Caching,
    /// Other machines whose programs count.
    pub remotes: Vec<RemoteNode>,
    /// The models that encode messages.
    pub models: Models,
    /// Tools of the host, for every run. The config says by name whether they may be used, as for any other tool.
    pub tools: Tools,
}

/// The engine. Cheap to open and to clone; every question reads the disk as it is now.
#[derive(Clone, Debug)]
pub struct Engine {
    context: Arc<Context>,
    tools: Tools,
}

impl Engine {
    /// Opens the engine: finds its places and reads the config. A config that is not JSON5 counts as empty and is
    /// among the [issues](Context::issues).
    pub fn open(options: EngineOptions) -> Result<Self, ContextError> {
        let EngineOptions { profile, env, overrides, executable, embedded, cache, remotes, models, tools } =
            options;
        let priors: Option<Arc<dyn PriorSource>> = Some(Arc::new(LearnedPriors));
        let options =
            ContextOptions { profile, env, overrides, executable, embedded, cache, remotes, models, priors };
        Ok(Self { context: Arc::new(Context::open(options)?), tools })
    }

    /// Returns the same engine, with the config as it is now.
    pub fn reopen(&self) -> Result<Self, ContextError> {
        Ok(Self { context: Arc::new(self.context.reopen()?), tools: self.tools.clone() })
    }

    /// The context of every use case.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Answers one message with the skills as they are on the disk now. See [`Runner::run`].
    ///
    /// # Errors
    /// Only what is known before anything was done. What goes wrong afterwards is in the report, and in the trace.
    pub async fn run(
        &self,
        request: RunRequest,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Result<RunReport, RunError> {
        self.runner().run(request, on).await
    }

    /// Answers one message of a view's agent. See [`Runner::run_in`].
    ///
    /// # Errors
    /// Only what is known before anything was done. What goes wrong afterwards is in the report, and in the trace.
    pub async fn run_in(
        &self,
        view: &Arc<AgentView>,
        request: RunRequest,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Result<RunReport, RunError> {
        self.runner().run_in(view, request, on).await
    }

    fn runner(&self) -> Runner {
        Runner::new(Arc::clone(&self.context), self.tools.clone())
            .observed_by(Arc::new(LearningObserver))
            .observed_by(Arc::new(DraftObserver))
    }

    /// Returns views that follow the disk from now on.
    pub fn watch(&self, options: LiveOptions) -> Result<Live, ContextError> {
        Ok(Live { views: LiveViews::follow(&self.context, options)?, tools: self.tools.clone() })
    }
}

/// An engine answers what its context knows: places, config, environment.
impl Deref for Engine {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

/// Views that follow the disk. Ends, with its threads and watches, when it is dropped.
///
/// ```no_run
/// use std::time::Duration;
/// use prowess::{Clock, Engine, EngineOptions, LiveOptions};
/// # let now = || 0;
/// let engine = Engine::open(EngineOptions::default())?;
/// let live = engine.watch(LiveOptions::new(Clock::new(now)))?;
/// let snapshot = live.snapshot(None)?; // never changes
/// let subscription = live.subscribe();
/// while let Some(event) = subscription.next(Duration::from_secs(60)) {
///     println!("version {}: {:?}", event.version, event.diff);
/// }
/// # Ok::<(), prowess::EngineError>(())
/// ```
#[derive(Debug)]
pub struct Live {
    views: LiveViews,
    tools: Tools,
}

impl Live {
    /// The engine with the config as it is now.
    pub fn engine(&self) -> Engine {
        Engine { context: self.views.context(), tools: self.tools.clone() }
    }

    /// The view of an agent. The first time it is read from the disk, afterwards this never waits.
    pub fn view(&self, agent: Option<&str>) -> Result<Arc<AgentView>, ContextError> {
        self.views.view(agent)
    }

    /// The catalogue of an agent.
    pub fn snapshot(&self, agent: Option<&str>) -> Result<Arc<Snapshot>, ContextError> {
        self.views.snapshot(agent)
    }

    /// Subscribes to everything that is published from now on, for all open views.
    pub fn subscribe(&self) -> Subscription {
        self.views.subscribe()
    }

    /// Reads everything again, config included, whatever the watcher reports. Returns the number of published snapshots.
    pub fn refresh(&self, reason: ChangeReason) -> usize {
        self.views.refresh(reason)
    }

    /// Exchanges the other machines whose programs count. Returns the number of published snapshots.
    pub fn notify_remote(&self, remotes: Vec<RemoteNode>) -> usize {
        self.views.notify_remote(remotes)
    }

    /// Looks again for programs and variables. No skill is read. Returns the number of published snapshots.
    pub fn judge_again(&self) -> usize {
        self.views.judge_again()
    }

    /// Retires views that were not requested for a long time, as the worker does by itself. Returns their number.
    pub fn retire_idle(&self) -> usize {
        self.views.retire_idle()
    }

    /// The health of the watcher.
    pub fn health(&self) -> Health {
        self.views.health()
    }

    /// The status of all views.
    pub fn status(&self) -> LiveStatus {
        self.views.status()
    }
}
