//! `prowess update` and `outdated`

use prowess_acquire::{
    Acquire, AcquireError, Edits, InstallError, OutdatedSkill, UpdateOptions, UpdateStatus,
};
use prowess_text::printable;

use super::consent::{Agreement, Ended, carry_out, finish};
use super::{Download, desk};
use crate::answers::OutdatedAnswer;
use crate::args::{OutdatedArgs, UpdateArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::{self, BAD, Cell, DIM, GOOD, Table, WARN};

pub(crate) fn update(context: &Context, args: &UpdateArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, Some(&args.registry))?;
    interrupt::end_between_changes(context.json)?;
    let names = if args.all { desk.folders()? } else { args.names.clone() };
    if names.is_empty() && !context.json {
        output::out("No installed skills.\n")?;
        return Ok(Outcome::Fine);
    }
    let edits = match (args.force, args.mark_conflicts) {
        (true, _) => Edits::Overwrite,
        (_, true) => Edits::MergeWithMarkers,
        _ => Edits::Merge,
    };
    let options = UpdateOptions { version: args.version.clone(), edits };
    let agreement = Agreement::new(context, args.consent, args.force);
    let mut results = Vec::new();
    for name in names {
        let ended = one(context, &desk, &name, &options, agreement, args.all)?;
        results.push((name, ended));
    }
    finish(context, &results)
}

fn one(
    context: &Context,
    desk: &Acquire<'_>,
    name: &str,
    options: &UpdateOptions,
    agreement: Agreement,
    is_one_of_all: bool,
) -> Result<Ended, Failure> {
    let mut download = Download::of(name);
    let planned = desk.plan_update(name, options, &mut |done, total| download.step(done, total));
    drop(download);
    match planned {
        Ok(Some(plan)) => carry_out(context, desk, plan, agreement),
        Ok(None) => Ok(Ended::Nothing("up to date".to_owned())),
        Err(AcquireError::Install(InstallError::Pinned { reason, .. })) if is_one_of_all => {
            let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
            Ok(Ended::Nothing(format!("pinned{reason}")))
        }
        Err(error) => Ok(Ended::Failed(None, error.into())),
    }
}

pub(crate) fn outdated(context: &Context, args: &OutdatedArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, Some(&args.registry))?;
    let mut download = Download::of("");
    let skills = desk.outdated(&args.names, &mut |folder, done, total| {
        download.what = printable(folder);
        download.step(done, total);
    })?;
    drop(download);
    if context.json {
        output::json(&OutdatedAnswer { skills: &skills })?;
    } else if skills.is_empty() {
        output::out("No installed skills.\n")?;
    } else {
        output::out(&table(&skills))?;
    }
    let is_current = |skill: &OutdatedSkill| skill.freshness == UpdateStatus::Current;
    Ok(if skills.iter().all(is_current) { Outcome::Fine } else { Outcome::Findings })
}

fn table(skills: &[OutdatedSkill]) -> String {
    let mut table = Table::new(&["Skill", "Installed", "Source has", "State", "Note"], 4);
    let short = |text: Option<&String>| text.map(|text| text.chars().take(19).collect::<String>());
    for one in skills {
        let skill = &one.skill;
        let state = match one.freshness {
            UpdateStatus::Current => Cell::styled(GOOD, "current"),
            UpdateStatus::Outdated if skill.pinned.is_some() => Cell::styled(DIM, "outdated, pinned"),
            UpdateStatus::Outdated => Cell::styled(WARN, "outdated"),
            UpdateStatus::Malicious => Cell::styled(BAD, "malicious now"),
            UpdateStatus::Unknown => Cell::styled(DIM, "unknown"),
        };
        let tool = skill.tool.as_ref().map(|tool| format!("installed by {tool}"));
        let note: Vec<String> = [tool, one.note.clone()].into_iter().flatten().collect();
        table.row([
            printable(&skill.folder).into(),
            printable(&short(skill.version.as_ref().or(skill.commit.as_ref())).unwrap_or_default()).into(),
            printable(&short(one.latest.as_ref()).unwrap_or_default()).into(),
            state,
            Cell::styled(DIM, printable(&note.join("; "))),
        ]);
    }
    table.text()
}
