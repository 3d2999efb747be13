//! The fixed answers of the four phases: what to do after a failure, when to stop switching, how to mark a plan.

use std::fmt;

use prowess_types::OutcomeResult;
use serde::Serialize;

use crate::CortexCandidate;
use crate::constants::{API_RETRY_MS, MAX_SWITCHES};

/// What to do after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Recovery {
    /// Show what has to be installed; go on only after a yes that is about exactly that.
    AskToInstall,
    /// Wait, then try once more. What comes out then is the outcome.
    WaitAndRetryOnce {
        /// The delay, in milliseconds.
        wait_ms: u64,
    },
    /// Ask the user to check the credentials; do not retry.
    AskForCredentials,
    /// Uninstall what this task installed, and offer the next candidate.
    OfferNext,
}

/// What to do after a failure; nothing after a success or when nobody knows.
pub fn recovery(result: OutcomeResult) -> Option<Recovery> {
    match result {
        OutcomeResult::DependencyMissing => Some(Recovery::AskToInstall),
        OutcomeResult::ApiError => Some(Recovery::WaitAndRetryOnce { wait_ms: API_RETRY_MS }),
        OutcomeResult::AuthError => Some(Recovery::AskForCredentials),
        OutcomeResult::TaskMismatch | OutcomeResult::RuntimeError => Some(Recovery::OfferNext),
        OutcomeResult::Success | OutcomeResult::Unknown => None,
    }
}

/// Counts the switches to the next candidate within one task: two, then it ends with a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches(usize);

/// What to do when a candidate did not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// Take the next candidate at once.
    Next,
    /// Ask, then take the next candidate.
    Ask,
    /// Stop and tell what was tried, what failed and what would help.
    Report,
}

impl Switches {
    /// A candidate could not be installed: the next one is taken without a question.
    pub fn after_install_failure(&mut self, candidates_left: usize) -> Switch {
        self.switch(candidates_left, Switch::Next)
    }

    /// A candidate failed at the task: the next one needs consent.
    pub fn after_execution_failure(&mut self, candidates_left: usize) -> Switch {
        self.switch(candidates_left, Switch::Ask)
    }

    /// The number of switches so far.
    pub fn count(self) -> usize {
        self.0
    }

    fn switch(&mut self, candidates_left: usize, allowed: Switch) -> Switch {
        if self.0 >= MAX_SWITCHES || candidates_left == 0 {
            return Switch::Report;
        }
        self.0 += 1;
        allowed
    }
}

/// How much a side effect matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideEffectMark {
    /// Only reads.
    ReadOnly,
    /// Changes something.
    Write,
    /// Takes something away.
    Destructive,
    /// Sees credentials.
    Credentials,
    /// Runs commands.
    Shell,
}

/// The mark of a side effect (`verb:target`). What nobody knows counts as a command.
///
/// ```
/// use prowess_cortex::mark;
///
/// assert_eq!(mark("read:env:TODOIST_API_KEY").to_string(), "🔑");
/// assert_eq!(mark("delete:file").to_string(), "🔴");
/// assert_eq!(mark("write:file").to_string(), "🟡");
/// assert_eq!(mark("shell:git").to_string(), "⚙️");
/// assert_eq!(mark("network:api.todoist.com").to_string(), "🟢");
/// ```
pub fn mark(side_effect: &str) -> SideEffectMark {
    match side_effect.split_once(':') {
        Some(("read", target)) if target.starts_with("env:") || target.starts_with("secret") => {
            SideEffectMark::Credentials
        }
        Some(("read" | "network", _)) => SideEffectMark::ReadOnly,
        Some(("write", _)) => SideEffectMark::Write,
        Some(("delete", _)) => SideEffectMark::Destructive,
        _ => SideEffectMark::Shell,
    }
}

impl fmt::Display for SideEffectMark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ReadOnly => "🟢",
            Self::Write => "🟡",
            Self::Destructive => "🔴",
            Self::Credentials => "🔑",
            Self::Shell => "⚙️",
        })
    }
}

impl CortexCandidate {
    /// The lines that announce a fast path. Nothing is skipped but the confirmation of the plan.
    pub fn notice(&self, task: &str) -> String {
        let percent = self.success_percent().unwrap_or_default();
        format!(
            "⚡ Skill Cortex reflex: {} v{} ({percent}% success rate)\n   Task: {task} (read-only) | Will install and \
             execute. Say cancel to abort.",
            self.slug, self.version,
        )
    }
}
