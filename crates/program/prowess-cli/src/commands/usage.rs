//! `prowess usage`

use prowess_context::ContextError as EngineError;
use prowess_sessions::usage::{DEAD_AFTER, SkillUsage, UsageFilter, UsageReport, UsageVerdict};
use prowess_text::printable;

use crate::args::UsageArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, Cell, DIM, GOOD, Table, WARN, paint};

pub(crate) fn run(context: &Context, args: &UsageArgs) -> Result<Outcome, Failure> {
    let now = context.clock().now_ms();
    let since = args.since.map(|since| since.moment(now));
    let view = match context.engine.view(context.agent.as_deref()) {
        // The name of a harness is not an agent of ours, but its sessions have it.
        Err(EngineError::Agent(_)) => context.engine.view(None)?,
        view => view?,
    };
    let report = context.engine.usage(&view, &UsageFilter { since, agent: context.agent.as_deref() });
    if context.json {
        output::json(&report)?;
    } else {
        output::out(&shown(&report))?;
    }
    Ok(if report.unread.is_empty() { Outcome::Fine } else { Outcome::Environment })
}

fn shown(report: &UsageReport) -> String {
    let mut text = String::new();
    for unread in &report.unread {
        text += &format!("{} {}\n", paint(WARN, "△"), printable(unread));
    }
    if report.runs == 0 && report.hook_messages == 0 {
        return text
            + "No recorded sessions yet.\n`prowess sessions import` imports sessions of other agents; `prowess hook install` records them from now on.\n";
    }
    let mut table =
        Table::new(&["Skill", "Shown", "Loaded", "Followed", "Succeeded", "Missed", "Tokens", "Verdict"], 7);
    for skill in &report.skills {
        table.row(row(skill));
    }
    text += &table.text();
    text + &paint(DIM, notes(report))
}

fn row(skill: &SkillUsage) -> Vec<Cell> {
    let known = skill.succeeded + skill.failed;
    let followed = match skill.followed {
        _ if skill.loaded == 0 => "–".to_owned(),
        Some(followed) => followed.to_string(),
        None => "?".to_owned(),
    };
    let succeeded = match (skill.loaded, known) {
        (0, _) => "–".to_owned(),
        (_, 0) => "?".to_owned(),
        _ => format!("{} of {known}", skill.succeeded),
    };
    let unknown = if skill.loads_of_unknown_size > 0 { "+?" } else { "" };
    vec![
        Cell::styled(BOLD, printable(&skill.name)),
        skill.shown.to_string().into(),
        skill.loaded.to_string().into(),
        followed.into(),
        succeeded.into(),
        skill.missed.to_string().into(),
        format!("{}{unknown}", skill.tokens).into(),
        verdict(skill),
    ]
}

fn verdict(skill: &SkillUsage) -> Cell {
    let words: Vec<String> = skill
        .verdicts
        .iter()
        .map(|verdict| match verdict {
            UsageVerdict::Dead => "dead".to_owned(),
            UsageVerdict::Missed => "missed".to_owned(),
            UsageVerdict::NeverHadAChance => {
                let reason = skill.reason.as_deref().map(printable).unwrap_or_default();
                format!("never had a chance: {reason}")
            }
        })
        .collect();
    match (words.is_empty(), skill.loaded) {
        (false, _) => Cell::styled(WARN, words.join(", ")),
        (true, 0) => "".into(),
        (true, _) => Cell::styled(GOOD, "in use"),
    }
}

fn notes(report: &UsageReport) -> String {
    let mut notes = vec![format!(
        "{} in {}, {} answered by a hook. Tokens are estimates; `?` means unknown.",
        super::count(report.runs, "run", "runs"),
        super::count(report.sessions, "session", "sessions"),
        super::count(report.hook_messages, "message", "messages"),
    )];
    if report.runs_without_catalogue > 0 {
        notes.push(format!("Runs without a record of the shown skills: {}.", report.runs_without_catalogue));
    }
    if report.runs_without_selection > 0 {
        notes.push(format!(
            "Runs without a skill selection: {}; `prowess replay` selects now.",
            report.runs_without_selection
        ));
    }
    if report.hook_messages_without_run > 0 {
        notes.push(format!(
            "Messages of sessions that were not imported, with unknown results: {}.",
            report.hook_messages_without_run
        ));
    }
    notes.push(format!(
        "Dead: shown {DEAD_AFTER} times or more and never loaded. Missed: asked for and not loaded."
    ));
    notes.join("\n") + "\n"
}
