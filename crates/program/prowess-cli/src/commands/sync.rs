//! `prowess sync`

use std::collections::BTreeMap;

use prowess_connect::harness::{
    HarnessNotes, HarnessStatus, SyncMethod, ViewChange, ViewReport, ViewScope, ViewStep, ViewSyncOptions,
    ViewSyncReport,
};
use prowess_text::printable;

use super::{count, shown};
use crate::answers::{HarnessRow, HarnessesAnswer};
use crate::args::SyncArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, Table, WARN, paint};

/// Skills that a note names one by one.
const NAMED: usize = 5;

pub(crate) fn run(context: &Context, args: &SyncArgs) -> Result<Outcome, Failure> {
    if args.list {
        return list(context);
    }
    let options = ViewSyncOptions {
        to: args.to.clone(),
        scope: if args.user && !args.project { ViewScope::User } else { ViewScope::Project },
        method: match (args.copy, args.link) {
            (true, _) => SyncMethod::Copy,
            (_, true) => SyncMethod::Link,
            _ => SyncMethod::Auto,
        },
        remove: args.remove,
        dry_run: args.dry_run || args.check,
    };
    let report = context.engine.sync_harnesses(context.agent.as_deref(), &options)?;
    if context.json {
        output::json(&report)?;
    } else {
        output::out(&told(&report, args))?;
    }
    let is_found = if args.check { report.has_drift() } else { report.has_problems() };
    Ok(match (report.has_errors(), is_found) {
        (true, _) => Outcome::Environment,
        (false, true) => Outcome::Findings,
        (false, false) => Outcome::Fine,
    })
}

fn told(report: &ViewSyncReport, args: &SyncArgs) -> String {
    let is_dry = args.dry_run || args.check;
    let mut text: String = report.views.iter().map(|view| view_told(view, is_dry)).collect();
    for twice in &report.twice {
        let line = format!("{} also reads {}, and sees skills twice", twice.harness, shown(&twice.folder));
        text += &format!("{} {line}\n", paint(DIM, "note"));
    }
    for harness in &report.without {
        text += &format!("{} {harness} reads no such folder\n", paint(DIM, "note"));
    }
    text + &summary(report, args)
}

fn view_told(view: &ViewReport, is_dry: bool) -> String {
    let readers = paint(DIM, format!("({})", view.harnesses.join(", ")));
    let mut text = format!("{} {readers}\n", paint(BOLD, shown(&view.folder)));
    if let Some(error) = &view.error {
        return text + &format!("  {} {}\n", paint(BAD.bold(), "error"), printable(error));
    }
    text.extend(
        view.steps.iter().filter(|step| step.change != ViewChange::Unchanged).map(|step| line(step, is_dry)),
    );
    let unchanged = view.steps.iter().filter(|step| step.change == ViewChange::Unchanged).count();
    if unchanged > 0 {
        text += &format!("  {}\n", paint(DIM, format!("= {unchanged} up to date")));
    }
    if !view.native.is_empty() {
        let line = format!("= {} where its readers find them", count(view.native.len(), "lies", "lie"));
        text += &format!("  {}\n", paint(DIM, line));
    }
    for skipped in &view.skipped {
        let reason = paint(DIM, printable(&skipped.reason));
        text += &format!("  {} {} {reason}\n", paint(WARN, "left out"), shown(&skipped.path));
    }
    text + &view.notes.iter().map(notes_told).collect::<String>()
}

