//! Doing a task with a skill that is not there yet: install, show the plan, run, recover, learn, clean up.
//!
//! A [`Desk`] decides: nothing is installed, run or kept without its consent. Only what this task installed
//! is ever uninstalled.

mod plan;

use prowess_acquire::{Acquire, AcquireOptions, Done, InstallConsent, InstallOptions, Plan, Supply};
use prowess_agent::RunReport;
use prowess_cortex::{EventKind, OutcomeEvent, Recovery, Switch, Switches, recovery};
use prowess_match::AgentView;
use prowess_text::describe_error;
use prowess_types::{InstallOption, OutcomeResult, Requirements};
use serde::Serialize;

use super::learn::{Experience, Learned};
use super::offer::Offer;
use super::perceive::{PerceiveRequest, Perceived, Validation};
use super::{Cortex, CortexError};
pub(super) use plan::effect_words;
pub use plan::{SkillEffect, TaskPlan};
use plan::{side_effects, task_plan};

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

/// Decides, and does what only a surface can do.
pub trait Desk {
    /// Returns the candidate to use, if any: name, description, stars, downloads, source, verdict and
    /// history are there to be shown.
    fn choose(&mut self, seen: &Perceived, left: &[Offer]) -> Option<usize>;
    /// Announces a reflex. `false` cancels it.
    fn announce(&mut self, notice: &str) -> bool;
    /// Returns the consent to the install, as planned. Not asked for a reflex without warnings.
    fn admit(&mut self, plan: &Plan) -> Option<InstallConsent>;
    /// Returns true if the skill may do what the plan says.
    fn confirm(&mut self, plan: &TaskPlan) -> bool;
    /// Asks whether what is missing on this machine shall be installed, and does it. `true` when it is there now.
    fn provide(&mut self, skill: &str, missing: &Requirements, ways: &[InstallOption]) -> bool;
    /// Lets an agent do the task with a skill.
    fn execute(&mut self, skill: &str, message: &str) -> Result<RunReport, String>;
    /// Waits.
    fn wait(&mut self, ms: u64);
    /// Returns true if the next candidate shall be tried after one failed.
    fn switch(&mut self, failed: &Attempt, next: &Offer) -> bool;
    /// Returns true if a skill that proved itself shall stay installed.
    fn keep(&mut self, learned: &Learned) -> bool;
    /// Something the user should know.
    fn tell(&mut self, text: &str);
}

/// What came of one candidate.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// The skill.
    pub slug: String,
    /// Its version.
    pub version: Option<String>,
    /// Whether it was installed.
    pub installed: bool,
    /// How it went; none if it was not run.
    pub result: Option<OutcomeResult>,
    /// Why, in a line.
    pub reason: Option<String>,
    /// What can be done about it.
    pub remedy: Option<String>,
    /// Whether it is installed still.
    pub kept: bool,
    /// What was learned.
    pub learned: Option<Learned>,
}

/// What came of a task.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskReport {
    /// Who could do it.
    pub seen: Perceived,
    /// Who tried.
    pub attempts: Vec<Attempt>,
    /// The answer, if the task was done.
    pub answer: Option<String>,
}

impl TaskReport {
    /// Returns true if the task was done.
    pub fn is_done(&self) -> bool {
        self.attempts.last().is_some_and(|attempt| attempt.result == Some(OutcomeResult::Success))
    }
}

