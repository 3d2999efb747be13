//! One candidate: installed under a consent, looked at, run, learned from, and taken away.

use prowess_acquire::{Acquire, Done, InstallConsent, Plan};
use prowess_cortex::{EventKind, Recovery, ReflexWithdrawal, recovery};
use prowess_inventory::SkillEntry;
use prowess_match::AgentView;
use prowess_text::describe_error;
use prowess_types::OutcomeResult;

use super::plan::task_plan;
use super::remedy::{credential_notice, first_missing, lack_of_run, lacking, remedy};
use super::{
    Attempt, Cortex, CortexError, Desk, InstallAdmission, Perceived, Ran, TaskConsent, TaskRequest, Turn,
    execute, fetch, refusal, region_of, shop_options,
};
use crate::cortex::pending::{PendingTask, TaskNote};

/// The variables that a skill needs, by whether they are set. Names only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variables {
    pub(crate) ready: Vec<String>,
    pub(crate) missing: Vec<String>,
}

impl Variables {
    /// The variables of a skill, as the gate judged them.
    pub(crate) fn of(entry: &SkillEntry) -> Self {
        let missing = entry.verdict.missing.env.clone();
        let primary = entry.skill.metadata.primary_env.iter().filter(|_| entry.is_usable());
        let needed = entry.skill.requirements.env.iter().chain(primary);
        let mut ready: Vec<String> = needed.filter(|name| !missing.contains(name)).cloned().collect();
        ready.sort();
        ready.dedup();
        Self { ready, missing }
    }
}

