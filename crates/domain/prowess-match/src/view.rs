//! One agent at one moment: its skills, its catalogue, its config, and the selector over them.
//!
//! Every use case takes a view and asks the disk nothing that the view knows. [`AgentView::read`] reads a fresh one, for a
//! command; [`LiveViews`](crate::live::LiveViews) hands out the one that follows the disk, for a gateway. Both are made by
//! [`AgentView::new`] and nowhere else.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use prowess_catalog::Snapshot;
use prowess_config::{Agent, Config};
use prowess_context::{ChooseError, Context, ContextError};
use prowess_inventory::load::{self, Loaded};
use prowess_inventory::{Blueprint, CheckedTexts, Inventory, PromptRequest, SkillEntry, assemble, blueprint};
use prowess_types::{Diagnostic, IgnorePoison as _, LossReason};
use serde::Serialize;

use crate::choose::Selector;

/// One agent at one moment. Never changes; cheap to share.
pub struct AgentView {
    context: Arc<Context>,
    agent: Agent,
    config: Config,
    inventory: Arc<Inventory>,
    request: PromptRequest,
    version: u64,
    snapshot: OnceLock<Arc<Snapshot>>,
    stale_edits: Vec<StaleEdit>,
    config_problem: Option<String>,
    selector: Mutex<SharedSelector>,
}

/// An edit that could not be used. The skill is offered as it was before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaleEdit {
    /// The skill as it was before.
    pub name: String,
    /// Its file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub file: PathBuf,
    /// Why it could not be used.
    pub reason: LossReason,
    /// The same for people.
    pub message: String,
    /// What is wrong in the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

/// The selector of a view, made at the first request.
#[derive(Default)]
struct SharedSelector {
    made: Option<Arc<Selector>>,
    /// The selector of the view before, whose documents and vectors are used again.
    earlier: Option<Arc<Selector>>,
}

/// The parts of a view, besides the skills that were read.
#[derive(Debug, Default)]
pub(crate) struct ViewParts {
    pub(crate) request: PromptRequest,
    pub(crate) version: u64,
    pub(crate) stale_edits: Vec<StaleEdit>,
    /// The cache of texts while the view is in use; a fresh view keeps none.
    pub(crate) texts: Option<Arc<CheckedTexts>>,
}

/// Returns everything one agent has: read, parsed, merged, gated. The inventory of a [fresh view](AgentView::read).
pub fn read_inventory(context: &Context, agent: Option<&str>) -> Result<Inventory, ContextError> {
    let view = AgentView::read(context, agent)?;
    let inventory = Arc::clone(view.inventory());
    drop(view);
    Ok(Arc::unwrap_or_clone(inventory))
}

impl AgentView {
    /// Reads from the disk what an agent has now.
    pub fn read(context: &Context, agent: Option<&str>) -> Result<Arc<Self>, ContextError> {
        let blueprint = blueprint(context, agent, &mut None)?;
        let loaded = load::load(&blueprint.plans, context.cache_folder());
        let context = Arc::new(context.clone());
        Ok(Arc::new(Self::new(context, blueprint, loaded, ViewParts::default())))
    }

    /// Makes a view; no other function does.
    pub(crate) fn new(context: Arc<Context>, blueprint: Blueprint, loaded: Loaded, parts: ViewParts) -> Self {
        let mut inventory = assemble(&context, &blueprint, loaded);
        inventory.keep_texts_in(parts.texts);
        context.counts().count_inventory();
        Self {
            context,
            inventory: Arc::new(inventory),
            config_problem: blueprint.problem.as_ref().map(ToString::to_string),
            agent: blueprint.agent,
            config: blueprint.config,
            request: parts.request,
            version: parts.version,
            snapshot: OnceLock::new(),
            stale_edits: parts.stale_edits,
            selector: Mutex::default(),
        }
    }

    /// The context whose config the view follows.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// The user's config with that of the workspace on top.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Every skill with its verdict, and everything that lost.
    pub fn inventory(&self) -> &Arc<Inventory> {
        &self.inventory
    }

    /// The frozen catalogue, rendered when it is first asked for.
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        self.snapshot.get_or_init(|| Arc::new(self.inventory.snapshot(&self.request, self.version)))
    }

    /// Edits that could not be used; the last good versions are.
    pub fn stale_edits(&self) -> &[StaleEdit] {
        &self.stale_edits
    }

    /// Returns the reason the workspace's config could not be read; the last good one is used.
    pub fn config_problem(&self) -> Option<&str> {
        self.config_problem.as_deref()
    }

    /// The selector over the view's skills: one for all who ask, made when the first one does. Documents and vectors of
    /// skills that the view before had are not read or encoded again.
    pub fn selector(&self) -> Result<Arc<Selector>, ChooseError> {
        let mut shared = self.shared();
        if let Some(made) = &shared.made {
            return Ok(Arc::clone(made));
        }
        let selector = Selector::of_inventory(&self.context, &self.inventory, shared.earlier.as_deref())?;
        let selector = Arc::new(selector);
        shared.earlier = None;
        shared.made = Some(Arc::clone(&selector));
        Ok(selector)
    }

    /// Takes over what the view before it knows, where it still holds.
    pub(crate) fn follow(&mut self, before: &Self) {
        if self.snapshot().id() == before.snapshot().id() {
            self.snapshot = OnceLock::from(Arc::clone(before.snapshot()));
        }
        let shared = before.shared();
        let (made, earlier) = (shared.made.clone(), shared.earlier.clone());
        drop(shared);
        let is_same = self.is_same_for_selection(before);
        let mut own = self.shared();
        (own.made, own.earlier) = if is_same { (made, earlier) } else { (None, made.or(earlier)) };
    }

    /// Returns true if a selector over the other view's skills is one over these, too.
    fn is_same_for_selection(&self, before: &Self) -> bool {
        let (entries, others) = (&self.inventory.entries, &before.inventory.entries);
        let is_same_entry = |(entry, other): (&SkillEntry, &SkillEntry)| {
            entry.skill.content_hash == other.skill.content_hash
                && entry.skill.name == other.skill.name
                && entry.origin == other.origin
                && (entry.mode, entry.allowed) == (other.mode, other.allowed)
                && entry.verdict == other.verdict
        };
        Arc::ptr_eq(&self.context, &before.context)
            && entries.len() == others.len()
            && entries.iter().zip(others).all(is_same_entry)
    }

    fn shared(&self) -> MutexGuard<'_, SharedSelector> {
        self.selector.lock().ignore_poison()
    }
}

impl fmt::Debug for AgentView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentView")
            .field("agent", &self.agent.id)
            .field("skills", &self.inventory.entries.len())
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