impl Cortex<'_> {
    /// Does a task that the installed skills cannot do.
    pub fn run(&mut self, request: TaskRequest<'_>, desk: &mut dyn Desk) -> Result<TaskReport, CortexError> {
        let TaskRequest { task, agent, nothing_fits, supply, .. } = request;
        let view = AgentView::read(self.context, agent)?;
        let seen =
            self.perceive(PerceiveRequest { task, view: &view, nothing_fits, supply: Some(supply) })?;
        for notice in &seen.notices {
            desk.tell(notice);
        }
        let mut report = TaskReport { seen, attempts: Vec::new(), answer: None };
        let mut left = report.seen.candidates.clone();
        let mut switches = Switches::default();
        let mut is_first = true;
        while !left.is_empty() {
            let Some((offer, is_reflex)) = self.agree(&report.seen, &mut left, is_first, desk)? else {
                break;
            };
            is_first = false;
            let mut attempt = Attempt {
                slug: offer.slug.clone(),
                version: offer.version.clone(),
                installed: false,
                result: None,
                reason: None,
                remedy: None,
                kept: false,
                learned: None,
            };
            report.answer = self.attempt(request, &report.seen, &offer, is_reflex, &mut attempt, desk)?;
            let is_declined = !attempt.installed && attempt.reason.is_none();
            let is_over = attempt.result == Some(OutcomeResult::Success) || is_declined || attempt.kept;
            let switch = match (is_over, attempt.installed, attempt.result) {
                (true, _, _) | (false, true, None) => Switch::Report,
                (false, false, _) => switches.after_install_failure(left.len()),
                (false, true, Some(_)) => switches.after_execution_failure(left.len()),
            };
            report.attempts.push(attempt);
            let goes_on = match (switch, report.attempts.last(), left.first()) {
                (Switch::Next, Some(failed), Some(next)) => {
                    let reason = failed.reason.as_deref().unwrap_or_default();
                    desk.tell(&format!(
                        "`{}` cannot be installed ({reason}); trying `{}`",
                        failed.slug, next.slug
                    ));
                    true
                }
                (Switch::Ask, Some(failed), Some(next)) => desk.switch(failed, next),
                _ => false,
            };
            if !goes_on {
                break;
            }
        }
        Ok(report)
    }

    /// Settles which candidate is used: the first by reflex, or one that the user chose.
    fn agree(
        &mut self,
        seen: &Perceived,
        left: &mut Vec<Offer>,
        is_first: bool,
        desk: &mut dyn Desk,
    ) -> Result<Option<(Offer, bool)>, CortexError> {
        if is_first && let Validation::Reflex { notice } = self.validate(seen, &left[0])? {
            let offer = left.remove(0);
            let region = seen.region.as_ref().map(|region| region.region.clone()).unwrap_or_default();
            let slug = offer.slug.clone();
            if desk.announce(&notice) {
                self.note(EventKind::ReflexFired { region, slug })?;
                return Ok(Some((offer, true)));
            }
            self.note(EventKind::ReflexCancelled { region, slug })?;
            return Ok(None);
        }
        Ok(desk
            .choose(seen, left)
            .filter(|place| *place < left.len())
            .map(|place| (left.remove(place), false)))
    }

    /// Installs a candidate, lets it do the task, learns from it and cleans up. The answer, if there is one.
    fn attempt(
        &mut self,
        request: TaskRequest<'_>,
        seen: &Perceived,
        offer: &Offer,
        is_reflex: bool,
        attempt: &mut Attempt,
        desk: &mut dyn Desk,
    ) -> Result<Option<String>, CortexError> {
        let context = self.context;
        let options = AcquireOptions {
            agent: request.agent.map(str::to_owned),
            registry: request.registry.map(str::to_owned),
            ..AcquireOptions::new(self.clock.clone())
        };
        let installed = Acquire::open(context, options)
            .and_then(|shop| install(&shop, offer, is_reflex, desk).map(|installed| (shop, installed)));
        let (shop, plan, done) = match installed {
            Ok((shop, Some((plan, done)))) => (shop, plan, done),
            Ok((_, None)) => return Ok(None),
            Err(error) => {
                attempt.reason = Some(describe_error(&error));
                attempt.remedy = Some("look at the reason; another candidate may do".to_owned());
                self.note(EventKind::InstallFailed { slug: offer.slug.clone() })?;
                return Ok(None);
            }
        };
        attempt.installed = true;
        let version = plan.provenance.version.clone().or_else(|| offer.version.clone());
        attempt.version.clone_from(&version);
        self.note(EventKind::Installed {
            slug: offer.slug.clone(),
            version: version.clone().unwrap_or_default(),
        })?;
        let ran = self.use_it(request.task, seen, offer, &plan, &done, is_reflex, desk)?;
        let mut answer = None;
        if let Some(ran) = ran {
            attempt.result = Some(ran.result);
            attempt.reason.clone_from(&ran.reason);
            attempt.remedy = remedy(ran.result, &done);
            answer = ran.answer.clone().filter(|_| ran.result == OutcomeResult::Success);
            let learned = self.record(&ran.experience(request.task, seen, offer, version, &plan, &done))?;
            attempt.kept = learned.offers_retention && desk.keep(&learned);
            if learned.offers_retention {
                self.retain(&learned.region, &learned.slug, attempt.kept)?;
            }
            attempt.learned = Some(learned);
        }
        if !attempt.kept {
            clean_up(&shop, &done, desk);
        }
        Ok(answer)
    }

    /// Shows what a skill will do, provides what it lacks, and lets it work. None if the user does not want it.
    #[expect(clippy::too_many_arguments, reason = "everything that is known by now")]
    fn use_it(
        &mut self,
        task: &str,
        seen: &Perceived,
        offer: &Offer,
        plan: &Plan,
        done: &Done,
        is_reflex: bool,
        desk: &mut dyn Desk,
    ) -> Result<Option<Ran>, CortexError> {
        let state = self.state()?;
        let region = seen.region.as_ref().map(|region| region.region.as_str()).unwrap_or_default();
        let shown = task_plan(&state, region, &offer.slug, plan, done);
        if !is_reflex && !desk.confirm(&shown) {
            return Ok(None);
        }
        let skill = done.readiness.name.clone();
        let mut is_provided = false;
        if !done.readiness.is_ready {
            let key = first_missing(&done.readiness.missing);
            if !desk.provide(&skill, &done.readiness.missing, &done.readiness.install) {
                let reason = done.readiness.reasons.join("; ");
                return Ok(Some(Ran::failed(lacking(&done.readiness.missing), reason, key)));
            }
            is_provided = true;
        }
        let mut ran = execute(desk, &skill, task);
        match recovery(ran.result) {
            Some(Recovery::WaitAndRetryOnce { wait_ms }) => {
                desk.wait(wait_ms);
                ran = execute(desk, &skill, task).after(&ran);
            }
            Some(Recovery::AskToInstall)
                if !is_provided && desk.provide(&skill, &done.readiness.missing, &done.readiness.install) =>
            {
                ran = execute(desk, &skill, task).after(&ran);
            }
            _ => {}
        }
        Ok(Some(ran))
    }
}

