//! `cron.*`: automations, in OpenClaw's shape.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Nothing;
use crate::access::{Access, Scope, Starts};
use crate::cron::{
    CronJob, Entry, JobState, Manual, Payload, RunEntry, Schedule, SessionTarget, Store, zone,
};
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method};

/// Maximum number of automations.
const MAX_JOBS: usize = 1_000;
/// Maximum length of a list of runs.
const MAX_RUNS: usize = 1_000;
/// Default length of a list of runs.
const RUNS: usize = 50;

pub(super) fn methods() -> Vec<Method> {
    let (read, admin) = (Access::Operator(Scope::Read), Access::Operator(Scope::Admin));
    vec![
        method("cron.list", read, "The automations", list),
        method("cron.status", read, "Whether automations run, and when the next is due", status),
        method("cron.runs", read, "The last runs of an automation, the latest first", runs),
        method("cron.add", admin, "Adds an automation: a message for an agent at set times", add)
            .starts(Starts::ASKED),
        method("cron.update", admin, "Changes an automation; what is not named stays", update)
            .starts(Starts::ASKED),
        method("cron.remove", admin, "Removes an automation; its traces stay", remove),
        method("cron.run", admin, "Runs an automation now", run).starts(Starts::ASKED),
    ]
}

fn store(gateway: &Gateway) -> Store {
    Store::of(&gateway.live.engine())
}

/// Which automations.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ListParams {
    /// Also those that are switched off.
    #[serde(default)]
    include_disabled: bool,
}

/// Automations.
#[derive(Debug, Serialize, JsonSchema)]
struct Jobs {
    /// The automations; that which is due first is the first.
    jobs: Vec<CronJob>,
}

async fn list(call: Call, params: ListParams) -> Result<Jobs, Refusal> {
    call.work(move |gateway| {
        let mut jobs = store(gateway).jobs()?;
        jobs.retain(|job| params.include_disabled || job.enabled);
        jobs.sort_by_key(|job| job.state.next_run_at_ms.unwrap_or(u64::MAX));
        Ok(Jobs { jobs })
    })
    .await
}

/// How the automations do.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Status {
    /// True if they run; always, while a gateway does.
    enabled: bool,
    /// The file they are kept in.
    store_path: String,
    /// Their number.
    jobs: usize,
    /// When the next is due, in milliseconds since 1970.
    next_wake_at_ms: Option<u64>,
}

async fn status(call: Call, _: Nothing) -> Result<Status, Refusal> {
    call.work(|gateway| {
        let store = store(gateway);
        let jobs = store.jobs()?;
        Ok(Status {
            enabled: true,
            store_path: store.file().display().to_string(),
            jobs: jobs.len(),
            next_wake_at_ms: jobs.iter().filter_map(|job| job.state.next_run_at_ms).min(),
        })
    })
    .await
}

/// Whose runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunsParams {
    /// The automation.
    #[serde(alias = "jobId")]
    id: String,
    /// The maximum number; 50 by default.
    limit: Option<usize>,
}

/// Runs of an automation.
#[derive(Debug, Serialize, JsonSchema)]
struct Runs {
    /// The runs, the latest first.
    entries: Vec<RunEntry>,
}

async fn runs(call: Call, params: RunsParams) -> Result<Runs, Refusal> {
    call.work(move |gateway| {
        let limit = params.limit.unwrap_or(RUNS).min(MAX_RUNS);
        Ok(Runs { entries: store(gateway).runs(&params.id, limit) })
    })
    .await
}

/// A new automation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct AddParams {
    /// Its name for people.
    name: String,
    /// Its purpose.
    description: Option<String>,
    /// True if it runs; yes if not said.
    enabled: Option<bool>,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
    /// When it runs.
    schedule: Schedule,
    /// The text for the agent.
    payload: Payload,
    /// Which session the message goes to; a new one every time if not said.
    #[serde(default)]
    session_target: SessionTarget,
    /// When the agent wakes; here always at once.
    wake_mode: Option<String>,
    /// True if a job that runs once goes after it went well; yes for such a job if not said.
    delete_after_run: Option<bool>,
    /// Kept for other programs: there are no channels to deliver to.
    delivery: Option<Map<String, Value>>,
    /// Kept for other programs.
    session_key: Option<String>,
}

async fn add(call: Call, params: AddParams) -> Result<CronJob, Refusal> {
    let added = call
        .work(move |gateway| {
            let now = gateway.options.clock.now_ms();
            let delivery = params.delivery.map(|value| ("delivery".to_owned(), Value::Object(value)));
            let session_key = params.session_key.map(|key| ("sessionKey".to_owned(), key.into()));
            let mut job = CronJob {
                id: ulid::Ulid::generate().to_string(),
                agent_id: params.agent_id,
                name: params.name,
                description: params.description,
                enabled: params.enabled.unwrap_or(true),
                delete_after_run: params
                    .delete_after_run
                    .or_else(|| params.schedule.is_once().then_some(true)),
                created_at_ms: now,
                updated_at_ms: now,
                schedule: params.schedule,
                session_target: params.session_target,
                wake_mode: params.wake_mode.unwrap_or_else(|| "now".to_owned()),
                payload: params.payload,
                state: JobState::default(),
                extra: delivery.into_iter().chain(session_key).collect(),
            };
            check(gateway, &mut job, now)?;
            store(gateway).change(|entries| {
                if entries.len() >= MAX_JOBS {
                    return Err(Refusal::invalid(format!(
                        "there are {MAX_JOBS} automations already; remove some"
                    )));
                }
                entries.push(Entry::Job(Box::new(job.clone())));
                Ok(job)
            })?
        })
        .await?;
    call.gateway.cron_changed("added", &added.id);
    Ok(added)
}