fn line(step: &ViewStep, is_dry: bool) -> String {
    let (sign, style, words, would) = match step.change {
        ViewChange::Unchanged => ("=", DIM, "up to date", "up to date"),
        ViewChange::Present => ("=", DIM, "already exists, not made by Prowess", "already exists"),
        ViewChange::Create => ("+", GOOD, "", "is missing"),
        ViewChange::Update => ("~", GOOD, "updated", "is out of date"),
        ViewChange::Remove => ("-", GOOD, "", "is obsolete"),
        ViewChange::Added => ("!", WARN, "has files that were added", "has files that were added"),
        ViewChange::Edited => ("!", WARN, "was edited, and stays", "was edited"),
        ViewChange::Foreign => ("!", WARN, "something else has its name", "something else has its name"),
        ViewChange::Failed => ("!", BAD, "could not be changed", "cannot be made"),
    };
    let words = if is_dry { would } else { words };
    let details: Vec<String> = step.details.iter().map(|detail| printable(detail)).collect();
    let details = match step.change {
        _ if details.is_empty() => String::new(),
        ViewChange::Remove | ViewChange::Update => format!(" (what was added stays: {})", details.join(", ")),
        _ => format!(": {}", details.join(", ")),
    };
    let words = if words.is_empty() { String::new() } else { format!(" {words}") };
    format!("  {} {}{words}{details}\n", paint(style, sign), printable(&step.name))
}

/// What a harness does, each thing once with the skills it is about.
fn notes_told(told: &HarnessNotes) -> String {
    let mut skills: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for note in &told.notes {
        skills.entry(&note.text).or_default().push(printable(&note.skill));
    }
    let line = |(text, skills): (&str, Vec<String>)| {
        let more = skills.len().saturating_sub(NAMED);
        let mut names = skills.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
        if more > 0 {
            names += &format!(" and {more} more");
        }
        let head = paint(DIM, "note");
        format!("  {head} {} {}: {names}\n", told.harness, printable(text))
    };
    skills.into_iter().map(line).collect()
}

fn summary(report: &ViewSyncReport, args: &SyncArgs) -> String {
    let steps = || report.views.iter().flat_map(|view| &view.steps);
    let number = |changes: &[ViewChange]| steps().filter(|step| changes.contains(&step.change)).count();
    if args.check {
        let differ = steps().filter(|step| step.change.is_drift()).count();
        return match (differ, report.has_errors()) {
            (0, false) => "Everything is up to date.\n".to_owned(),
            (differ, _) => format!("{}\n", count(differ, "difference", "differences")),
        };
    }
    if steps().next().is_none() {
        return "Nothing to do.\n".to_owned();
    }
    let head = if args.dry_run { "would be: " } else { "" };
    let mut parts = vec![
        format!("{} added", number(&[ViewChange::Create])),
        format!("{} updated", number(&[ViewChange::Update])),
        format!("{} removed", number(&[ViewChange::Remove])),
    ];
    let left = number(&[ViewChange::Edited, ViewChange::Foreign, ViewChange::Failed]);
    if left > 0 {
        parts.push(format!("{left} unchanged"));
    }
    format!("{head}{}\n", parts.join(", "))
}

/// The table of programs.
fn list(context: &Context) -> Result<Outcome, Failure> {
    let known = context.engine.known_harnesses(context.agent.as_deref())?;
    if context.json {
        let harnesses = known.iter().map(|HarnessStatus { harness, is_installed, .. }| HarnessRow {
            id: &harness.id,
            name: &harness.name,
            is_installed: *is_installed,
            project: &harness.project,
            user: &harness.user,
            links: harness.links,
            format: harness.format,
            fields: &harness.fields,
            note: harness.note.as_deref(),
        });
        output::json(&HarnessesAnswer { harnesses: harnesses.collect() })?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new(&["Name", "Program", "Here", "In a workspace", "Of the user"], 4);
    for HarnessStatus { harness, is_installed, .. } in &known {
        let is_here = if *is_installed { Cell::styled(GOOD, "✓") } else { Cell::from("") };
        let (project, user) = (harness.project.join(" "), harness.user.join(" "));
        let (id, name) = (harness.id.as_str(), harness.name.as_str());
        table.row([id.into(), name.into(), is_here, project.into(), user.into()]);
    }
    output::out(&table.text())?;
    Ok(Outcome::Fine)
}
