//! `prowess deps`

mod watch;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use prowess_acquire::{
    Dependencies, DependencyConsent, DependencyOption, DependencyPlan, DependencyReadiness, DepsError,
    InstallChoices, Installation,
};
use prowess_inventory::NameLookup;
use prowess_match::AgentView;
use prowess_text::printable;

use super::{missing, shown, state, title};
use crate::answers::DependenciesAnswer;
use crate::args::DepsArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::interrupt::until_interrupted;
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::prompt;
use watch::Watcher;

pub(crate) fn run(context: &Context, args: &DepsArgs) -> Result<Outcome, Failure> {
    let view = context.view()?;
    let found = context.engine.dependencies(&view, &args.name);
    let dependencies = found.map_err(|error| not_found(&view, &args.name, error))?;
    let can_ask = !context.json && prompt::is_somebody_there();
    if args.install.is_none() && !args.yes && !args.dry_run && !can_ask {
        return overview(context, &dependencies);
    }
    let ids = args.install.clone().map_or_else(|| dependencies.proposed(), |id| vec![id]);
    if ids.is_empty() {
        return overview(context, &dependencies);
    }
    let plans = ids.iter().map(|id| dependencies.plan(id)).collect::<Result<Vec<_>, _>>()?;
    if args.dry_run {
        return rehearse(context, &dependencies, &plans);
    }
    let choices = InstallChoices {
        timeout: args.timeout.map(Duration::from_secs),
        allow_http: args.allow_http,
        cancel: Arc::new(AtomicBool::new(false)),
        ..InstallChoices::default()
    };
    let mut done = Vec::new();
    for plan in &plans {
        if !context.json {
            output::err(&described(plan));
        }
        let Some(consent) = consent(plan, args.yes, can_ask)? else { continue };
        let mut watcher = Watcher::new(context.json);
        let installation = until_interrupted(&choices.cancel, || {
            dependencies.install(plan, consent, &choices, &mut |event| watcher.event(event))
        })??;
        drop(watcher);
        if !context.json {
            output::out(&told(&installation))?;
        }
        let is_over = !installation.result.ok;
        done.push(installation);
        if is_over {
            break;
        }
    }
    finish(context, &dependencies, &done, choices.cancel.load(Ordering::Relaxed))
}

/// What is missing and what could be done about it. Nothing is.
fn overview(context: &Context, dependencies: &Dependencies<'_>) -> Result<Outcome, Failure> {
    let readiness = dependencies.readiness();
    let options = dependencies.options();
    if context.json {
        let answer = answer(context, dependencies, &readiness);
        output::json(&DependenciesAnswer { options: Some(&options), ..answer })?;
        return Ok(outcome(&readiness));
    }
    let entry = dependencies.entry();
    let mut text = format!("{} {}\n", paint(BOLD, title(entry)), state(entry).painted());
    text += &lacking(&readiness);
    for option in &options {
        text += &offered(option);
    }
    for refused in dependencies.refused() {
        text += &super::refused_install(refused);
    }
    let proposed = dependencies.proposed();
    if options.is_empty() && lacks_programs(&readiness) {
        text += match dependencies.refused() {
            [] => "The skill does not say how to install what it needs.\n",
            _ => "No install option of the skill can be used here; install what is missing by hand.\n",
        };
    } else if let Some(id) = proposed.first() {
        text += &format!(
            "Install it with: prowess deps {} --install {}\n",
            printable(&entry.skill.name),
            printable(id)
        );
    }
    output::out(&text)?;
    Ok(outcome(&readiness))
}

fn rehearse(
    context: &Context,
    dependencies: &Dependencies<'_>,
    plans: &[DependencyPlan],
) -> Result<Outcome, Failure> {
    let objects = plans.iter().any(|plan| plan.objection().is_some());
    if context.json {
        let readiness = dependencies.readiness();
        let answer = answer(context, dependencies, &readiness);
        output::json(&DependenciesAnswer { dry_run: Some(true), plans: Some(plans), ..answer })?;
    } else {
        output::out(&plans.iter().map(described).collect::<String>())?;
        output::out("Nothing was run.\n")?;
    }
    Ok(if objects { Outcome::Findings } else { Outcome::Fine })
}

