//! `prowess install`

use prowess_acquire::{Acquire, AcquireError, FrozenPlan, InstallConsent, InstallOptions};
use prowess_registry::SourceReference;

use super::super::{count, shown};
use super::consent::{Agreement, Ended, carry_out, finish};
use super::{Download, desk};
use crate::answers::FrozenAnswer;
use crate::args::InstallArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::{self, DIM, paint};

pub(crate) fn install(context: &Context, args: &InstallArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, Some(&args.registry))?;
    interrupt::end_between_changes(context.json)?;
    if args.frozen {
        return frozen(context, &desk, args);
    }
    // What is no reference is found before anything happens.
    let references: Vec<SourceReference> = args
        .refs
        .iter()
        .map(|text| Ok(desk.reference(text, args.version.as_deref())?))
        .collect::<Result<_, Failure>>()?;
    let agreement = Agreement::new(context, args.consent, args.force);
    let mut results = Vec::new();
    for (text, reference) in args.refs.iter().zip(&references) {
        let ended = one(context, &desk, reference, args.force, agreement)?;
        results.push((text.clone(), ended));
    }
    finish(context, &results)
}

fn one(
    context: &Context,
    desk: &Acquire<'_>,
    reference: &SourceReference,
    force: bool,
    agreement: Agreement,
) -> Result<Ended, Failure> {
    let mut download = Download::of(&reference.to_string());
    let options = InstallOptions { replace: force };
    let planned = desk.plan_install(reference, &options, &mut |done, total| download.step(done, total));
    drop(download);
    match planned {
        Ok(plan) => carry_out(context, desk, plan, agreement),
        Err(error) => Ok(Ended::Failed(None, error.into())),
    }
}

/// Exactly the lock, or nothing: everything is fetched and agreed to before the first folder is written.
fn frozen(context: &Context, desk: &Acquire<'_>, args: &InstallArgs) -> Result<Outcome, Failure> {
    let mut download = Download::of("");
    let planned = desk.plan_frozen(&args.refs, &mut |folder, done, total| {
        download.what = prowess_text::printable(folder);
        download.step(done, total);
    });
    drop(download);
    let FrozenPlan { missing, intact, extra } = planned?;
    let agreement = Agreement::new(context, args.consent, args.force);
    // One that cannot be installed is found before the first one is.
    for plan in &missing {
        let (name, reasons) = (plan.name.clone(), plan.review.reasons.clone());
        match plan.needs() {
            None => return Err(AcquireError::Blocked { name, reasons }.into()),
            Some(InstallConsent::DespiteWarnings)
                if !args.force && !agreement.is_asked && !agreement.dry_run =>
            {
                return Err(AcquireError::NotAgreed { name, reasons }.into());
            }
            Some(_) => {}
        }
    }
    let mut results = Vec::new();
    for plan in missing {
        let asked = plan.folder.to_string();
        let ended = carry_out(context, desk, plan, agreement)?;
        results.push((asked, ended));
    }
    let mut outcome = Outcome::Fine;
    for (asked, ended) in &results {
        outcome = outcome.and(ended.tell(context, asked)?);
    }
    if context.json {
        let results = results.iter().map(|(asked, ended)| ended.answer(asked)).collect();
        let extra = extra.iter().map(|path| path.display().to_string()).collect();
        output::json(&FrozenAnswer { results, intact, extra })?;
    } else {
        let mut text = format!(
            "{} as the lock says, {} put back\n",
            count(intact.len(), "skill is", "skills are"),
            results.iter().filter(|(_, ended)| matches!(ended, Ended::Done(..))).count()
        );
        for path in &extra {
            text += &format!("{}\n", paint(DIM, format!("not in the lock: {}", shown(path))));
        }
        output::out(&text)?;
    }
    Ok(outcome)
}
