//! From a change to new views: only what the change may be about is read, only what is different is published.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_catalog::{Snapshot, SnapshotDiff, diff, next_version};
use prowess_config::{ConfigIssue, Places};
use prowess_context::{Context, ContextError};
use prowess_fs::{ChangeReason, WatchBackend, WatchChange, WatchOptions, WatchTarget};
use prowess_inventory::load::{Loaded, RootPlan};
use prowess_inventory::{Blueprint, blueprint};
use prowess_text::describe_error;
use prowess_types::{IgnorePoison as _, Loss, RemoteNode};

use super::memory::RootMemory;
use super::{LiveEvent, Shared, View, targets};
use crate::view::{AgentView, StaleEdit, ViewParts};

/// The state between two changes. The thread that holds it rebuilds; readers never need it.
#[derive(Default)]
pub(super) struct Builder {
    roots: Vec<RootMemory>,
    /// By agent.
    views: BTreeMap<String, Basis>,
    watched: Option<(HashSet<WatchTarget>, WatchOptions)>,
}

/// The inputs that a view was built from.
#[derive(Default)]
struct Basis {
    targets: Vec<WatchTarget>,
    plans: Vec<RootPlan>,
    /// Of each plan.
    generations: Vec<u64>,
    losses: Vec<Loss>,
    last_good_config: Option<String>,
}

/// The content of the roots of a view.
#[derive(Default)]
struct Gathered {
    loaded: Loaded,
    stale_edits: Vec<StaleEdit>,
    generations: Vec<u64>,
}

/// The cause of a rebuild, and the extent of possible changes.
pub(super) struct Cause<'a> {
    pub(super) reason: ChangeReason,
    pub(super) extent: Extent<'a>,
}

/// Returns the path that is shown to people: that of a skill that is new or changed, else that of a file.
fn changed_path(extent: Extent<'_>, snapshot: &Snapshot, diff: &SnapshotDiff) -> Option<PathBuf> {
    let Extent::Changed(change) = extent else { return None };
    let is_other = |name: &String| diff.added.contains(name) || diff.changed.contains(name);
    let others = snapshot.skills.iter().filter(|skill| is_other(&skill.name));
    let mut others = others.map(|skill| PathBuf::from(&skill.file_path));
    let is_file = |path: &&PathBuf| path.extension().is_some();
    let other = others.find(|path| change.is_about(path));
    let file = || change.paths.iter().find(is_file).or_else(|| change.paths.first()).cloned();
    other.or_else(file)
}

#[derive(Clone, Copy)]
pub(super) enum Extent<'a> {
    /// The skills that a change is about.
    Changed(&'a WatchChange),
    /// The verdicts of skills, but not the skills.
    Judgement,
    /// Everything, the config included.
    Everything,
}

impl Shared {
    /// Rebuilds what the cause may be about. Tells how many snapshots were published.
    pub(super) fn rebuild(&self, mut cause: Cause<'_>) -> usize {
        let mut builder = self.builder.lock().ignore_poison();
        let touches = |path: &Path| match cause.extent {
            Extent::Changed(change) => change.targets.contains(path),
            Extent::Judgement => false,
            Extent::Everything => true,
        };
        let context = self.context();
        let is_config = targets::files_of_user(&context).iter().any(|file| touches(file));
        let context = if is_config { self.reopen(&context) } else { context };
        let mut affected = Vec::new();
        for (agent, view) in self.views() {
            let touched = |target: &WatchTarget| touches(&target.path);
            let is_affected = is_config
                || matches!(cause.extent, Extent::Judgement)
                || builder.views.get(&agent).is_none_or(|basis| basis.targets.iter().any(touched));
            if is_affected {
                affected.push(view);
            }
        }
        let is_project_config = affected
            .iter()
            .any(|view| touches(&Places::project_config(&view.current().inventory().workspace)));
        if (is_config || is_project_config) && matches!(cause.extent, Extent::Changed(_)) {
            cause.reason = ChangeReason::ConfigChange;
        }
        let must_judge = is_config || is_project_config || !matches!(cause.extent, Extent::Changed(_));

        let mut blueprints = Vec::new();
        for view in affected {
            let basis = builder.views.entry(view.agent.clone()).or_default();
            match blueprint(&context, Some(&view.agent), &mut basis.last_good_config) {
                Ok(blueprint) => {
                    basis.targets = targets::of_view(&blueprint);
                    blueprints.push((view, blueprint));
                }
                // Its agent no longer exists, or its files cannot be read: the next request gets the error.
                Err(error) => {
                    self.note_problem(format!("agent `{}`: {}", view.agent, describe_error(&error)));
                    self.forget(&view.agent);
                    builder.views.remove(&view.agent);
                }
            }
        }
        // Before anything is read, so that whatever changes later is reported.
        let is_blind = builder.watch(&context, self);
        let reread = if is_blind { Extent::Everything } else { cause.extent };
        builder.read_roots(reread, &context, self);
        let mut published = 0;
        for (view, blueprint) in blueprints {
            let gathered = builder.gather(&blueprint, &context, self);
            if builder.note(&view.agent, &blueprint, &gathered) || must_judge {
                let next = self.view_of(gathered, blueprint, &context);
                published += usize::from(self.publish(&view, next, &cause));
            }
        }
        builder.forget_unused();
        self.forget_texts();
        published
    }

