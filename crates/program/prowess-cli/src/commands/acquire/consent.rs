//! Asking before something happens.

use prowess_acquire::{Acquire, AcquireError, Done, InstallConsent, Plan};
use prowess_connect::harness::Survey;

use super::told;
use crate::answers::{InstallAnswer, InstallResult};
use crate::args::ConsentArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::prompt::{agrees, is_somebody_there};
use crate::{interrupt, output};

/// Who agrees, and how far.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct Agreement {
    pub(in crate::commands) yes: bool,
    pub(in crate::commands) despite_warnings: bool,
    pub(in crate::commands) dry_run: bool,
    /// True if there is a terminal to ask.
    pub(in crate::commands) is_asked: bool,
}

impl Agreement {
    pub(in crate::commands) fn new(context: &Context, args: ConsentArgs, despite_warnings: bool) -> Self {
        let is_asked = is_somebody_there() && !context.json;
        Self { yes: args.yes, despite_warnings, dry_run: args.dry_run, is_asked }
    }
}

/// The outcome of one request.
pub(in crate::commands) enum Ended {
    /// It was done.
    Done(Box<Plan>, Box<Done>),
    /// It would be done.
    Planned(Box<Plan>),
    /// There is no consent.
    Declined(Box<Plan>),
    /// There was nothing to do, for this reason.
    Nothing(String),
    /// It went wrong, with or without a plan.
    Failed(Option<Box<Plan>>, Failure),
}

/// Shows a plan, asks, and does it.
pub(in crate::commands) fn carry_out(
    context: &Context,
    desk: &Acquire<'_>,
    plan: Plan,
    agreement: Agreement,
) -> Result<Ended, Failure> {
    if !context.json {
        output::out(&told::plan(&plan))?;
    }
    let plan = Box::new(plan);
    let Some(needed) = plan.needs() else {
        let (name, reasons) = (plan.name.clone(), plan.review.reasons.clone());
        return Ok(Ended::Failed(Some(plan), AcquireError::Blocked { name, reasons }.into()));
    };
    if agreement.dry_run {
        return Ok(Ended::Planned(plan));
    }
    let has_consent = match needed {
        InstallConsent::Given => agreement.yes,
        InstallConsent::DespiteWarnings => agreement.yes && agreement.despite_warnings,
    };
    if !has_consent {
        if agreement.is_asked {
            if !agrees(&told::question(&plan))? {
                return Ok(Ended::Declined(plan));
            }
        } else if agreement.yes {
            let (name, reasons) = (plan.name.clone(), plan.review.reasons.clone());
            return Ok(Ended::Failed(Some(plan), AcquireError::NotAgreed { name, reasons }.into()));
        } else {
            return Ok(Ended::Declined(plan));
        }
    }
    match interrupt::change(|| desk.apply(&plan, needed)) {
        Ok(done) => {
            if !context.json {
                output::out(&told::done(context, &plan, &done))?;
            }
            Ok(Ended::Done(plan, Box::new(done)))
        }
        Err(error) => Ok(Ended::Failed(Some(plan), error.into())),
    }
}

impl Ended {
    /// For programs.
    pub(in crate::commands) fn answer<'a>(&'a self, asked: &'a str) -> InstallResult<'a> {
        match self {
            Self::Done(plan, done) => InstallResult::Done { asked, plan, done },
            Self::Planned(plan) => InstallResult::Planned { asked, plan },
            Self::Declined(plan) => InstallResult::NeedsConsent { asked, plan },
            Self::Nothing(reason) => InstallResult::Nothing { asked, reason },
            Self::Failed(plan, failure) => {
                InstallResult::Failed { asked, plan: plan.as_deref(), error: failure.detail() }
            }
        }
    }

    /// Says for people what was not said yet, and how that ends the program.
    pub(in crate::commands) fn tell(&self, context: &Context, asked: &str) -> Result<Outcome, Failure> {
        match self {
            Self::Done(..) | Self::Planned(_) => Ok(Outcome::Fine),
            Self::Nothing(reason) => {
                if !context.json {
                    output::out(&format!("{}: {reason}\n", prowess_text::printable(asked)))?;
                }
                Ok(Outcome::Fine)
            }
            Self::Declined(plan) => {
                if !context.json {
                    let name = prowess_text::printable(&plan.name);
                    output::err(&format!("`{name}` was not changed; confirm with `--yes`.\n"));
                }
                Ok(Outcome::Findings)
            }
            Self::Failed(_, failure) => {
                if !context.json {
                    failure.tell();
                }
                Ok(failure.outcome())
            }
        }
    }
}

/// Tells all results and ends with the worst.
pub(in crate::commands) fn finish(
    context: &Context,
    results: &[(String, Ended)],
) -> Result<Outcome, Failure> {
    finish_with(context, results, None)
}

/// The same, with what was found where they come from.
pub(in crate::commands) fn finish_with(
    context: &Context,
    results: &[(String, Ended)],
    found: Option<&Survey>,
) -> Result<Outcome, Failure> {
    if context.json {
        let results = results.iter().map(|(asked, ended)| ended.answer(asked)).collect();
        output::json(&InstallAnswer { found, results })?;
    }
    let mut outcome = Outcome::Fine;
    for (asked, ended) in results {
        outcome = outcome.and(ended.tell(context, asked)?);
    }
    Ok(outcome)
}
