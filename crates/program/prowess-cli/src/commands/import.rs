//! `prowess import`

use prowess_acquire::InstallOptions;
use prowess_connect::harness::{FoundThings, Importable, Importables, Survey};
use prowess_text::printable;

use super::acquire::consent::{Agreement, Ended, carry_out, finish_with};
use super::acquire::desk;
use super::shown;
use crate::args::{ImportArgs, ImportTarget, TargetArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::{self, BOLD, DIM, GOOD, paint};

/// Names of one kind that are shown.
const NAMED: usize = 4;

pub(crate) fn run(context: &Context, args: &ImportArgs) -> Result<Outcome, Failure> {
    let found = context.engine.importable(&args.from, context.agent.as_deref())?;
    let survey = context.engine.survey(&args.from, context.agent.as_deref(), &found)?;
    if !context.json {
        output::out(&told(&survey))?;
    }
    let chosen = chosen(&found, args)?;
    if !context.json {
        for (path, reason) in &found.passed_over {
            output::err(&format!("{} {}: {reason}\n", paint(DIM, "passed over"), printable(path)));
        }
    }
    let target = TargetArgs { global: args.to == ImportTarget::Managed };
    let desk = desk(context, &target, None)?;
    interrupt::end_between_changes(context.json)?;
    let agreement = Agreement::new(context, args.consent, args.force);
    let options = InstallOptions { replace: args.force };
    let mut results = Vec::new();
    for skill in chosen {
        let ended = match prowess_connect::harness::plan_import(&desk, skill, &options) {
            Ok(plan) => carry_out(context, &desk, plan, agreement)?,
            Err(error) => Ended::Failed(None, error.into()),
        };
        results.push((skill.name.clone(), ended));
    }
    finish_with(context, &results, Some(&survey))
}

/// What a program has, what of it comes here, and why the rest does not.
fn told(survey: &Survey) -> String {
    let home = survey.home.as_deref().map(|home| format!(" in {}", shown(home))).unwrap_or_default();
    let mut text = format!("{}{home}\n", paint(BOLD, printable(&survey.name)));
    for things in &survey.found {
        let comes = if things.is_imported { paint(GOOD, "comes") } else { paint(DIM, "stays") };
        let FoundThings { count, kind, note, .. } = things;
        text += &format!("{count:>6} {:<19}  {comes}  {note}\n", kind.label());
        if !things.is_imported && !things.names.is_empty() {
            text += &paint(DIM, format!("{:>35}{}\n", "", names(things)));
        }
    }
    text + "Nothing of it is changed.\n\n"
}

fn names(things: &FoundThings) -> String {
    let named: Vec<String> = things.names.iter().take(NAMED).map(|name| printable(name)).collect();
    match things.names.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// The skills that were named, or all.
fn chosen<'a>(found: &'a Importables, args: &ImportArgs) -> Result<Vec<&'a Importable>, Failure> {
    if found.skills.is_empty() {
        let message = format!("`{}` has no skills to import", args.from);
        return Err(Failure::not_found(message).hint("`prowess sync --list` shows the searched folders"));
    }
    if args.skill.is_empty() {
        return Ok(found.skills.iter().collect());
    }
    let find = |name: &String| {
        let skill = found.skills.iter().find(|skill| skill.name == *name);
        skill.ok_or_else(|| {
            let names: Vec<String> = found.skills.iter().map(|skill| format!("`{}`", skill.name)).collect();
            Failure::not_found(format!("`{}` has no skill `{name}`", args.from))
                .hint(format!("there are {}", printable(&names.join(", "))))
        })
    };
    args.skill.iter().map(find).collect()
}
