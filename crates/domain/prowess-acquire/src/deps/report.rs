//! Reports about the dependencies of a skill.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use prowess_install::deps::{InstallPlan, InstallResult, InstallStep, Obstacle};
use prowess_net::NetworkReach;
use prowess_types::{InstallOption, Requirements};
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::policy::PolicyDecision;
use crate::scan::Admission;

/// Whether a skill has what it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DependencyReadiness {
    /// It can run.
    pub eligible: bool,
    /// What is missing.
    pub missing: Requirements,
    /// Why it cannot run.
    pub reasons: Vec<String>,
    /// Programs that are missing on `PATH` and are somewhere else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<FoundElsewhere>,
}

/// A program that is not on `PATH`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FoundElsewhere {
    /// Its name.
    pub bin: String,
    /// Where it is.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
}

/// An option and what it would do.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DependencyOption {
    /// The option.
    #[serde(flatten)]
    pub option: InstallOption,
    /// Whether it is among those that are proposed for this machine.
    pub offered: bool,
    /// Whether it brings something that is missing.
    pub useful: bool,
    /// What it would do.
    #[schemars(with = "StepsOrObstacle")]
    #[serde(flatten, serialize_with = "steps_of")]
    pub steps: Result<InstallPlan, Obstacle>,
}

/// How [`DependencyOption::steps`] reads: the plan, or why there is none.
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "it only describes")]
struct StepsOrObstacle {
    steps: Vec<prowess_install::deps::InstallStep>,
    obstacle: Option<String>,
}

/// An option that somebody may agree to: what it would do, and what is known about its skill.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DependencyPlan {
    /// The option.
    #[serde(flatten)]
    pub option: InstallOption,
    /// What it would do.
    #[schemars(with = "StepsOrObstacle")]
    #[serde(flatten, serialize_with = "steps_of")]
    pub steps: Result<InstallPlan, Obstacle>,
    /// Whether the skill may install anything.
    pub admission: Admission,
    /// What to look at before agreeing.
    pub warnings: Vec<String>,
    /// Whether the operator's policy has agreed already.
    pub agreed_by_policy: bool,
    #[serde(skip)]
    pub(super) trust_objection: Option<String>,
}

fn steps_of<S: Serializer>(steps: &Result<InstallPlan, Obstacle>, serializer: S) -> Result<S::Ok, S::Error> {
    match steps {
        Ok(plan) => json!({ "steps": plan.steps() }),
        Err(obstacle) => json!({ "steps": [], "obstacle": obstacle.to_string() }),
    }
    .serialize(serializer)
}

impl DependencyPlan {
    /// Returns the reason it cannot be done, which no consent overrides; none if it can.
    pub fn objection(&self) -> Option<String> {
        let blocked = (self.admission.decision == PolicyDecision::Block).then(|| {
            let reasons = self.admission.warnings.join("; ");
            format!("Install blocked: {reasons}")
        });
        let obstacle = || self.steps.as_ref().err().map(ToString::to_string);
        self.trust_objection.clone().or(blocked).or_else(obstacle)
    }

    /// Returns the steps in their order; none if it cannot be done.
    pub fn steps(&self) -> &[InstallStep] {
        self.steps.as_ref().map(InstallPlan::steps).unwrap_or_default()
    }
}

/// The source of the consent to exactly the steps of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependencyConsent {
    /// The user, who has seen them or asked not to.
    User,
    /// The operator's policy.
    Policy,
}

/// Options of an installation.
#[derive(Clone, Debug, Default)]
pub struct InstallChoices {
    /// The time limit of each step; 300 seconds by default, 900 at most.
    pub timeout: Option<Duration>,
    /// True if downloads may come over http.
    pub allow_http: bool,
    /// The machines that downloads may come from.
    pub reach: NetworkReach,
    /// The cancellation flag.
    pub cancel: Arc<AtomicBool>,
}

/// How an install ended, and what the skill needs now.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Installation {
    /// The option.
    pub id: String,
    /// How it ended.
    #[serde(flatten)]
    pub result: InstallResult,
    /// Whether the skill has what it needs now.
    pub after: DependencyReadiness,
}
