//! `prowess doctor`

use std::time::Duration;

use prowess::{DoctorFinding, DoctorOptions, Engine, doctor_checks};
use prowess_text::{describe_error, printable};
use prowess_types::Severity;

use super::count;
use crate::answers::{DoctorAnswer, DoctorChecksAnswer, NotMended};
use crate::args::DoctorArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, Table, WARN, paint};
use crate::prompt;

/// The timeout of a registry.
const REGISTRY_PATIENCE: Duration = Duration::from_secs(5);
/// The groups of an answer, the worst first.
const GROUPS: [(Severity, &str); 3] =
    [(Severity::Error, "Errors"), (Severity::Warning, "Warnings"), (Severity::Note, "Notes")];

pub(crate) fn run(context: &Context, args: &DoctorArgs) -> Result<Outcome, Failure> {
    if let Some(unknown) = args.check.iter().find(|name| !is_known(name)) {
        let message = format!("there is no check `{}`", printable(unknown));
        return Err(Failure::usage(message).hint("`prowess doctor --list` names all"));
    }
    if args.list {
        return list(context, args);
    }
    let findings = look(context, &context.engine, args)?;
    if args.fix {
        return mend(context, args, findings);
    }
    if context.json {
        output::json(&DoctorAnswer { findings: findings.iter().collect(), failures: Vec::new() })?;
    } else {
        output::out(&(shown(&findings) + &summary(&findings)))?;
    }
    Ok(outcome(&findings))
}

fn look(context: &Context, engine: &Engine, args: &DoctorArgs) -> Result<Vec<DoctorFinding>, Failure> {
    let options = DoctorOptions {
        only: args.check.clone(),
        registry_patience: (!args.offline).then_some(REGISTRY_PATIENCE),
        clock: Some(context.clock()),
    };
    Ok(engine.doctor_with(context.agent.as_deref(), &options)?)
}

/// Whether an id, or the first part of one.
fn is_known(name: &str) -> bool {
    doctor_checks().iter().any(|check| check.id == name || check.id.split('/').next() == Some(name))
}

/// Shows what would be mended, asks, mends it, and looks again.
fn mend(context: &Context, args: &DoctorArgs, findings: Vec<DoctorFinding>) -> Result<Outcome, Failure> {
    let (mut fixable, rest): (Vec<DoctorFinding>, Vec<DoctorFinding>) =
        findings.into_iter().partition(|finding| finding.fixable);
    if context.json && !args.yes && !args.dry_run {
        return Err(Failure::usage("`--json` cannot ask for confirmation".to_owned())
            .hint("add `--yes` to apply the fixes, or `--dry-run` to show them"));
    }
    if !context.json && !fixable.is_empty() {
        output::out(&planned(&fixable))?;
    }
    if args.dry_run {
        let all: Vec<DoctorFinding> = fixable.into_iter().chain(rest).collect();
        if context.json {
            output::json(&DoctorAnswer { findings: all.iter().collect(), failures: Vec::new() })?;
        } else {
            output::out(&format!("Nothing was changed. {}", summary(&all)))?;
        }
        return Ok(outcome(&all));
    }
    let question = format!("Fix {}?", count(fixable.len(), "problem", "problems"));
    if !fixable.is_empty() && !args.yes && !prompt::agrees(&question)? {
        return Err(Failure::not_found("nothing was changed".to_owned())
            .hint("`--yes` applies the fixes without asking"));
    }
    let clock = context.clock();
    let mut failures: Vec<NotMended> = Vec::new();
    for finding in &fixable {
        if let Err(error) = context.engine.mend(finding, &clock) {
            let message = describe_error(&error);
            output::err(&format!("{}: {}\n", paint(BAD.bold(), "error"), printable(&message)));
            failures.push(NotMended { id: finding.id, subject: finding.subject.clone(), message });
        }
    }
    let is_mended = failures.is_empty();
    let left = look(context, &context.engine.reopen()?, args)?;
    fixable.retain(|finding| !left.iter().any(|other| other.is_same(finding)));
    for finding in &mut fixable {
        finding.fixed = true;
    }
    if context.json {
        let all = fixable.iter().chain(&left).collect();
        output::json(&DoctorAnswer { findings: all, failures })?;
    } else {
        let mended: String = fixable.iter().map(|finding| told(finding, &paint(GOOD, "✓ fixed"))).collect();
        output::out(&(mended + &shown(&left) + &summary(&left)))?;
    }
    Ok(if is_mended { outcome(&left) } else { Outcome::Environment })
}