/// The end of a run.
struct Ran {
    result: OutcomeResult,
    reason: Option<String>,
    key: Option<String>,
    answer: Option<String>,
    session: Option<String>,
    /// The side effects of the run.
    effects: Vec<String>,
}

impl Ran {
    fn failed(result: OutcomeResult, reason: String, key: Option<String>) -> Self {
        Self { result, reason: Some(reason), key, answer: None, session: None, effects: Vec::new() }
    }

    /// Adds the side effects of the run before.
    fn after(mut self, before: &Self) -> Self {
        self.effects.extend(before.effects.iter().cloned());
        self
    }

    /// Returns the experience to learn from.
    fn experience(
        &self,
        task: &str,
        seen: &Perceived,
        offer: &Offer,
        version: Option<String>,
        plan: &Plan,
        done: &Done,
    ) -> Experience {
        let mut outcome = OutcomeEvent::new("", &offer.slug, &version.unwrap_or_default(), self.result);
        offer.source.word().clone_into(&mut outcome.source);
        outcome.side_effects = Some(side_effects(plan));
        outcome.observed = effect_words(&self.effects);
        outcome.key.clone_from(&self.key);
        outcome.detail.clone_from(&self.reason);
        let text = plan.skill_text();
        outcome.skill_md_chars = text.map(|text| text.chars().count() as u64);
        outcome.skill_md_bytes = text.map(|text| text.len() as u64);
        outcome.env_missing.clone_from(&done.readiness.missing.env);
        Experience {
            task: Some(task.to_owned()),
            region: seen.region.as_ref().map(|region| region.region.clone()),
            outcome,
            session: self.session.clone(),
            snapshot: None,
        }
    }
}

