//! Applying a plan, after consent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_gate::Trust;
use prowess_install::{Existing, MergeReport, Placement};
use prowess_inventory::{TrustDecision, TrustDesk};
use prowess_match::AgentView;
use prowess_types::{InstallOption, Requirements};
use serde::Serialize;

use super::plan::{Action, InstallConsent, Plan};
use super::{Acquire, AcquireError};

/// What was done.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The skill's folder below the folder of skills.
    pub folder: String,
    /// Where it is.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// Whether a file was changed.
    pub is_changed: bool,
    /// Where the folder is kept that gave way.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "prowess_types::path_text::serialize_option"
    )]
    pub backup: Option<PathBuf>,
    /// What an update did to the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge: Option<MergeReport>,
    /// Whether an agent can use it now.
    pub readiness: Readiness,
    /// What did not go quite as it should.
    pub warnings: Vec<String>,
}

/// Whether an agent can use an installed skill.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Readiness {
    /// The name that agents know it by.
    pub name: String,
    /// Whether it can be used.
    pub is_ready: bool,
    /// Why not.
    pub reasons: Vec<String>,
    /// What it needs and this machine does not have.
    pub missing: Requirements,
    /// How that can be installed.
    pub install: Vec<InstallOption>,
}

impl Acquire<'_> {
    /// Applies a plan. The consent must cover its warnings.
    pub fn apply(&self, plan: &Plan, consent: InstallConsent) -> Result<Done, AcquireError> {
        check(plan, consent)?;
        let is_update = matches!(plan.action, Action::Update(_));
        let was_trusted = !is_update || is_trusted(&*self.look()?, &plan.path);
        let writer = self.writer()?;
        let known = writer.lock()?.skills.remove(&plan.folder);
        if known.as_ref().map(|entry| &entry.hash) != plan.before.as_ref().map(|entry| &entry.hash) {
            return Err(AcquireError::Changed { folder: plan.folder.to_string() });
        }
        self.target.ignore_what_is_local()?;
        let now = self.now();
        let mut placement = Placement::new(plan.folder.clone(), &plan.bundle, plan.provenance.clone(), now);
        placement.notes = self.notes(plan, now);
        placement.mirror = self.mirror_with(plan, now)?;
        let (placed, merge) = match plan.action {
            Action::Install => (writer.place(&placement, Existing::Refuse)?, None),
            Action::Replace => (writer.place(&placement, Existing::Replace)?, None),
            Action::Restore => (writer.place(&placement, Existing::Frozen)?, None),
            Action::Update(edits) => {
                let updated = writer.update(&placement, edits)?;
                (updated.placed, Some(updated.report))
            }
        };
        let leftover = placed.leftover.map(|error| prowess_text::describe_error(&error));
        drop(writer);
        let mut warnings: Vec<String> = leftover.into_iter().collect();
        let mut view = self.look()?;
        if was_trusted && !is_trusted(&view, &plan.path) {
            warnings.extend(self.give_trust(&view, &plan.path));
            view = self.look()?;
        }
        Ok(Done {
            folder: plan.folder.to_string(),
            readiness: readiness(&view, &plan.path),
            path: placed.path,
            is_changed: placed.is_changed,
            backup: placed.backup,
            merge,
            warnings,
        })
    }

    /// Reads the agent's skills anew: files were put there just now, or are about to be.
    pub(super) fn look(&self) -> Result<Arc<AgentView>, AcquireError> {
        Ok(AgentView::read(self.context, self.options.agent.as_deref())?)
    }

    /// Trusts an installed skill, although it lies in a clone: the consent to the install covers its use.
    /// Returns the reason if that could not be stored.
    fn give_trust(&self, view: &AgentView, path: &Path) -> Option<String> {
        let foreign = TrustDesk::of(self.context).foreign(view.inventory());
        let skill = foreign.into_iter().find(|skill| skill.folder == path)?;
        let given = TrustDesk::of(self.context).decide(&[&skill], TrustDecision::Trusted, None);
        given.err().map(|error| prowess_text::describe_error(&error))
    }
}

/// Returns the readiness of a folder: whether an agent can use the skill in a folder.
pub(super) fn readiness(view: &AgentView, path: &Path) -> Readiness {
    let inventory = view.inventory();
    if let Some(entry) = inventory.entries.iter().find(|entry| entry.origin.base == path).cloned() {
        let is_ready = entry.is_usable();
        let mut reasons = entry.verdict.reasons;
        if !is_ready && reasons.is_empty() {
            reasons.push("the agent's list of skills does not have it".to_owned());
        }
        return Readiness {
            name: entry.skill.name.clone(),
            is_ready,
            reasons,
            missing: entry.verdict.missing,
            install: entry.install,
        };
    }
    let lost = inventory.losses.iter().find(|loss| loss.path.starts_with(path)).cloned();
    let last = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match lost {
        Some(loss) => {
            Readiness { name: loss.name.unwrap_or(last), reasons: vec![loss.message], ..Readiness::default() }
        }
        None => Readiness {
            name: last,
            reasons: vec!["no agent here reads skills from its folder".to_owned()],
            ..Readiness::default()
        },
    }
}

/// Returns true if a folder did not come with a cloned repository, or the user trusts it.
fn is_trusted(view: &AgentView, path: &Path) -> bool {
    let foreign = view.inventory().foreign.iter().find(|skill| skill.folder == path);
    foreign.is_none_or(|skill| skill.trust == Trust::Given)
}

/// Fails if the plan must not be applied with any consent, or not with this one.
fn check(plan: &Plan, consent: InstallConsent) -> Result<(), AcquireError> {
    let (name, reasons) = (plan.name.clone(), plan.review.reasons.clone());
    match (plan.needs(), consent) {
        (None, _) => Err(AcquireError::Blocked { name, reasons }),
        (Some(InstallConsent::DespiteWarnings), InstallConsent::Given) => {
            Err(AcquireError::NotAgreed { name, reasons })
        }
        _ => Ok(()),
    }
}
