//! Doing a task with a skill that is not there yet: install, show the plan, run, recover, learn, clean up.
//!
//! A [`Desk`] decides: nothing is installed, run or kept without its consent. Only what this task installed
//! is ever uninstalled, and a note of it is written before the install.

mod attempt;
mod desk;
mod plan;
mod reflex;
mod remedy;

use prowess_acquire::{Acquire, AcquireError, AcquireOptions, InstallOptions, Plan};
use prowess_context::Clock;
use prowess_cortex::constants::MAX_SWITCHES;
use prowess_cortex::{EventKind, OutcomeEvent, Switch, Switches};
use prowess_match::AgentView;
use prowess_text::describe_error;
use prowess_types::OutcomeResult;

use super::learn::Experience;
use super::offer::Offer;
use super::perceive::{PerceiveRequest, Perceived, Validation};
use super::{Cortex, CortexError};
pub(crate) use attempt::Variables;
pub use desk::{Attempt, Desk, InstallAdmission, TaskEnd, TaskReport, TaskRequest};
pub(super) use plan::effect_words;
pub use plan::{SkillEffect, TaskPlan};
use plan::{side_effects, task_plan};

/// Free space that an install needs beside the skill itself.
const SPARE_ROOM: u64 = 8 * 1024 * 1024;

/// The consent under which a candidate is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TaskConsent {
    /// Its reflex was announced and not cancelled.
    Announced,
    /// A yes covers its install.
    Install,
    /// A yes covers its install and its plan, which were shown.
    Plan,
}