impl Cortex<'_> {
    /// Installs a candidate, lets it do the task, learns from it and cleans up. The answer, if there is one.
    pub(super) fn attempt(
        &mut self,
        request: TaskRequest<'_>,
        seen: &Perceived,
        turn: Turn,
        attempt: &mut Attempt,
        desk: &mut dyn Desk,
    ) -> Result<Option<String>, CortexError> {
        let now_ms = self.clock.now_ms();
        let context = self.context;
        let shop = Acquire::open(context, shop_options(request, now_ms));
        let fetched = shop.and_then(|shop| {
            let plan = turn.plan.clone().map_or_else(|| fetch(&shop, &turn.offer), Ok)?;
            Ok((shop, plan))
        });
        let (shop, plan) = match fetched {
            Ok(fetched) => fetched,
            Err(error) => {
                self.install_failed(attempt, describe_error(&error))?;
                return Ok(None);
            }
        };
        let Some((consent, is_reflex)) = self.admission(seen, &turn, &plan, attempt, desk)? else {
            return Ok(None);
        };
        let bytes = plan.files.iter().map(|file| file.size).sum();
        if let Err(error) = self.check_room(request.agent, bytes) {
            self.install_failed(attempt, describe_error(&error))?;
            return Ok(None);
        }
        let note = TaskNote::begin(
            context,
            &PendingTask {
                slug: turn.offer.slug.clone(),
                folder: plan.folder.to_string(),
                agent: request.agent.map(str::to_owned),
                workspace: context.workspace(request.agent)?,
                installed_at: now_ms,
            },
        )?;
        let done = match shop.apply(&plan, consent) {
            Ok(done) => done,
            Err(error) => {
                note.end();
                self.install_failed(attempt, describe_error(&error))?;
                return Ok(None);
            }
        };
        let mut note = Some(note);
        attempt.installed = true;
        let version = plan.provenance.version.clone().or_else(|| turn.offer.version.clone());
        attempt.version.clone_from(&version);
        let (slug, installed) = (turn.offer.slug.clone(), version.clone().unwrap_or_default());
        if is_reflex {
            let region = region_of(seen);
            self.note(EventKind::ReflexFired { region, slug: slug.clone() })?;
        }
        self.note(EventKind::Installed { slug, version: installed })?;
        let needs_plan = !is_reflex && turn.consent != TaskConsent::Plan;
        let ran = self.use_it(request.task, seen, &turn, &plan, &done, needs_plan, desk)?;
        let mut answer = None;
        if let Some(mut ran) = ran {
            let variables = variables(context, request, &done);
            if ran.result == OutcomeResult::AuthError {
                ran.key = ran.key.or_else(|| credential_of(&variables));
                desk.tell(&credential_notice(&done.readiness.name, ran.key.as_deref()));
            }
            attempt.result = Some(ran.result);
            attempt.reason.clone_from(&ran.reason);
            attempt.key = ran.key.clone().filter(|_| ran.result.is_failure());
            attempt.remedy = remedy(ran.result, ran.key.as_deref(), &done);
            answer = ran.answer.clone().filter(|_| ran.result == OutcomeResult::Success);
            let experience = ran.experience(request.task, seen, &turn.offer, version, &plan, &variables);
            let mut learned = self.record(&experience)?;
            if learned.offers_retention
                && let Some(is_kept) = desk.keep(&learned)
            {
                attempt.kept = is_kept;
                if is_kept {
                    // From now on it is the user's, also if this process ends here.
                    note.take().into_iter().for_each(TaskNote::end);
                }
                // The question was answered.
                learned.offers_retention = false;
                self.retain(&learned.region, &learned.slug, is_kept)?;
            }
            attempt.learned = Some(learned);
        }
        if attempt.kept || clean_up(&shop, &done, desk) {
            note.into_iter().for_each(TaskNote::end);
        }
        Ok(answer)
    }

    /// Looks at what came before anything of it is used: the consent to its install, and whether the reflex fires. None
    /// if it is not installed.
    fn admission(
        &mut self,
        seen: &Perceived,
        turn: &Turn,
        plan: &Plan,
        attempt: &mut Attempt,
        desk: &mut dyn Desk,
    ) -> Result<Option<(InstallConsent, bool)>, CortexError> {
        let slug = &turn.offer.slug;
        let Some(needed) = plan.needs() else {
            if turn.consent == TaskConsent::Announced {
                self.withdraw(slug, ReflexWithdrawal::Refused)?;
            }
            self.install_failed(attempt, refusal(plan))?;
            return Ok(None);
        };
        let (mut is_reflex, mut is_covered) = (false, true);
        if turn.consent == TaskConsent::Announced {
            (is_reflex, is_covered) = self.reflex_holds(&region_of(seen), slug, plan, desk)?;
        }
        let is_silent = needed == InstallConsent::Given && (is_reflex || turn.consent == TaskConsent::Plan);
        // The question of a switch covers the warnings that it shows.
        if is_silent || turn.consent == TaskConsent::Plan {
            return Ok(Some((needed, is_reflex)));
        }
        match desk.admit(plan, is_covered) {
            InstallAdmission::Given(consent) => Ok(Some((consent, is_reflex))),
            InstallAdmission::Declined => Ok(None),
            InstallAdmission::Unasked => {
                let reasons = plan.review.reasons.join("; ");
                self.install_failed(attempt, format!("it needs a consent of its own: {reasons}"))?;
                Ok(None)
            }
        }
    }

    /// Notes that a candidate was not installed.
    pub(super) fn install_failed(
        &mut self,
        attempt: &mut Attempt,
        reason: String,
    ) -> Result<(), CortexError> {
        attempt.reason = Some(reason);
        attempt.remedy = Some("look at the reason; another candidate may do".to_owned());
        self.note(EventKind::InstallFailed { slug: attempt.slug.clone() })?;
        Ok(())
    }

    /// Shows what a skill will do, provides what it lacks, and lets it work. None if the user does not want it.
    #[expect(clippy::too_many_arguments, reason = "everything that is known by now")]
    fn use_it(
        &mut self,
        task: &str,
        seen: &Perceived,
        turn: &Turn,
        plan: &Plan,
        done: &Done,
        needs_plan: bool,
        desk: &mut dyn Desk,
    ) -> Result<Option<Ran>, CortexError> {
        if needs_plan {
            let state = self.state()?;
            let is_there = |name: &str| self.has_program(name);
            if !desk.confirm(&task_plan(&state, &region_of(seen), &turn.offer.slug, plan, &is_there)) {
                return Ok(None);
            }
        }
        let readiness = &done.readiness;
        let skill = readiness.name.clone();
        let mut is_provided = false;
        if !readiness.is_ready {
            let key = first_missing(&readiness.missing);
            let is_lacking = key.is_some();
            if !is_lacking || !desk.provide(&skill, &readiness.missing, &readiness.install) {
                let reason = readiness.reasons.join("; ");
                return Ok(Some(Ran::failed(lacking(&readiness.missing), reason, key)));
            }
            is_provided = true;
        }
        let mut ran = execute(desk, &skill, task);
        match recovery(ran.result) {
            Some(Recovery::WaitAndRetryOnce { wait_ms }) => {
                desk.wait(wait_ms);
                ran = execute(desk, &skill, task).after(&ran);
            }
            Some(Recovery::AskToInstall) if !is_provided => match lack_of_run(&ran, readiness) {
                Some((missing, ways)) => {
                    if desk.provide(&skill, &missing, &ways) {
                        ran = execute(desk, &skill, task).after(&ran);
                    }
                }
                None => desk.tell(&format!("`{skill}` reports that something is missing, without its name")),
            },
            _ => {}
        }
        Ok(Some(ran))
    }
}

/// The variables of the installed skill, as they are now.
fn variables(context: &prowess_context::Context, request: TaskRequest<'_>, done: &Done) -> Variables {
    let Ok(view) = AgentView::read(context, request.agent) else { return Variables::default() };
    let entry = view.inventory().entries.iter().find(|entry| entry.origin.base == done.path);
    entry.map(Variables::of).unwrap_or_default()
}

/// The variable that a refusal is most likely about.
fn credential_of(variables: &Variables) -> Option<String> {
    variables.missing.first().or_else(|| variables.ready.first()).cloned()
}

/// Takes away what this task installed. False if it is still there.
fn clean_up(shop: &Acquire<'_>, done: &Done, desk: &mut dyn Desk) -> bool {
    let removed = shop.plan_uninstall(&done.folder).and_then(|plan| shop.uninstall(&plan));
    if let Err(error) = removed {
        desk.tell(&format!("`{}` is still installed: {}", done.folder, describe_error(&error)));
        return false;
    }
    true
}