fn finish(
    context: &Context,
    dependencies: &Dependencies<'_>,
    done: &[Installation],
    is_stopped: bool,
) -> Result<Outcome, Failure> {
    let before = dependencies.readiness();
    let after = done.last().map_or(&before, |installation| &installation.after);
    if context.json {
        output::json(&DependenciesAnswer { results: Some(done), ..answer(context, dependencies, after) })?;
    } else if after.eligible {
        let name = printable(&dependencies.entry().skill.name);
        output::out(&format!("{} {name} has everything it needs.\n", paint(GOOD, "✓")))?;
    } else {
        output::out(&lacking(after))?;
    }
    let failed = done.iter().any(|installation| !installation.result.ok);
    Ok(match (is_stopped, failed) {
        (true, _) => Outcome::Stopped,
        (_, true) => Outcome::Findings,
        _ => outcome(after),
    })
}

fn answer<'a>(
    context: &Context,
    dependencies: &'a Dependencies<'_>,
    readiness: &'a DependencyReadiness,
) -> DependenciesAnswer<'a> {
    let entry = dependencies.entry();
    DependenciesAnswer {
        readiness,
        skill: &entry.skill.name,
        source: context.engine.profile().source_name(&entry.origin.source),
        options: None,
        refused_installs: dependencies.refused(),
        dry_run: None,
        plans: None,
        results: None,
    }
}

fn lacks_programs(readiness: &DependencyReadiness) -> bool {
    !readiness.missing.bins.is_empty() || !readiness.missing.any_bins.is_empty()
}

fn outcome(readiness: &DependencyReadiness) -> Outcome {
    if lacks_programs(readiness) { Outcome::Findings } else { Outcome::Fine }
}

/// What is missing, and where it is if it is only out of reach.
fn lacking(readiness: &DependencyReadiness) -> String {
    if readiness.eligible {
        return String::new();
    }
    let what = missing(&readiness.missing);
    let what = if what.is_empty() { printable(&readiness.reasons.join("; ")) } else { what };
    let mut text = format!("  {} {what}\n", paint(WARN, "missing"));
    for found in &readiness.elsewhere {
        let folder = found.path.parent().map(shown).unwrap_or_default();
        text += &format!("  `{}` is in {folder}, which is not on PATH: ", printable(&found.bin));
        text += &format!("export PATH=\"{folder}:$PATH\"\n");
    }
    text
}

fn offered(option: &DependencyOption) -> String {
    let mark = if option.offered { "•" } else { "·" };
    let mut text =
        format!("  {mark} {}: {}\n", printable(&option.option.id), printable(&option.option.label));
    match &option.steps {
        Ok(plan) => {
            for step in plan.steps() {
                text += &format!("      {}\n", paint(DIM, printable(&step.to_string())));
            }
        }
        Err(obstacle) => text += &format!("      {}\n", paint(WARN, printable(&obstacle.to_string()))),
    }
    text
}

/// What somebody agrees to.
fn described(plan: &DependencyPlan) -> String {
    let mut text = format!("{}\n", paint(BOLD, printable(&plan.option.label)));
    for step in plan.steps() {
        text += &format!("  $ {}\n", printable(&step.to_string()));
    }
    for warning in &plan.warnings {
        text += &format!("  {} {}\n", paint(WARN, "!"), printable(warning));
    }
    if let Some(objection) = plan.objection() {
        text += &format!("  {} {}\n", paint(BAD, "✗"), printable(&objection));
    }
    text
}

fn told(installation: &Installation) -> String {
    let (style, mark) = if installation.result.ok { (GOOD, "✓") } else { (BAD, "✗") };
    format!(
        "{} {}: {}\n",
        paint(style, mark),
        printable(&installation.id),
        printable(&installation.result.message)
    )
}

/// Who agrees; none if somebody was asked and does not. What cannot be done needs nobody's consent to fail.
fn consent(plan: &DependencyPlan, yes: bool, can_ask: bool) -> Result<Option<DependencyConsent>, Failure> {
    if yes || plan.objection().is_some() {
        return Ok(Some(DependencyConsent::User));
    }
    if plan.agreed_by_policy {
        return Ok(Some(DependencyConsent::Policy));
    }
    if !can_ask {
        let message = format!("installing `{}` requires confirmation", printable(&plan.option.id));
        return Err(Failure::usage(message).hint("review it with `--dry-run`, then confirm with `--yes`"));
    }
    Ok(prompt::agrees("Run these commands?")?.then_some(DependencyConsent::User))
}

fn not_found(view: &AgentView, name: &str, error: DepsError) -> Failure {
    let is_missing = matches!(error, DepsError::NoSkill(_));
    let failure = Failure::from(error);
    match is_missing.then(|| view.inventory().find(name)) {
        Some(NameLookup::Found(entry)) => {
            failure.hint(format!("did you mean `{}`?", printable(&entry.skill.name)))
        }
        Some(_) => failure.hint("`prowess list --all` shows everything that was found"),
        None => failure,
    }
}