/// A candidate that is tried next.
struct Turn {
    offer: Offer,
    consent: TaskConsent,
    /// Its files, where they were looked at before.
    plan: Option<Plan>,
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
        let mut report = TaskReport::new(seen);
        let mut left = report.seen.candidates.clone();
        if left.is_empty() {
            return Ok(report);
        }
        // A run that could not begin is found out before the install.
        if desk.may_agree() {
            if !desk.is_ready() {
                return Ok(TaskReport { ended: TaskEnd::NotReady, ..report });
            }
            self.check_room(agent, 0)?;
        }
        let mut switches = Switches::default();
        let mut turn = self.agree(&report.seen, &mut left, desk)?;
        report.ended = TaskEnd::Declined;
        while let Some(next) = turn.take() {
            let consent = next.consent;
            let mut attempt = Attempt::new(&next.offer);
            report.answer = self.attempt(request, &report.seen, next, &mut attempt, desk)?;
            let is_declined = attempt.is_declined();
            let is_done = attempt.result == Some(OutcomeResult::Success);
            let switch = match (is_done || is_declined || attempt.kept, attempt.installed) {
                (true, _) => Switch::Report,
                (false, false) => switches.after_install_failure(left.len()),
                (false, true) => switches.after_execution_failure(left.len()),
            };
            report.attempts.push(attempt);
            report.ended = match (is_done, is_declined, left.is_empty()) {
                (true, _, _) => TaskEnd::Done,
                (_, true, _) => TaskEnd::Declined,
                (_, _, true) => TaskEnd::NoCandidateLeft,
                _ => TaskEnd::TooManySwitches,
            };
            turn = match switch {
                Switch::Report => None,
                Switch::Next => self.next_by_itself(&report, &mut left, consent, desk),
                Switch::Ask => self.next_by_consent(request, &mut report, &mut left, &mut switches, desk)?,
            };
            if switch != Switch::Report && turn.is_none() && report.ended != TaskEnd::NoCandidateLeft {
                report.ended = TaskEnd::Declined;
            }
        }
        report.switches = switches.count();
        if report.switches == MAX_SWITCHES && !report.is_done() && report.ended != TaskEnd::Declined {
            report.ended = TaskEnd::TooManySwitches;
        }
        Ok(report)
    }

    /// Settles which candidate is used: the first by reflex, or one that the user chose and agreed to.
    fn agree(
        &mut self,
        seen: &Perceived,
        left: &mut Vec<Offer>,
        desk: &mut dyn Desk,
    ) -> Result<Option<Turn>, CortexError> {
        let Some(first) = left.first() else { return Ok(None) };
        if let Validation::Reflex { notice } = self.validate(seen, first)? {
            let offer = left.remove(0);
            if desk.announce(&notice) {
                return Ok(Some(Turn { offer, consent: TaskConsent::Announced, plan: None }));
            }
            let region = seen.region.as_ref().map(|region| region.region.clone()).unwrap_or_default();
            self.note(EventKind::ReflexCancelled { region, slug: offer.slug })?;
            return Ok(None);
        }
        Ok(choose(seen, left, MAX_SWITCHES, desk))
    }

    /// The next candidate after a failed install: the first yes covers it. The announcement of a reflex covers nothing
    /// else, so then the user chooses.
    #[expect(clippy::unused_self, reason = "one of the ways to go on")]
    fn next_by_itself(
        &self,
        report: &TaskReport,
        left: &mut Vec<Offer>,
        consent: TaskConsent,
        desk: &mut dyn Desk,
    ) -> Option<Turn> {
        let failed = report.attempts.last()?;
        let reason = failed.reason.as_deref().unwrap_or_default();
        if consent == TaskConsent::Announced {
            desk.tell(&format!("`{}` is not used ({reason})", failed.slug));
            return choose(&report.seen, left, MAX_SWITCHES - 1, desk);
        }
        let next = left.first()?;
        desk.tell(&format!("`{}` cannot be installed ({reason}); trying `{}`", failed.slug, next.slug));
        Some(Turn { offer: left.remove(0), consent: TaskConsent::Install, plan: None })
    }

    /// The next candidate after a failed run, with one question that covers its install and its plan. A candidate that
    /// cannot even be fetched is noted and passed over, which is a switch as well.
    fn next_by_consent(
        &mut self,
        request: TaskRequest<'_>,
        report: &mut TaskReport,
        left: &mut Vec<Offer>,
        switches: &mut Switches,
        desk: &mut dyn Desk,
    ) -> Result<Option<Turn>, CortexError> {
        let Some(failed) = report.attempts.last().cloned() else { return Ok(None) };
        while desk.is_present() && !left.is_empty() {
            let offer = left.remove(0);
            let shop = Acquire::open(self.context, shop_options(request, self.clock.now_ms()));
            let fetched = shop.and_then(|shop| fetch(&shop, &offer));
            match fetched.map_err(|error| describe_error(&error)).and_then(admissible) {
                Ok(plan) => {
                    let state = self.state()?;
                    let region = region_of(&report.seen);
                    let shown =
                        task_plan(&state, &region, &offer.slug, &plan, &|name| self.has_program(name));
                    let covered = [std::slice::from_ref(&offer), &left[..]].concat();
                    let covered = &covered[..covered.len().min(1 + MAX_SWITCHES - switches.count())];
                    if !desk.switch(&failed, covered, &plan, &shown) {
                        return Ok(None);
                    }
                    return Ok(Some(Turn { offer, consent: TaskConsent::Plan, plan: Some(plan) }));
                }
                Err(reason) => {
                    let mut attempt = Attempt::new(&offer);
                    self.install_failed(&mut attempt, reason)?;
                    report.attempts.push(attempt);
                    if switches.after_install_failure(left.len()) == Switch::Report {
                        if left.is_empty() {
                            report.ended = TaskEnd::NoCandidateLeft;
                        }
                        return Ok(None);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns true if a program is on this machine, where the gate looks for it.
    fn has_program(&self, name: &str) -> bool {
        let rule = self.context.profile().gate.bins;
        prowess_fs::find_in_path(name, &self.context.program_path(), rule)
    }

    /// Fails if there is too little space for an install of this size in bytes.
    fn check_room(&self, agent: Option<&str>, bytes: u64) -> Result<(), CortexError> {
        let workspace = self.context.workspace(agent)?;
        // The files come twice: once as they are, once as the base of later updates.
        let needed = bytes.saturating_mul(2).saturating_add(SPARE_ROOM);
        for folder in [&workspace, &self.context.places().state] {
            let there = folder.ancestors().find(|path| prowess_fs::is_taken(path));
            if let Some(room) = there.and_then(prowess_fs::room)
                && (room.bytes < needed || !room.has_names)
            {
                return Err(CortexError::Room { path: folder.clone(), bytes: room.bytes });
            }
        }
        Ok(())
    }
}

/// The desk where skills are installed, at a time that names the install.
fn shop_options(request: TaskRequest<'_>, now_ms: u64) -> AcquireOptions {
    AcquireOptions {
        agent: request.agent.map(str::to_owned),
        registry: request.registry.map(str::to_owned),
        ..AcquireOptions::new(Clock::new(move || now_ms))
    }
}

/// The user's choice, and the yes that covers it and the candidates after it.
fn choose(seen: &Perceived, left: &mut Vec<Offer>, switches: usize, desk: &mut dyn Desk) -> Option<Turn> {
    let place = desk.choose(seen, left).filter(|place| *place < left.len())?;
    let offer = left.remove(place);
    let covered: Vec<Offer> = std::iter::once(&offer).chain(left.iter().take(switches)).cloned().collect();
    desk.agree(&covered).then_some(Turn { offer, consent: TaskConsent::Install, plan: None })
}

/// Gets a candidate and looks at it. Nothing is installed.
fn fetch(shop: &Acquire<'_>, offer: &Offer) -> Result<Plan, AcquireError> {
    let version = offer.version.as_deref().filter(|_| offer.reviewed);
    let reference = shop.reference(&offer.reference, version)?;
    shop.plan_install(&reference, &InstallOptions::default(), &mut |_, _| {})
}

/// A plan that may be applied with some consent; else the reasons against it.
fn admissible(plan: Plan) -> Result<Plan, String> {
    match plan.needs() {
        Some(_) => Ok(plan),
        None => Err(refusal(&plan)),
    }
}

fn refusal(plan: &Plan) -> String {
    format!("it is refused: {}", plan.review.reasons.join("; "))
}

fn region_of(seen: &Perceived) -> String {
    seen.region.as_ref().map(|region| region.region.clone()).unwrap_or_default()
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
    /// A run that did not begin, or did not end.
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
        variables: &Variables,
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
        outcome.content_hash = Some(plan.hash.clone());
        outcome.env_ready.clone_from(&variables.ready);
        outcome.env_missing.clone_from(&variables.missing);
        Experience {
            task: Some(task.to_owned()),
            region: seen.region.as_ref().map(|region| region.region.clone()),
            outcome,
            session: self.session.clone(),
            snapshot: None,
            is_from_run: true,
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
            key: report.outcome.key.clone(),
            answer: Some(report.answer),
            session: Some(report.session),
            effects: report.effects,
        },
        Err(reason) => Ran::failed(OutcomeResult::Unknown, reason, None),
    }
}
