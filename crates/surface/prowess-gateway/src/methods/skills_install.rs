//! `skills.install`: what a skill needs, or a skill itself, with the exact commands before and the output meanwhile.

use std::time::Duration;

use prowess_acquire as acquire;
use prowess_acquire::{DependencyConsent, DependencyPlan, DependencyReadiness, DepsError, InstallChoices};
use prowess_fs::ChangeReason;
use prowess_install::deps::{InstallEvent, InstallResult, InstallStep};
use prowess_types::{Classify, ErrorKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::skills::{InstallTarget, install_target};
use super::skills_acquire::{self, Wanted};
use crate::access::{Access, Scope, Starts};
use crate::events::Event;
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method};

const ADMIN: Access = Access::Operator(Scope::Admin);
/// The shortest time that a client may give an installer.
const MIN_TIMEOUT_MS: u64 = 1000;
/// Bytes between two notes about a download.
const NOTE_EVERY: u64 = 256 * 1024;

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("skills.install.plan", ADMIN, "The exact commands of an install, and its warnings", plan),
        method("skills.install", ADMIN, "Installs what a skill needs, or a skill", install)
            .starts(Starts::ALWAYS),
        method("skills.install.cancel", ADMIN, "Stops an install that runs", cancel),
    ]
}

/// Which option of which skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PlanParams {
    /// The skill's exact name.
    name: String,
    /// The option's id, from `skills.status`.
    install_id: String,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

/// What to install: with `name` and `installId` what a skill needs, with `source` a skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct InstallParams {
    /// The skill's exact name.
    name: Option<String>,
    /// The option's id, from `skills.status`.
    install_id: Option<String>,
    /// The time that each step may take, at least 1000.
    timeout_ms: Option<u64>,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
    /// The source of a skill: `clawhub` (a registry) or `upload`.
    source: Option<Source>,
    /// The skill's name in the registry, or the folder of an upload.
    slug: Option<String>,
    /// A version of the registry; the newest if none is named.
    version: Option<String>,
    /// True if a folder that is there gives way; it is kept in the trash.
    force: Option<bool>,
    /// True if the scanner's warnings were read and accepted.
    acknowledge_warnings: Option<bool>,
    /// The `hash` of the plan that was shown: something else is not installed.
    expected_hash: Option<String>,
    /// The upload.
    upload_id: Option<String>,
    /// The SHA-256 that the upload must have.
    sha256: Option<String>,
}

/// The source of a skill.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Source {
    /// A registry.
    Clawhub,
    /// An archive that the client has sent.
    Upload,
}

/// Which install.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct CancelParams {
    /// The skill's name, or its slug in the registry.
    name: String,
    /// The option's id, if it is about what a skill needs.
    install_id: Option<String>,
}

/// What an install would do.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlanAnswer {
    #[serde(flatten)]
    plan: DependencyPlan,
    /// The commands and downloads, one line each, exactly as they would be run.
    commands: Vec<String>,
    /// The reason why it cannot be done, even with consent.
    #[serde(skip_serializing_if = "Option::is_none")]
    objection: Option<String>,
    /// Whose workspace this is about.
    target: InstallTarget,
}

/// The result of an install.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InstallAnswer {
    #[serde(flatten)]
    pub(super) result: InstallResult,
    /// Whose workspace this was about.
    pub(super) target: InstallTarget,
    /// Whether the skill has what it needs now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) readiness: Option<DependencyReadiness>,
    /// The skill that was installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skill: Option<acquire::Done>,
}

/// True if something was stopped.
#[derive(Debug, Serialize, JsonSchema)]
struct Cancelled {
    /// True if there was something to stop.
    cancelled: bool,
}

async fn plan(call: Call, params: PlanParams) -> Result<PlanAnswer, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        let agent = params.agent_id.as_deref();
        let view = gateway.live.view(agent)?;
        let plan = engine.dependencies(&view, &params.name)?.plan(&params.install_id)?;
        Ok(PlanAnswer {
            commands: plan.steps().iter().map(ToString::to_string).collect(),
            objection: plan.objection(),
            target: install_target(gateway, agent)?,
            plan,
        })
    })
    .await
}

async fn install(call: Call, params: InstallParams) -> Result<InstallAnswer, Refusal> {
    if params.timeout_ms.is_some_and(|timeout| timeout < MIN_TIMEOUT_MS) {
        return Err(Refusal::invalid("invalid skills.install params: at /timeoutMs: must be >= 1000"));
    }
    let wanted = match params.source {
        None => return install_needs(call, params).await,
        Some(Source::Clawhub) => Wanted::Registry { version: params.version },
        Some(Source::Upload) => {
            Wanted::Upload { id: required("uploadId", params.upload_id)?, sha256: params.sha256 }
        }
    };
    let order = skills_acquire::Order {
        slug: required("slug", params.slug)?,
        wanted,
        agent: params.agent_id,
        replace: params.force == Some(true),
        acknowledged: params.acknowledge_warnings == Some(true),
        expected_hash: params.expected_hash,
    };
    call.work(move |gateway| skills_acquire::install(gateway, &order)).await
}

