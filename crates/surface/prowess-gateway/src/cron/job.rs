//! An automation: what is done, for whom, when, and how it went.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::schedule::{Schedule, ScheduleError, Zone};

/// A run that was missed by more than this is not made up for: a day.
const MAX_LATE_MS: u64 = 24 * 60 * 60 * 1000;
/// A job that is marked as running for longer than this was cut off: two hours.
const MAX_RUNNING_MS: u64 = 2 * 60 * 60 * 1000;

/// An automation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CronJob {
    /// Its id.
    pub(crate) id: String,
    /// The agent; the default one if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agent_id: Option<String>,
    /// Its name for people.
    #[serde(default)]
    pub(crate) name: String,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    /// True if it runs.
    #[serde(default = "yes")]
    pub(crate) enabled: bool,
    /// True if a job that runs once goes after it went well; otherwise it is switched off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) delete_after_run: Option<bool>,
    /// When it was made, in milliseconds since 1970.
    #[serde(default)]
    pub(crate) created_at_ms: u64,
    /// The time of the last change.
    #[serde(default)]
    pub(crate) updated_at_ms: u64,
    /// When it runs.
    pub(crate) schedule: Schedule,
    /// The session that the message goes to.
    #[serde(default)]
    pub(crate) session_target: SessionTarget,
    /// When the agent wakes; here always at once.
    #[serde(default = "now")]
    pub(crate) wake_mode: String,
    /// The text for the agent.
    pub(crate) payload: Payload,
    /// How it went so far.
    #[serde(default)]
    pub(crate) state: JobState,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

fn yes() -> bool {
    true
}

fn now() -> String {
    "now".to_owned()
}

/// Which session a message goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SessionTarget {
    /// The agent's main session.
    Main,
    /// A session of its own, new every time.
    #[default]
    Isolated,
}

/// The text for the agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Payload {
    /// A message.
    AgentTurn {
        /// What the agent shall do.
        message: String,
        /// Who answers, as `provider/model`; the configured model if not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// Fields that other programs wrote here.
        #[serde(flatten)]
        extra: Map<String, Value>,
    },
    /// Something that happened.
    SystemEvent {
        /// What happened; the agent gets it as a message.
        text: String,
        /// Fields that other programs wrote here.
        #[serde(flatten)]
        extra: Map<String, Value>,
    },
}

impl Payload {
    /// The message for the agent.
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::AgentTurn { message, .. } => message,
            Self::SystemEvent { text, .. } => text,
        }
    }

    pub(crate) fn model(&self) -> Option<&str> {
        match self {
            Self::AgentTurn { model, .. } => model.as_deref(),
            Self::SystemEvent { .. } => None,
        }
    }
}

/// The result of an automation so far. Moments are milliseconds since 1970.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JobState {
    /// When it is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next_run_at_ms: Option<u64>,
    /// Since when it runs; none if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) running_at_ms: Option<u64>,
    /// When it ran last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_run_at_ms: Option<u64>,
    /// How that went: `ok`, `error` or `skipped`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_status: Option<String>,
    /// The reason why it went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_error: Option<String>,
    /// Its duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_duration_ms: Option<u64>,
    /// The number of times in a row that it went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) consecutive_errors: Option<u64>,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

/// What a look at the clock comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// It runs now.
    Now,
    /// Not now. Whether its state changed.
    No { changed: bool },
}

impl CronJob {
    /// Sets when it is due next, after now.
    pub(crate) fn plan(&mut self, now: u64, zone: &Zone) -> Result<(), ScheduleError> {
        let next = self.schedule.next(self.created_at_ms, now, zone)?;
        self.state.next_run_at_ms = next.filter(|_| self.enabled);
        Ok(())
    }

    /// Looks at the clock, and claims the job if it is due: the next look sees a later moment.
    ///
    /// A run that was missed, because no gateway ran, is made up for once within a day, and left out after that. A
    /// run that would begin while the last one goes on is left out.
    pub(crate) fn claim(&mut self, now: u64, zone: &Zone) -> Due {
        if !self.enabled {
            return Due::No { changed: false };
        }
        let Some(due) = self.state.next_run_at_ms else {
            let is_over = self.schedule.is_once() && self.state.last_run_at_ms.is_some();
            let planned = !is_over && self.plan(now, zone).is_ok() && self.state.next_run_at_ms.is_some();
            return Due::No { changed: planned };
        };
        if due > now {
            return Due::No { changed: false };
        }
        if let Err(error) = self.plan(now, zone) {
            self.enabled = false;
            self.state.next_run_at_ms = None;
            self.skipped(error.to_string());
        } else if self.is_running(now) {
            self.skipped("the previous run is still active".to_owned());
        } else if now - due > MAX_LATE_MS {
            self.skipped("no gateway ran at that time, nor on the day after".to_owned());
            self.enabled = !self.schedule.is_once();
        } else {
            self.state.running_at_ms = Some(now);
            return Due::Now;
        }
        Due::No { changed: true }
    }

    pub(crate) fn is_running(&self, now: u64) -> bool {
        self.state.running_at_ms.is_some_and(|since| now.saturating_sub(since) < MAX_RUNNING_MS)
    }

    fn skipped(&mut self, why: String) {
        self.state.last_status = Some("skipped".to_owned());
        self.state.last_error = Some(why);
    }

    /// Notes how a run went. Says whether the job goes now.
    pub(crate) fn ended(&mut self, started: u64, now: u64, error: Option<String>) -> bool {
        let is_fine = error.is_none();
        let state = &mut self.state;
        state.running_at_ms = None;
        state.last_run_at_ms = Some(started);
        state.last_duration_ms = Some(now.saturating_sub(started));
        state.last_status = Some(if is_fine { "ok" } else { "error" }.to_owned());
        state.consecutive_errors =
            (!is_fine).then(|| state.consecutive_errors.unwrap_or_default().saturating_add(1));
        state.last_error = error;
        if self.schedule.is_once() {
            self.enabled = false;
            self.state.next_run_at_ms = None;
        }
        self.schedule.is_once() && is_fine && self.delete_after_run == Some(true)
    }
}

#[cfg(test)]
#[path = "job_tests.rs"]
mod tests;