fn execute(desk: &mut dyn Desk, skill: &str, task: &str) -> Ran {
    let message = format!("${skill} {task}");
    match desk.execute(skill, &message) {
        Ok(report) => Ran {
            // There is no sign that it went wrong.
            result: match report.outcome.result {
                OutcomeResult::Unknown if report.error.is_none() && !report.stopped => OutcomeResult::Success,
                result => result,
            },
            reason: report.outcome.detail.clone().or_else(|| report.error.clone()),
            key: None,
            answer: Some(report.answer),
            session: Some(report.session),
            effects: report.effects,
        },
        Err(reason) => Ran::failed(OutcomeResult::Unknown, reason, None),
    }
}

/// Gets a candidate and asks whether it may be installed. None if not.
fn install(
    shop: &Acquire<'_>,
    offer: &Offer,
    is_reflex: bool,
    desk: &mut dyn Desk,
) -> Result<Option<(Plan, Done)>, prowess_acquire::AcquireError> {
    let version = offer.version.as_deref().filter(|_| offer.reviewed);
    let reference = shop.reference(&offer.reference, version)?;
    let plan = shop.plan_install(&reference, &InstallOptions::default(), &mut |_, _| {})?;
    let is_announced = is_reflex && plan.needs() == Some(InstallConsent::Given);
    let consent = if is_announced { Some(InstallConsent::Given) } else { desk.admit(&plan) };
    let Some(consent) = consent else { return Ok(None) };
    let done = shop.apply(&plan, consent)?;
    Ok(Some((plan, done)))
}

/// Takes away what this task installed.
fn clean_up(shop: &Acquire<'_>, done: &Done, desk: &mut dyn Desk) {
    let removed = shop.plan_uninstall(&done.folder).and_then(|plan| shop.uninstall(&plan));
    if let Err(error) = removed {
        desk.tell(&format!("`{}` is still installed: {}", done.folder, describe_error(&error)));
    }
}

fn first_missing(missing: &Requirements) -> Option<String> {
    [&missing.bins, &missing.any_bins, &missing.env, &missing.config].into_iter().flatten().next().cloned()
}

/// The failure that a lack amounts to.
fn lacking(missing: &Requirements) -> OutcomeResult {
    if missing.bins.is_empty() && missing.any_bins.is_empty() && !missing.env.is_empty() {
        OutcomeResult::AuthError
    } else {
        OutcomeResult::DependencyMissing
    }
}

/// Returns a remedy for a failure.
fn remedy(result: OutcomeResult, done: &Done) -> Option<String> {
    let name = &done.readiness.name;
    Some(match result {
        OutcomeResult::Success => return None,
        OutcomeResult::DependencyMissing => format!("install what it needs: `prowess deps {name}`"),
        OutcomeResult::AuthError => format!("check its key: `prowess secret set {name}`"),
        OutcomeResult::ApiError => "the service failed twice; try again later".to_owned(),
        OutcomeResult::TaskMismatch => "it is made for something else; try another candidate".to_owned(),
        OutcomeResult::RuntimeError => "see the trace: `prowess sessions show last`".to_owned(),
        OutcomeResult::Unknown => "see the trace, and say how it went: `prowess cortex record`".to_owned(),
    })
}
