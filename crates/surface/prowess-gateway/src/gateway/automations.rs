//! Runs automations when they are due.

use std::sync::Arc;
use std::time::Duration;

use prowess_fs::Stamp;
use prowess_sessions::SessionId;
use prowess_text::describe_error;
use serde_json::json;

use super::Order;
use crate::cron::{CronError, CronJob, Due, Entry, Manual, RunEntry, SessionTarget, Store, Zone, zone};
use crate::events::Event;
use crate::refusal::Refusal;
use crate::runs::{Origin, RunStatus, RunView};
use crate::state::Gateway;

/// The interval at which the clock is checked.
const PAUSE: Duration = Duration::from_secs(1);
/// A run that takes longer than this is waited for no longer; it goes on.
const PATIENCE: Duration = Duration::from_hours(2);
/// The first words of an answer, in characters.
const SUMMARY: usize = 300;

impl Gateway {
    /// Looks at the clock until the gateway stops.
    pub(crate) async fn keep_automations(self: Arc<Self>) {
        let mut jobs = Known::default();
        loop {
            let (gateway, mut known) = (Arc::clone(&self), std::mem::take(&mut jobs));
            let looked = tokio::task::spawn_blocking(move || {
                for job in known.due(&gateway) {
                    gateway.begin_job(job);
                }
                known
            });
            if let Ok(known) = looked.await {
                jobs = known;
            } else {
                tracing::error!("looking at the automations failed");
            }
            tokio::select! {
                () = self.cron.stopped.cancelled() => return,
                () = self.cron.changed.notified() => {}
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
    }

    /// Tells that automations changed.
    pub(crate) fn cron_changed(&self, action: &str, job: &str) {
        let payload = json!({ "action": action, "jobId": job, "ts": self.options.clock.now_ms() });
        self.events.publish(Event::new("cron", payload));
        self.cron.changed.notify_one();
    }

    /// Runs a job now, if it does not run already.
    pub(crate) fn run_job_now(self: &Arc<Self>, id: &str, only_if_due: bool) -> Result<Manual, Refusal> {
        let engine = self.live.engine();
        let now = self.options.clock.now_ms();
        let zone = zone(&engine);
        let claimed = Store::of(&engine).change_job(id, |job| {
            if only_if_due {
                return match job.claim(now, &zone) {
                    Due::Now => Ok(job.clone()),
                    Due::No { .. } => Err(Manual::NotDue),
                };
            }
            if job.is_running(now) {
                return Err(Manual::Running);
            }
            job.state.running_at_ms = Some(now);
            Ok(job.clone())
        })?;
        match claimed.ok_or_else(|| unknown(id))? {
            Err(manual) => Ok(manual),
            Ok(job) => self.start_job(job).map(|run| Manual::Started(Box::new(run))),
        }
    }

    /// Starts a job that was claimed; what goes wrong is noted with it.
    fn begin_job(self: &Arc<Self>, job: CronJob) {
        let id = job.id.clone();
        if let Err(refusal) = self.start_job(job) {
            tracing::warn!(job = id, error = refusal.message, "an automation did not start");
        }
    }

    fn start_job(self: &Arc<Self>, job: CronJob) -> Result<RunView, Refusal> {
        let engine = self.live.engine();
        let agent = engine.config().agent(job.agent_id.as_deref());
        let session = match (job.session_target, &agent) {
            (SessionTarget::Main, Ok(agent)) => {
                Some(engine.sessions().of_key(&format!("agent:{}:main", agent.id)))
            }
            _ => None::<SessionId>,
        };
        let started = self.options.clock.now_ms();
        let run = self.start_run(Order {
            message: job.payload.message().to_owned(),
            agent: job.agent_id.clone(),
            session,
            model: job.payload.model().map(str::to_owned),
            harness: None,
            id: None,
            origin: Origin::Cron,
        });
        let gateway = Arc::clone(self);
        match &run {
            Ok(run) => {
                let payload = json!({
                    "action": "started", "jobId": job.id, "runAtMs": started, "runId": run.run_id,
                    "sessionKey": run.session_key,
                });
                self.events.publish(Event::new("cron", payload));
                let run = run.run_id.clone();
                tokio::spawn(async move {
                    let ended = gateway.runs.wait(&run, PATIENCE).await;
                    let noted =
                        tokio::task::spawn_blocking(move || gateway.note_end(&job.id, started, ended, None));
                    let _ = noted.await;
                });
            }
            Err(refusal) => self.note_end(&job.id, started, None, Some(refusal.message.clone())),
        }
        run
    }

    /// Notes how a run of a job went, and tells it.
    fn note_end(&self, job: &str, started: u64, run: Option<RunView>, refused: Option<String>) {
        let now = self.options.clock.now_ms();
        let error = refused.or_else(|| match &run {
            Some(run) if run.status == RunStatus::Done => None,
            Some(run) if run.status == RunStatus::Aborted => Some("the run was stopped".to_owned()),
            Some(run) if run.status == RunStatus::Failed => run.error.clone(),
            Some(_) => Some("the run takes longer than two hours".to_owned()),
            None => Some("the run is no longer known".to_owned()),
        });
        let store = Store::of(&self.live.engine());
        let next = store.change(|entries| {
            let mut next = None;
            entries.retain_mut(|entry| {
                let Some(found) = entry.job().filter(|found| found.id == job) else { return true };
                let goes = found.ended(started, now, error.clone());
                next = found.state.next_run_at_ms;
                !goes
            });
            next
        });
        let next = next.unwrap_or_else(|error| {
            tracing::warn!(job, error = describe_error(&error), "the end of an automation was not noted");
            None
        });
        let answer = run.as_ref().and_then(|run| run.report.as_ref()).map(|report| report.answer.as_str());
        let entry = RunEntry {
            ts: now,
            job_id: job.to_owned(),
            action: "finished".to_owned(),
            status: if error.is_none() { "ok" } else { "error" }.to_owned(),
            error,
            summary: answer.map(|answer| answer.chars().take(SUMMARY).collect()),
            session_id: run.as_ref().map(|run| run.session.clone()),
            session_key: run.as_ref().map(|run| run.session_key.clone()),
            run_id: run.map(|run| run.run_id),
            run_at_ms: started,
            duration_ms: now.saturating_sub(started),
            next_run_at_ms: next,
        };
        if let Err(error) = store.log(&entry) {
            tracing::warn!(job, error = describe_error(&error), "a run of an automation was not logged");
        }
        self.events.publish(Event::new("cron", json!(entry)));
    }
}

/// The jobs as they were when the file was last read.
#[derive(Debug, Default)]
struct Known {
    stamp: Option<Stamp>,
    jobs: Vec<CronJob>,
}

impl Known {
    /// Claims what is due.
    fn due(&mut self, gateway: &Gateway) -> Vec<CronJob> {
        let engine = gateway.live.engine();
        let store = Store::of(&engine);
        let due = self.claim(&store, gateway.options.clock.now_ms(), &zone(&engine));
        due.unwrap_or_else(|error| {
            tracing::warn!(error = describe_error(&error), "the automations cannot be read");
            Vec::new()
        })
    }

    fn claim(&mut self, store: &Store, now: u64, zone: &Zone) -> Result<Vec<CronJob>, CronError> {
        let stamp = prowess_fs::stamp(&store.file()).ok().flatten();
        if stamp.is_none() || stamp != self.stamp {
            self.jobs = store.jobs()?;
            self.stamp = stamp;
        }
        let looks = |job: &CronJob| job.clone().claim(now, zone) != Due::No { changed: false };
        if !self.jobs.iter().any(looks) {
            return Ok(Vec::new());
        }
        self.stamp = None;
        store.change(|entries| {
            let jobs = entries.iter_mut().filter_map(Entry::job);
            let due = jobs.filter_map(|job| (job.claim(now, zone) == Due::Now).then(|| job.clone()));
            due.collect()
        })
    }
}

fn unknown(id: &str) -> Refusal {
    Refusal::not_found(format!("there is no automation `{}`", id.escape_debug()))
}

#[cfg(test)]
#[path = "automations_tests.rs"]
mod tests;