    /// Replaces the machines whose programs count; never while the engine is being opened anew.
    pub(super) fn set_remotes(&self, remotes: Vec<RemoteNode>) {
        let _builder = self.builder.lock().ignore_poison();
        self.set_context(Arc::new(self.context().with_remotes(remotes)));
    }

    /// Opens the view of an agent for the first time.
    pub(super) fn open_view(&self, agent: &str) -> Result<Arc<View>, ContextError> {
        let mut builder = self.builder.lock().ignore_poison();
        // Another thread may have opened it meanwhile.
        if let Some(view) = self.existing(agent) {
            return Ok(view);
        }
        self.make_room(&mut builder);
        let context = self.context();
        let mut basis = Basis::default();
        let blueprint = blueprint(&context, Some(agent), &mut basis.last_good_config)?;
        basis.targets = targets::of_view(&blueprint);
        builder.views.insert(agent.to_owned(), basis);
        builder.watch(&context, self);
        let gathered = builder.gather(&blueprint, &context, self);
        builder.note(agent, &blueprint, &gathered);
        let view = self.insert(agent, self.view_of(gathered, blueprint, &context));
        builder.forget_unused();
        Ok(view)
    }

    /// Drops views that were not requested for a long time.
    pub(super) fn retire(&self) -> usize {
        let mut builder = self.builder.lock().ignore_poison();
        let now = self.options.clock.now_ms();
        let idle = u64::try_from(self.options.idle.as_millis()).unwrap_or(u64::MAX);
        let views = self.views();
        let is_idle = |view: &View| now.saturating_sub(view.used_ms()) >= idle;
        let retired: Vec<&String> =
            views.iter().filter(|(_, view)| is_idle(view)).map(|(agent, _)| agent).collect();
        for agent in &retired {
            self.forget(agent);
            builder.views.remove(*agent);
        }
        if !retired.is_empty() {
            builder.forget_unused();
            builder.watch(&self.context(), self);
        }
        retired.len()
    }

    /// Retires the views that were not asked for the longest, so that there is room for one more.
    fn make_room(&self, builder: &mut Builder) {
        let mut views: Vec<(u64, String)> =
            self.views().into_iter().map(|(agent, view)| (view.used_ms(), agent)).collect();
        views.sort_unstable();
        let surplus = (views.len() + 1).saturating_sub(self.options.max_views.max(1));
        for (_, agent) in views.into_iter().take(surplus) {
            self.forget(&agent);
            builder.views.remove(&agent);
        }
    }

    /// The engine with the config as it is now, or as it last could be read.
    fn reopen(&self, context: &Arc<Context>) -> Arc<Context> {
        let reopened = context.reopen();
        let problem = match &reopened {
            Ok(reopened) => reopened.issues().iter().find(|issue| issue.is_fatal()).map(ToString::to_string),
            Err(error) => Some(describe_error(error)),
        };
        let was_readable = !context.issues().iter().any(ConfigIssue::is_fatal);
        let context = match reopened {
            Ok(reopened) if problem.is_none() || !was_readable => Arc::new(reopened),
            _ => Arc::clone(context),
        };
        self.set_context(Arc::clone(&context));
        self.set_problem(problem);
        context
    }

    /// Puts a new view in the place of the old one. Tells whether its snapshot is another.
    fn publish(&self, view: &View, mut next: AgentView, cause: &Cause<'_>) -> bool {
        let before = view.current();
        next.follow(&before);
        let published = next.snapshot().id() != before.snapshot().id();
        let is_told = published || next.stale_edits() != before.stale_edits();
        let diff = if published { diff(before.snapshot(), next.snapshot()) } else { SnapshotDiff::default() };
        let changed_path = match cause.reason {
            ChangeReason::ConfigChange => self.touched_config(cause.extent, &next),
            _ => changed_path(cause.extent, next.snapshot(), &diff),
        };
        let event = is_told.then(|| LiveEvent {
            agent_id: view.agent.clone(),
            workspace_dir: next.snapshot().workspace_dir.clone(),
            published,
            version: next.snapshot().version(),
            id: next.snapshot().id().to_owned(),
            reason: cause.reason,
            changed_path,
            diff,
            stale_edits: next.stale_edits().to_vec(),
            coalesced: 0,
        });
        if published {
            self.set_version(next.snapshot().version());
        }
        let next = Arc::new(next);
        view.swap(Arc::clone(&next));
        self.prepare(&next);
        if let Some(event) = event {
            self.subscribers.tell(&event);
        }
        published
    }
}

