//! The decisions and the record of a task.

use prowess_acquire::{InstallConsent, Plan, Supply};
use prowess_agent::RunReport;
use prowess_types::{InstallOption, OutcomeResult, Requirements};
use serde::Serialize;

use super::plan::TaskPlan;
use crate::cortex::learn::Learned;
use crate::cortex::offer::Offer;
use crate::cortex::perceive::Perceived;

/// A task that the installed skills cannot do.
#[derive(Clone, Copy, Debug)]
pub struct TaskRequest<'a> {
    /// The user's task.
    pub task: &'a str,
    /// Whose workspace it is done in; the default agent's if none is named.
    pub agent: Option<&'a str>,
    /// True if installed skills that fit are skipped.
    pub nothing_fits: bool,
    /// The registry, as named by the user for this one time.
    pub registry: Option<&'a str>,
    /// The access to the registry.
    pub supply: &'a Supply,
}

/// The decision about the install of a candidate that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallAdmission {
    /// It may be installed.
    Given(InstallConsent),
    /// The user does not want it.
    Declined,
    /// It needs a consent of its own, and there is no person to ask.
    Unasked,
}

/// Decides, and does what only a surface can do.
pub trait Desk {
    /// Returns true if a skill could be used after it was installed: there is a model or program that answers, in a
    /// workspace where it may. Asked before anything is chosen.
    fn is_ready(&mut self) -> bool;
    /// Returns true if there is a person to ask.
    fn is_present(&self) -> bool;
    /// Returns true if a consent is possible at all: there is a person to ask, or one was given beforehand.
    fn may_agree(&self) -> bool;
    /// Returns the candidate to use, if any: name, description, stars, downloads, source, verdict and
    /// history are there to be shown.
    fn choose(&mut self, seen: &Perceived, left: &[Offer]) -> Option<usize>;
    /// Returns true if the first of these may be installed and, where an install fails, the next one in this order.
    /// It covers none that has warnings.
    fn agree(&mut self, covered: &[Offer]) -> bool;
    /// Announces a reflex. `false` cancels it.
    fn announce(&mut self, notice: &str) -> bool;
    /// Shows the install, as planned, and returns the consent to it. It is asked for if there are warnings, or if no
    /// earlier yes covers it. Not called for a reflex without warnings.
    fn admit(&mut self, plan: &Plan, is_covered: bool) -> InstallAdmission;
    /// Returns true if the skill may do what the plan says.
    fn confirm(&mut self, plan: &TaskPlan) -> bool;
    /// Asks whether what is missing on this machine shall be installed, and does it. `true` when it is there now.
    fn provide(&mut self, skill: &str, missing: &Requirements, ways: &[InstallOption]) -> bool;
    /// Lets an agent do the task with a skill.
    fn execute(&mut self, skill: &str, message: &str) -> Result<RunReport, String>;
    /// Waits.
    fn wait(&mut self, ms: u64);
    /// Returns true if the first of these shall be tried after a candidate failed: installed, with what it would do. A
    /// yes covers the others where its install fails. It is one question, also where there are warnings.
    fn switch(&mut self, failed: &Attempt, covered: &[Offer], install: &Plan, plan: &TaskPlan) -> bool;
    /// Returns the answer to keeping a skill that proved itself; none if there is no person to ask.
    fn keep(&mut self, learned: &Learned) -> Option<bool>;
    /// Something the user should know.
    fn tell(&mut self, text: &str);
}

/// The result of one candidate.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// The skill.
    pub slug: String,
    /// Its version.
    pub version: Option<String>,
    /// True if it was installed.
    pub installed: bool,
    /// The result of its run; none if it was not run.
    pub result: Option<OutcomeResult>,
    /// The reason, in a line.
    pub reason: Option<String>,
    /// The name of the cause of a failure: the program, module, variable or service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// A remedy.
    pub remedy: Option<String>,
    /// True if it stays installed.
    pub kept: bool,
    /// The lesson from it.
    pub learned: Option<Learned>,
}

impl Attempt {
    pub(super) fn new(offer: &Offer) -> Self {
        Self {
            slug: offer.slug.clone(),
            version: offer.version.clone(),
            installed: false,
            result: None,
            reason: None,
            key: None,
            remedy: None,
            kept: false,
            learned: None,
        }
    }

    /// Returns true if the user did not want it, or not what it would do.
    pub(super) fn is_declined(&self) -> bool {
        self.reason.is_none() && self.result.is_none()
    }
}

/// The reason that a task came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum TaskEnd {
    /// It was done.
    Done,
    /// An installed skill fits, or no other was found.
    NothingToTry,
    /// No model or program could have answered.
    NotReady,
    /// The user did not want it, or not any further.
    Declined,
    /// Every candidate was tried.
    NoCandidateLeft,
    /// Two switches to another candidate are all that a task gets.
    TooManySwitches,
}

/// The result of a task.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskReport {
    /// The candidates for it.
    pub seen: Perceived,
    /// The candidates that were tried.
    pub attempts: Vec<Attempt>,
    /// The answer, if the task was done.
    pub answer: Option<String>,
    /// The number of switches to another candidate; at most two.
    pub switches: usize,
    /// The reason that it ended.
    pub ended: TaskEnd,
}

impl TaskReport {
    pub(super) fn new(seen: Perceived) -> Self {
        Self { seen, attempts: Vec::new(), answer: None, switches: 0, ended: TaskEnd::NothingToTry }
    }

    /// Returns true if the task was done.
    pub fn is_done(&self) -> bool {
        self.attempts.last().is_some_and(|attempt| attempt.result == Some(OutcomeResult::Success))
    }
}
