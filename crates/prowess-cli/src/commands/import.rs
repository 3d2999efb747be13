//! `prowess import`

use prowess::acquire::InstallOptions;
use prowess::harness::{Importable, Importables};
use prowess::printable;

use super::acquire::consent::{Agreement, Ended, carry_out, finish};
use super::acquire::desk;
use crate::args::{ImportArgs, ImportTarget, TargetArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::{self, DIM, paint};

pub(crate) fn run(context: &Context, args: &ImportArgs) -> Result<Outcome, Failure> {
    let found = context.engine.importable(&args.from, context.agent.as_deref())?;
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
        let ended = match desk.plan_import(skill, &options) {
            Ok(plan) => carry_out(context, &desk, plan, agreement)?,
            Err(error) => Ended::Failed(None, error.into()),
        };
        results.push((skill.name.clone(), ended));
    }
    finish(context, &results)
}

/// The skills that were named, or all.
fn chosen<'a>(found: &'a Importables, args: &ImportArgs) -> Result<Vec<&'a Importable>, Failure> {
    if found.skills.is_empty() {
        let message = format!("`{}` has nothing that could be imported", args.from);
        return Err(Failure::not_found(message).hint("`prowess sync --list` says where it is looked for"));
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
