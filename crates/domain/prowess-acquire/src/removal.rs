//! Taking a skill away from where the inventory found it, with a way back.
//!
//! The caller names a skill, never a path: the roots are this engine's own. A plan says what would go and for whom;
//! it is done only if the caller names the folder that the plan named.

use std::path::{Path, PathBuf};

use prowess_context::{Clock, Context, ContextError};
use prowess_inventory::{NameLookup, SkillEntry};
use prowess_match::AgentView;
use prowess_types::Tier;
use serde::Serialize;

use crate::acquire::{Acquire, AcquireError, AcquireOptions, InstallScope, Removed, Restored};

/// What a removal would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovalOffer {
    /// The skill's name.
    pub name: String,
    /// The key of its settings, which stay.
    pub skill_key: String,
    /// Where it comes from.
    pub source: String,
    /// `workspace`, or `managed` for all workspaces.
    pub scope: String,
    /// The folder that would go to the trash.
    pub path: String,
    /// The agents that would lose it.
    pub agents: Vec<String>,
    /// Copies that would take its place, the next in line first.
    pub uncovers: Vec<String>,
}

/// A skill that is gone, and how it comes back.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovedSkill {
    /// What was done.
    #[serde(flatten)]
    pub offer: RemovalOffer,
    /// What it is called in the trash; none if its folder was gone already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trash_id: Option<String>,
    /// Whether the folder is gone, looked at afterwards.
    pub removed: bool,
}

/// The reason a skill is not removed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemovalError {
    /// There is no such skill, or several.
    #[error("Skill not found: {0}")]
    NoSkill(String),
    /// It is not the user's to remove this way.
    #[error(
        "`{name}` comes from `{source_label}`; only skills of a workspace and managed ones can be removed"
    )]
    Tier {
        /// The skill.
        name: String,
        /// Its source.
        source_label: String,
    },
    /// It is the root itself, or lies elsewhere.
    #[error("`{}` is not the folder of one skill below `{}`", path.display(), root.display())]
    Place {
        /// The folder.
        path: PathBuf,
        /// The folder that it must be in.
        root: PathBuf,
    },
    /// The caller agreed to something else.
    #[error("the removal of `{path}` was not confirmed; send it back as `confirm`")]
    NotConfirmed {
        /// The folder.
        path: String,
    },
    /// It cannot be moved.
    #[error(transparent)]
    Acquire(#[from] AcquireError),
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
}

impl prowess_types::Classify for RemovalError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Acquire(error) => Of(error),
            Self::Context(error) => Of(error),
            Self::NoSkill(_) => Is(ErrorKind::NotFound),
            Self::Tier { .. } | Self::Place { .. } => Is(ErrorKind::Refused),
            Self::NotConfirmed { .. } => Is(ErrorKind::NotAgreed),
        }
    }
}

/// Says what removing a skill would take away. Nothing is changed.
pub fn plan_removal(context: &Context, view: &AgentView, name: &str) -> Result<RemovalOffer, RemovalError> {
    let inventory = view.inventory();
    let NameLookup::Found(entry) = inventory.find(name) else {
        return Err(RemovalError::NoSkill(name.to_owned()));
    };
    let scope = scope_of(entry)?;
    let root = match scope {
        InstallScope::Global => context.places().managed(),
        InstallScope::Workspace => inventory.workspace.join("skills"),
    };
    let base = &entry.origin.base;
    if base == &root || !base.starts_with(&root) || entry.origin.file.parent() != Some(base) {
        return Err(RemovalError::Place { path: base.clone(), root });
    }
    // The view may not have seen yet that it is gone.
    if !prowess_fs::is_taken(base) {
        return Err(RemovalError::NoSkill(name.to_owned()));
    }
    Ok(RemovalOffer {
        name: entry.skill.name.clone(),
        skill_key: entry.skill.key().to_owned(),
        source: entry.origin.source.clone(),
        scope: if scope == InstallScope::Global { "managed" } else { "workspace" }.to_owned(),
        path: base.display().to_string(),
        agents: users_of(context, scope, &inventory.workspace)?,
        uncovers: entry.shadowed.iter().map(|origin| origin.file.display().to_string()).collect(),
    })
}

/// Moves a skill to the trash. `confirm` must be the path that the plan named.
pub fn remove_skill(
    context: &Context,
    view: &AgentView,
    name: &str,
    confirm: &str,
    clock: Clock,
) -> Result<RemovedSkill, RemovalError> {
    let offer = plan_removal(context, view, name)?;
    if offer.path != confirm {
        return Err(RemovalError::NotConfirmed { path: offer.path });
    }
    let desk = Acquire::open(
        context,
        AcquireOptions {
            agent: Some(view.agent().id.clone()),
            scope: if offer.scope == "managed" { InstallScope::Global } else { InstallScope::Workspace },
            ..AcquireOptions::new(clock)
        },
    )?;
    let Removed { trash_id, .. } = desk.discard(Path::new(&offer.path))?;
    let removed = !prowess_fs::is_taken(Path::new(&offer.path));
    Ok(RemovedSkill { offer, trash_id, removed })
}

/// Brings a skill back from the trash.
pub fn restore_skill(
    context: &Context,
    agent: Option<&str>,
    scope: InstallScope,
    trash_id: &str,
    clock: Clock,
) -> Result<Restored, RemovalError> {
    let agent = agent.map(str::to_owned);
    let desk = Acquire::open(context, AcquireOptions { agent, scope, ..AcquireOptions::new(clock) })?;
    Ok(desk.restore(trash_id, false)?)
}

/// The agents that read skills from a place.
fn users_of(context: &Context, scope: InstallScope, workspace: &Path) -> Result<Vec<String>, ContextError> {
    let mut users = Vec::new();
    for id in context.config().agent_ids() {
        if scope == InstallScope::Global || context.workspace(Some(&id))? == workspace {
            users.push(id);
        }
    }
    Ok(users)
}

fn scope_of(entry: &SkillEntry) -> Result<InstallScope, RemovalError> {
    match entry.origin.tier {
        Tier::Managed => Ok(InstallScope::Global),
        Tier::Workspace => Ok(InstallScope::Workspace),
        _ => Err(RemovalError::Tier {
            name: entry.skill.name.clone(),
            source_label: entry.origin.source.clone(),
        }),
    }
}
