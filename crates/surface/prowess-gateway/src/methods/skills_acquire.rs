//! Installing skills from a registry or an upload, and keeping them current.

use std::sync::Arc;

use prowess::Engine;
use prowess_acquire::{
    AcquireError, AcquireOptions, Done, Edits, InstallConsent, InstallOptions, Plan, UpdateOptions,
};
use prowess_fs::ChangeReason;
use prowess_install::deps::InstallResult;
use prowess_text::describe_error;
use prowess_types::{Classify, ErrorKind};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::skills::install_target;
use super::skills_hub::{desk, plan_key, registry_reference};
use super::skills_install::{InstallAnswer, Teller, answer, key_of};
use super::skills_upload::check_allowed;
use crate::kept_plans::PlanKey;
use crate::refusal::Refusal;
use crate::state::{Call, Gateway};

/// The outcome of an installed skill.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Updated {
    /// Its folder.
    folder: String,
    /// True if it is up to date now.
    ok: bool,
    /// The event.
    message: String,
    /// The details, if something was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<Done>,
    /// The kind of the error, if it failed.
    #[serde(skip)]
    kind: Option<ErrorKind>,
}

/// Which installed skills are brought up to date, and how.
pub(super) struct Update {
    pub(super) slug: Option<String>,
    pub(super) all: bool,
    pub(super) force: bool,
    pub(super) acknowledged: bool,
}

/// A skill that shall be installed.
pub(super) struct Order {
    pub(super) slug: String,
    pub(super) wanted: Wanted,
    pub(super) agent: Option<String>,
    pub(super) replace: bool,
    pub(super) acknowledged: bool,
    pub(super) expected_hash: Option<String>,
}

/// The source of a skill.
pub(super) enum Wanted {
    /// The registry.
    Registry { version: Option<String> },
    /// What a client has sent.
    Upload { id: String, sha256: Option<String> },
}

/// Installs a skill. Warnings are an answer, too.
pub(super) fn install(gateway: &Gateway, order: &Order) -> Result<InstallAnswer, Refusal> {
    let engine = gateway.live.engine();
    let target = install_target(gateway, order.agent.as_deref())?;
    let running = gateway.desk.begin(&key_of(&order.slug, None))?;
    let mut teller = Teller { gateway, name: &order.slug, install_id: None, noted: 0 };
    let options = AcquireOptions {
        agent: order.agent.clone(),
        cancel: Some(running.cancel.clone()),
        ..AcquireOptions::new(gateway.options.clock.clone())
    };
    let desk = engine.acquire(options)?;
    let room = InstallOptions { replace: order.replace };
    let now = gateway.options.clock.now_ms();
    let kept = kept_plan(gateway, &engine, order, now)?;
    let plan = match (&order.wanted, kept) {
        (_, Some(plan)) => Ok(plan),
        (Wanted::Registry { version }, None) => {
            let reference = registry_reference(&desk, &order.slug, version.as_deref())?;
            let plan = desk.plan_install(&reference, &room, &mut |done, total| teller.received(done, total));
            plan.map(Arc::new)
        }
        (Wanted::Upload { id, sha256 }, None) => {
            check_allowed(gateway)?;
            let archive = gateway.desk.uploads.whole(id, &order.slug, sha256.as_deref(), now)?;
            desk.plan_upload(&order.slug, &archive, &room).map(Arc::new)
        }
    };
    let done = plan.and_then(|plan| {
        if order.expected_hash.as_ref().is_some_and(|hash| *hash != plan.hash) {
            return Err(AcquireError::Changed { folder: order.slug.clone() });
        }
        let consent =
            if order.acknowledged { InstallConsent::DespiteWarnings } else { InstallConsent::Given };
        desk.apply(&plan, consent)
    });
    let (result, skill, kind) = match done {
        Ok(done) => {
            match &order.wanted {
                Wanted::Upload { id, .. } => gateway.desk.uploads.forget(id),
                Wanted::Registry { version } => {
                    gateway.desk.plans.forget(&key(&engine, order, version.as_deref())?);
                }
            }
            let result = InstallResult {
                ok: true,
                code: Some(0),
                warnings: done.warnings.clone(),
                ..InstallResult::refused(format!("Installed {}", done.folder))
            };
            (result, Some(done), ErrorKind::Environment)
        }
        Err(error) => (InstallResult::refused(describe_error(&error)), None, error.kind()),
    };
    gateway.live.refresh(ChangeReason::Manual);
    teller.note("done", json!({ "ok": result.ok, "text": result.message }));
    answer(InstallAnswer { result, target, readiness: None, skill }, kind)
}

/// The plan that the client was shown, if it names it and it still holds.
fn kept_plan(
    gateway: &Gateway,
    engine: &Engine,
    order: &Order,
    now_ms: u64,
) -> Result<Option<Arc<Plan>>, Refusal> {
    let (Wanted::Registry { version }, Some(hash)) = (&order.wanted, &order.expected_hash) else {
        return Ok(None);
    };
    Ok(gateway.desk.plans.get(&key(engine, order, version.as_deref())?, hash, engine.context(), now_ms))
}

fn key(engine: &Engine, order: &Order, version: Option<&str>) -> Result<PlanKey, Refusal> {
    plan_key(engine, order.agent.as_deref(), &order.slug, version, Some(order.replace))
}

/// Brings installed skills up to date. One that cannot be does not stop the others.
pub(super) async fn update(call: Call, update: Update) -> Result<Vec<Updated>, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        let desk = desk(&engine, gateway, None)?;
        let folders = match (update.all, update.slug) {
            (true, _) => desk.folders()?,
            (false, Some(slug)) => vec![slug],
            (false, None) => {
                return Err(Refusal::invalid(
                    "invalid skills.update params: at root: `slug` or `all` is needed",
                ));
            }
        };
        let edits = if update.force { Edits::Overwrite } else { Edits::Merge };
        let consent =
            if update.acknowledged { InstallConsent::DespiteWarnings } else { InstallConsent::Given };
        let options = UpdateOptions { version: None, edits };
        let mut updates = Vec::new();
        for folder in folders {
            let plan = desk.plan_update(&folder, &options, &mut |_, _| {});
            let done = plan.and_then(|plan| plan.map(|plan| desk.apply(&plan, consent)).transpose());
            updates.push(match done {
                Ok(Some(done)) => {
                    Updated { folder, ok: true, message: "Updated".to_owned(), done: Some(done), kind: None }
                }
                Ok(None) => {
                    Updated { folder, ok: true, message: "Up to date".to_owned(), done: None, kind: None }
                }
                Err(error) => Updated {
                    folder,
                    ok: false,
                    message: describe_error(&error),
                    done: None,
                    kind: Some(error.kind()),
                },
            });
        }
        gateway.live.refresh(ChangeReason::Manual);
        match updates.as_slice() {
            [Updated { kind: Some(kind), message, .. }] => Err(Refusal::failed(*kind, message.clone())),
            _ => Ok(updates),
        }
    })
    .await
}