impl Shared {
    /// The view of what was gathered, under the next version.
    fn view_of(&self, gathered: Gathered, blueprint: Blueprint, context: &Arc<Context>) -> AgentView {
        let parts = ViewParts {
            request: self.options.request.clone(),
            version: next_version(self.version(), self.options.clock.now_ms()),
            stale_edits: gathered.stale_edits,
            texts: Some(Arc::clone(&self.texts)),
        };
        AgentView::new(Arc::clone(context), blueprint, gathered.loaded, parts)
    }

    /// The config file that a change is about.
    fn touched_config(&self, extent: Extent<'_>, view: &AgentView) -> Option<PathBuf> {
        let Extent::Changed(change) = extent else { return None };
        let user = targets::files_of_user(&self.context());
        user.into_iter()
            .chain([Places::project_config(&view.inventory().workspace)])
            .find(|file| change.targets.contains(file))
    }
}

impl Builder {
    /// Watches what the views need. Tells whether changes may have gone unnoticed meanwhile.
    fn watch(&mut self, context: &Context, shared: &Shared) -> bool {
        let load = context.config().load();
        let options = WatchOptions {
            backend: if load.watch { shared.options.watch.backend } else { WatchBackend::Off },
            debounce: std::time::Duration::from_millis(load.debounce_ms),
            ..shared.options.watch
        };
        let mut targets: HashSet<WatchTarget> =
            self.views.values().flat_map(|basis| &basis.targets).cloned().collect();
        targets.extend(targets::of_context(context));
        let wanted = Some((targets, options));
        if self.watched == wanted {
            return false;
        }
        let is_blind = self.watched.as_ref().is_some_and(|(_, before)| *before != options);
        if let Some((targets, options)) = wanted.clone() {
            shared.watcher.configure(targets.into_iter().collect(), options);
        }
        self.watched = wanted;
        is_blind
    }

    /// Reads again what may be other than before.
    fn read_roots(&mut self, extent: Extent<'_>, context: &Context, shared: &Shared) {
        for root in &mut self.roots {
            match extent {
                Extent::Changed(change) if change.targets.contains(&root.plan().source.root) => {
                    root.read_again(Some(change), context.cache_folder(), &shared.watcher);
                }
                Extent::Everything => root.read_again(None, context.cache_folder(), &shared.watcher),
                Extent::Changed(_) | Extent::Judgement => {}
            }
        }
    }

    /// Reads the content of the roots of a view.
    fn gather(&mut self, blueprint: &Blueprint, context: &Context, shared: &Shared) -> Gathered {
        let mut gathered = Gathered::default();
        for plan in &blueprint.plans {
            let root = self.root(plan, context, shared);
            root.add_to(&mut gathered.loaded, plan.rank);
            gathered.stale_edits.extend_from_slice(root.stale_edits());
            gathered.generations.push(root.generation());
        }
        gathered
    }

    /// Remembers what a view is built from. Tells whether that is something else than before.
    fn note(&mut self, agent: &str, blueprint: &Blueprint, gathered: &Gathered) -> bool {
        let basis = self.views.entry(agent.to_owned()).or_default();
        let is_same = basis.generations == gathered.generations
            && basis.losses == blueprint.losses
            && basis.plans.iter().zip(&blueprint.plans).all(|(one, other)| one.is_same_root(other));
        basis.plans.clone_from(&blueprint.plans);
        basis.generations.clone_from(&gathered.generations);
        basis.losses.clone_from(&blueprint.losses);
        !is_same
    }

    fn root(&mut self, plan: &RootPlan, context: &Context, shared: &Shared) -> &RootMemory {
        let place = self.roots.iter().position(|root| root.plan().is_same_root(plan));
        let place = place.unwrap_or_else(|| {
            self.roots.push(RootMemory::read(plan, context.cache_folder(), &shared.watcher));
            self.roots.len() - 1
        });
        &self.roots[place]
    }

    /// Forgets roots that no view has.
    fn forget_unused(&mut self) {
        let views = &self.views;
        let is_used = |root: &RootMemory| {
            views.values().flat_map(|basis| &basis.plans).any(|plan| plan.is_same_root(root.plan()))
        };
        self.roots.retain(is_used);
    }
}