/// What mending would do, finding by finding.
fn planned(fixable: &[DoctorFinding]) -> String {
    let mut text = format!("{}\n", paint(BOLD, "Fixable"));
    for finding in fixable {
        let remedy = finding.remedy().unwrap_or_default();
        text += &format!("{} {}: {}\n", paint(WARN, "△"), finding.id, printable(&finding.message));
        text += &format!("    {}\n", paint(DIM, printable(&remedy)));
    }
    text
}

/// The findings, grouped by how bad they are.
fn shown(findings: &[DoctorFinding]) -> String {
    let mut text = String::new();
    for (severity, title) in GROUPS {
        let group: Vec<&DoctorFinding> =
            findings.iter().filter(|finding| finding.severity == severity).collect();
        if group.is_empty() {
            continue;
        }
        text += &format!("{}\n", paint(BOLD, title));
        for finding in group {
            let mark = match severity {
                Severity::Error => paint(BAD, "✗"),
                Severity::Warning => paint(WARN, "△"),
                Severity::Note if finding.help.is_some() => paint(DIM, "·"),
                Severity::Note => paint(GOOD, "✓"),
            };
            text += &told(finding, &mark);
            if let Some(help) = &finding.help {
                text += &format!("    {}\n", paint(DIM, printable(help)));
            }
        }
    }
    text
}

fn told(finding: &DoctorFinding, mark: &str) -> String {
    format!("{mark} {}: {}\n", finding.id, printable(&finding.message))
}

/// One line for who reads only that.
fn summary(findings: &[DoctorFinding]) -> String {
    let of = |severity: Severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings, notes) = (of(Severity::Error), of(Severity::Warning), of(Severity::Note));
    let notes = count(notes, "note", "notes");
    if errors + warnings == 0 {
        return format!("No problems found ({notes}).\n");
    }
    let fixable = findings.iter().filter(|finding| finding.fixable).count();
    let fix = match fixable {
        0 => String::new(),
        some => format!(" `prowess doctor --fix` can fix {some}."),
    };
    let (errors, warnings) = (count(errors, "error", "errors"), count(warnings, "warning", "warnings"));
    format!("{errors}, {warnings}, {notes}.{fix}\n")
}

fn outcome(findings: &[DoctorFinding]) -> Outcome {
    let is_problem = |finding: &DoctorFinding| finding.severity >= Severity::Warning;
    if findings.iter().any(is_problem) { Outcome::Findings } else { Outcome::Fine }
}

fn list(context: &Context, args: &DoctorArgs) -> Result<Outcome, Failure> {
    let is_wanted = |id: &str| {
        args.check.is_empty()
            || args.check.iter().any(|name| id == name || id.split('/').next() == Some(name.as_str()))
    };
    let checks: Vec<_> = doctor_checks().iter().copied().filter(|check| is_wanted(check.id)).collect();
    if context.json {
        output::json(&DoctorChecksAnswer { checks })?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new(&["Check", "Severity", "Fix", "Cause"], 3);
    for check in checks {
        let severity = match check.severity {
            Severity::Error => Cell::styled(BAD, "error"),
            Severity::Warning => Cell::styled(WARN, "warning"),
            Severity::Note => Cell::styled(DIM, "note"),
        };
        let fix = if check.fixable { "yes" } else { "" };
        table.row([check.id.into(), severity, fix.into(), check.cause.into()]);
    }
    output::out(&table.text())?;
    Ok(Outcome::Fine)
}