/// Whether a job can be done, and when it is due.
fn check(gateway: &Gateway, job: &mut CronJob, now: u64) -> Result<(), Refusal> {
    let engine = gateway.live.engine();
    if job.name.trim().is_empty() {
        return Err(Refusal::invalid("an automation needs a name"));
    }
    if job.payload.message().trim().is_empty() {
        return Err(Refusal::invalid("an automation needs a message for the agent"));
    }
    engine.config().agent(job.agent_id.as_deref()).map_err(prowess_context::ContextError::from)?;
    job.plan(now, &zone(&engine)).map_err(|error| Refusal::invalid(error.to_string()))?;
    if job.enabled && job.state.next_run_at_ms.is_none() {
        return Err(Refusal::invalid("this schedule is never due again"));
    }
    Ok(())
}

/// An automation, and what changes about it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateParams {
    /// The automation.
    #[serde(alias = "jobId")]
    id: String,
    /// What changes.
    patch: Patch,
}

/// The changes to an automation. Absent fields stay as they are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Patch {
    /// Its name for people.
    name: Option<String>,
    /// Its purpose.
    description: Option<String>,
    /// True if it runs.
    enabled: Option<bool>,
    /// The agent.
    agent_id: Option<String>,
    /// When it runs.
    schedule: Option<Schedule>,
    /// The text for the agent.
    payload: Option<Payload>,
    /// The session that the message goes to.
    session_target: Option<SessionTarget>,
    /// True if a job that runs once goes after it went well.
    delete_after_run: Option<bool>,
    /// Kept for other programs.
    delivery: Option<Map<String, Value>>,
}

async fn update(call: Call, params: UpdateParams) -> Result<CronJob, Refusal> {
    let changed = call
        .work(move |gateway| {
            let now = gateway.options.clock.now_ms();
            let changed = store(gateway).change_job(&params.id, |job| {
                let mut wanted = job.clone();
                params.patch.apply(&mut wanted);
                wanted.updated_at_ms = now;
                check(gateway, &mut wanted, now)?;
                *job = wanted.clone();
                Ok(wanted)
            })?;
            changed.ok_or_else(|| unknown(&params.id))?
        })
        .await?;
    call.gateway.cron_changed("updated", &changed.id);
    Ok(changed)
}

impl Patch {
    fn apply(self, job: &mut CronJob) {
        job.name = self.name.unwrap_or_else(|| std::mem::take(&mut job.name));
        job.description = self.description.or_else(|| job.description.take());
        job.enabled = self.enabled.unwrap_or(job.enabled);
        job.agent_id = self.agent_id.or_else(|| job.agent_id.take());
        if let Some(schedule) = self.schedule {
            job.schedule = schedule;
        }
        if let Some(payload) = self.payload {
            job.payload = payload;
        }
        job.session_target = self.session_target.unwrap_or(job.session_target);
        job.delete_after_run = self.delete_after_run.or(job.delete_after_run);
        if let Some(delivery) = self.delivery {
            job.extra.insert("delivery".to_owned(), Value::Object(delivery));
        }
    }
}

/// An automation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RemoveParams {
    /// The automation.
    #[serde(alias = "jobId")]
    id: String,
}

/// Whether something was removed.
#[derive(Debug, Serialize, JsonSchema)]
struct Removed {
    ok: bool,
    /// True if there was such an automation.
    removed: bool,
}

async fn remove(call: Call, params: RemoveParams) -> Result<Removed, Refusal> {
    let id = params.id.clone();
    let removed = call
        .work(move |gateway| {
            Ok(store(gateway).change(|entries| {
                let before = entries.len();
                entries.retain_mut(|entry| entry.job().is_none_or(|job| job.id != params.id));
                entries.len() < before
            })?)
        })
        .await?;
    if removed {
        call.gateway.cron_changed("removed", &id);
    }
    Ok(Removed { ok: true, removed })
}

/// An automation to run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunParams {
    /// The automation.
    #[serde(alias = "jobId")]
    id: String,
    /// Whether it runs in any case, or only if it is due; in any case if not said.
    #[serde(default)]
    mode: Mode,
}

/// When a run is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// In any case.
    #[default]
    Force,
    /// Only if it is due.
    Due,
}

/// Whether it runs.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Triggered {
    ok: bool,
    /// True if a run was started.
    ran: bool,
    /// Why not: `already-running` or `not-due`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The run.
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<String>,
    /// Its session.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

async fn run(call: Call, params: RunParams) -> Result<Triggered, Refusal> {
    let gateway = std::sync::Arc::clone(&call.gateway);
    let manual = call.work(move |_| gateway.run_job_now(&params.id, params.mode == Mode::Due)).await?;
    let not = |reason| Triggered { ok: true, ran: false, reason: Some(reason), run_id: None, session: None };
    Ok(match manual {
        Manual::Running => not("already-running"),
        Manual::NotDue => not("not-due"),
        Manual::Started(run) => {
            let (run_id, session) = (Some(run.run_id), Some(run.session));
            Triggered { ok: true, ran: true, reason: None, run_id, session }
        }
    })
}

fn unknown(id: &str) -> Refusal {
    Refusal::not_found(format!("there is no automation `{}`", id.escape_debug()))
}