/// Installs what a skill needs. The caller is a person, or works for one: calling this is the consent.
async fn install_needs(call: Call, params: InstallParams) -> Result<InstallAnswer, Refusal> {
    let name = required("name", params.name)?;
    let install_id = required("installId", params.install_id)?;
    let (agent, timeout) = (params.agent_id, params.timeout_ms.map(Duration::from_millis));
    call.work(move |gateway| {
        let target = install_target(gateway, agent.as_deref())?;
        let running = gateway.desk.begin(&key_of(&name, Some(&install_id)))?;
        let choices = InstallChoices { timeout, cancel: running.cancel.clone(), ..InstallChoices::default() };
        let engine = gateway.live.engine();
        let mut teller = Teller { gateway, name: &name, install_id: Some(&install_id), noted: 0 };
        let view = gateway.live.view(agent.as_deref())?;
        let done = engine.dependencies(&view, &name).and_then(|needs| {
            let plan = needs.plan(&install_id)?;
            needs.install(&plan, DependencyConsent::User, &choices, &mut |event| teller.tell(event))
        });
        gateway.live.refresh(ChangeReason::Manual);
        let (result, readiness, kind) = match done {
            Ok(installation) => (installation.result, Some(installation.after), ErrorKind::Environment),
            Err(error @ (DepsError::NoSkill(_) | DepsError::NoInstaller(_) | DepsError::Refused(_))) => {
                (InstallResult::refused(error.to_string()), None, error.kind())
            }
            Err(error) => return Err(error.into()),
        };
        teller.note("done", json!({ "ok": result.ok, "text": result.message }));
        answer(InstallAnswer { result, target, readiness, skill: None }, kind)
    })
    .await
}

/// A failed install answers with everything that is known about it, and fails with the kind.
pub(super) fn answer(answer: InstallAnswer, kind: ErrorKind) -> Result<InstallAnswer, Refusal> {
    if answer.result.ok {
        return Ok(answer);
    }
    let refusal = Refusal::failed(kind, answer.result.message.clone());
    Err(match serde_json::to_value(&answer) {
        Ok(payload) => refusal.with_payload(payload),
        Err(_) => refusal,
    })
}

async fn cancel(call: Call, params: CancelParams) -> Result<Cancelled, Refusal> {
    let what = key_of(&params.name, params.install_id.as_deref());
    Ok(Cancelled { cancelled: call.gateway.desk.cancel(&what) })
}

/// What an install is known by while it runs.
pub(super) fn key_of(name: &str, install_id: Option<&str>) -> String {
    install_id.map_or_else(|| name.to_owned(), |id| format!("{name}:{id}"))
}

fn required(field: &str, value: Option<String>) -> Result<String, Refusal> {
    value.filter(|value| !value.trim().is_empty()).ok_or_else(|| {
        Refusal::invalid(format!(
            "invalid skills.install params: at root: must have required property '{field}'"
        ))
    })
}

/// Announces progress to clients that may install.
pub(super) struct Teller<'a> {
    pub(super) gateway: &'a Gateway,
    pub(super) name: &'a str,
    pub(super) install_id: Option<&'a str>,
    pub(super) noted: u64,
}

impl Teller<'_> {
    fn tell(&mut self, event: InstallEvent<'_>) {
        match event {
            InstallEvent::Starts(step @ InstallStep::Command(_)) => {
                self.note("command", json!({ "text": step.to_string() }));
            }
            InstallEvent::Starts(step) => self.note("download", json!({ "text": step.to_string() })),
            InstallEvent::Says(stream, bytes) => {
                let stream = format!("{stream:?}").to_lowercase();
                self.note("output", json!({ "stream": stream, "text": String::from_utf8_lossy(bytes) }));
            }
            InstallEvent::Received(done, total) => self.received(done, total),
            _ => {}
        }
    }

    /// Tells how much has come, now and then.
    pub(super) fn received(&mut self, done: u64, total: Option<u64>) {
        if done >= self.noted + NOTE_EVERY || Some(done) == total {
            self.noted = done;
            self.note("received", json!({ "received": done, "total": total }));
        }
    }

    pub(super) fn note(&self, kind: &str, mut payload: serde_json::Value) {
        payload["kind"] = kind.into();
        payload["name"] = self.name.into();
        payload["installId"] = self.install_id.into();
        let name = "skills.install.progress";
        self.gateway.events.publish(Event { name, payload, audience: Scope::Admin });
    }
}

#[cfg(test)]
#[cfg(unix)]
#[path = "skills_install_tests.rs"]
mod tests;
