//! `skills.remove` and the way back.

use prowess_acquire::{AcquireOptions, InstallScope as Place, RemovalOffer, RemovedSkill, Restored};
use prowess_fs::ChangeReason;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

const ADMIN: Access = Access::Operator(Scope::Admin);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("skills.remove.plan", ADMIN, "What removing a skill would take away, and from whom", plan),
        method("skills.remove", ADMIN, "Moves a skill to the trash", remove),
        method("skills.trash", ADMIN, "What can be brought back", trash),
        method("skills.restore", ADMIN, "Brings a skill back from the trash", restore),
    ]
}

/// The skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PlanParams {
    /// Its key or its name.
    skill_key: String,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

/// Which skill, and the folder that goes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RemoveParams {
    /// Its key or its name.
    skill_key: String,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
    /// The `path` that the plan named.
    confirm: String,
}

/// Whose trash.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TrashParams {
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

/// What comes back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RestoreParams {
    /// Its id in the trash.
    trash_id: String,
    /// The place where it was: `workspace` or `managed`.
    scope: ScopeName,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

/// For whom a skill is installed.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ScopeName {
    /// For one workspace.
    Workspace,
    /// For all workspaces.
    Managed,
}

impl ScopeName {
    fn place(self) -> Place {
        match self {
            Self::Workspace => Place::Workspace,
            Self::Managed => Place::Global,
        }
    }
}

/// The content of the trash.
#[derive(Debug, Serialize, JsonSchema)]
struct Trash {
    /// The oldest first, those of the workspace before those of all workspaces.
    skills: Vec<TrashedSkill>,
}

/// Something in the trash.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct TrashedSkill {
    /// What it is called there.
    trash_id: String,
    /// For whom it was installed.
    scope: ScopeName,
    /// Its previous location.
    from: String,
    /// When it was removed, in milliseconds since 1970.
    removed_at: u64,
}

async fn plan(call: Call, params: PlanParams) -> Result<RemovalOffer, Refusal> {
    call.work(move |gateway| {
        let view = gateway.live.view(params.agent_id.as_deref())?;
        Ok(gateway.live.engine().plan_removal(&view, &params.skill_key)?)
    })
    .await
}

async fn remove(call: Call, params: RemoveParams) -> Result<RemovedSkill, Refusal> {
    call.work(move |gateway| {
        let RemoveParams { skill_key, agent_id, confirm } = &params;
        let clock = gateway.options.clock.clone();
        let view = gateway.live.view(agent_id.as_deref())?;
        let removed = gateway.live.engine().remove_skill(&view, skill_key, confirm, clock)?;
        gateway.live.refresh(ChangeReason::Manual);
        Ok(removed)
    })
    .await
}

async fn trash(call: Call, params: TrashParams) -> Result<Trash, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        let mut skills = Vec::new();
        for scope in [ScopeName::Workspace, ScopeName::Managed] {
            let options = AcquireOptions {
                agent: params.agent_id.clone(),
                scope: scope.place(),
                ..AcquireOptions::new(gateway.options.clock.clone())
            };
            let trashed = engine.acquire(options)?.trashed()?.into_iter();
            skills.extend(trashed.map(|trashed| TrashedSkill {
                trash_id: trashed.id,
                scope,
                from: trashed.from.display().to_string(),
                removed_at: trashed.removed_at,
            }));
        }
        Ok(Trash { skills })
    })
    .await
}

async fn restore(call: Call, params: RestoreParams) -> Result<Restored, Refusal> {
    call.work(move |gateway| {
        let RestoreParams { trash_id, scope, agent_id } = &params;
        let clock = gateway.options.clock.clone();
        let engine = gateway.live.engine();
        let restored = engine.restore_skill(agent_id.as_deref(), scope.place(), trash_id, clock)?;
        gateway.live.refresh(ChangeReason::Manual);
        Ok(restored)
    })
    .await
}
