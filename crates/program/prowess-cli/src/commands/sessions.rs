//! `prowess sessions`

mod prompt;
mod show;

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::Path;

use prowess_sessions::{ImportedSession, SessionError, SessionFilter, SessionListing};
use prowess_text::printable;

use crate::answers::{ImportAnswer, ImportedFile, SessionsAnswer};
use crate::args::{SessionsCommand, SessionsExportArgs, SessionsImportArgs, SessionsRateArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, Table, WARN, paint};

pub(super) use show::moment;
use show::outcome_cell;

pub(crate) fn run(context: &Context, command: &SessionsCommand) -> Result<Outcome, Failure> {
    match command {
        SessionsCommand::List { limit } => list(context, *limit),
        SessionsCommand::Show { id, run } => show::run(context, id, run.as_deref()),
        SessionsCommand::Prompt(args) => prompt::run(context, args),
        SessionsCommand::Export(args) => export(context, args),
        SessionsCommand::Import(args) => import(context, args),
        SessionsCommand::Rate(args) => rate(context, args),
    }
}

fn list(context: &Context, limit: usize) -> Result<Outcome, Failure> {
    let sessions = context.engine.sessions();
    let limit = (limit > 0).then_some(limit);
    let listed = sessions.list(&SessionFilter { agent: context.agent.clone(), limit });
    let has_error = listed.iter().any(|listing| listing.error.is_some());
    let outcome = if has_error { Outcome::Environment } else { Outcome::Fine };
    if context.json {
        let folder = sessions.folder().display().to_string();
        output::json(&SessionsAnswer { folder, sessions: &listed })?;
        return Ok(outcome);
    }
    if listed.is_empty() {
        output::out("No sessions yet. `prowess sessions import` imports those of other agents.\n")?;
        return Ok(outcome);
    }
    let mut table = Table::new(&["Session", "Started", "Agent", "Runs", "Last outcome", "First message"], 5);
    for listing in &listed {
        table.row(row(listing));
    }
    output::out(&table.text())?;
    Ok(outcome)
}

fn row(listing: &SessionListing) -> Vec<Cell> {
    if let Some(error) = &listing.error {
        let blank = || Cell::from("");
        let error = Cell::styled(BAD, printable(error));
        return vec![
            listing.id.as_str().into(),
            blank(),
            blank(),
            blank(),
            Cell::styled(BAD, "unreadable"),
            error,
        ];
    }
    let summary = &listing.summary;
    let message = summary.runs.first().map(|run| printable(&run.message)).unwrap_or_default();
    vec![
        Cell::styled(BOLD, listing.id.as_str()),
        moment(summary.started).into(),
        printable(&summary.agent).into(),
        summary.runs.len().to_string().into(),
        summary.runs.last().map_or_else(|| "".into(), |run| outcome_cell(&run.outcome)),
        message.into(),
    ]
}

fn export(context: &Context, args: &SessionsExportArgs) -> Result<Outcome, Failure> {
    let sessions = context.engine.sessions();
    let id = sessions.find(&args.id)?;
    if let Some(file) = &args.output {
        let file = context.engine.env().cwd().join(file);
        sessions.export_to(&id, args.format.into(), &file)?;
        output::err(&format!("{} {}\n", paint(GOOD, "✓"), printable(&file.display().to_string())));
        return Ok(Outcome::Fine);
    }
    let text = sessions.export(&id, args.format.into())?;
    // A file gets every byte; a terminal gets nothing that it would take for a command.
    let is_terminal = std::io::stdout().is_terminal();
    output::out_exact(&if is_terminal { printable(&text) } else { text })?;
    Ok(Outcome::Fine)
}

fn import(context: &Context, args: &SessionsImportArgs) -> Result<Outcome, Failure> {
    let sessions = context.engine.sessions();
    let mut answers = Vec::new();
    let mut outcome = Outcome::Fine;
    for file in &args.files {
        let path = context.engine.env().cwd().join(file);
        let imported = sessions.import(args.from, &path);
        if !context.json {
            output::out(&imported_text(file, imported.as_ref()))?;
        }
        if imported.is_err() {
            outcome = outcome.and(Outcome::Findings);
        }
        answers.push(answer(file, imported));
    }
    if context.json {
        output::json(&ImportAnswer { imported: answers })?;
    }
    Ok(outcome)
}

fn answer(file: &Path, imported: Result<ImportedSession, SessionError>) -> ImportedFile {
    let file = file.display().to_string();
    match imported {
        Ok(session) => ImportedFile { file, ok: true, session: Some(session), error: None },
        Err(error) => {
            ImportedFile { file, ok: false, session: None, error: Some(prowess_text::describe_error(&error)) }
        }
    }
}

fn imported_text(file: &Path, imported: Result<&ImportedSession, &SessionError>) -> String {
    let imported = match imported {
        Ok(imported) => imported,
        Err(error) => {
            let shown = printable(&file.display().to_string());
            return format!(
                "{} {shown}: {}\n",
                paint(BAD, "✗"),
                printable(&prowess_text::describe_error(error))
            );
        }
    };
    let report = &imported.report;
    let again = if imported.replaced { " again" } else { "" };
    let runs = super::count(imported.runs, "run", "runs");
    let entries = super::count(report.entries, "entry", "entries");
    let mut text =
        format!("{} {}{again}: {runs} from {entries}", paint(GOOD, "✓"), paint(BOLD, &imported.id));
    if report.masked > 0 {
        text += &format!(", secrets masked: {}", report.masked);
    }
    text.push('\n');
    let kinds = |counts: &BTreeMap<String, usize>| {
        let shown: Vec<String> =
            counts.iter().map(|(kind, count)| format!("{} ×{count}", printable(kind))).collect();
        shown.join(", ")
    };
    if !report.foreign.is_empty() {
        text += &format!(
            "  {} kept as they were, meaning not known: {}\n",
            paint(WARN, "△"),
            kinds(&report.foreign)
        );
    }
    for unread in &report.unread {
        text += &format!(
            "  {} line {}: {}\n",
            paint(WARN, "△"),
            unread.line,
            printable(&unread.reason.to_string())
        );
    }
    if report.more_unread > 0 {
        text += &format!("  {} and {} more lines\n", paint(WARN, "△"), report.more_unread);
    }
    if !report.skipped.is_empty() {
        text += &paint(DIM, format!("  left out: {}\n", kinds(&report.skipped)));
    }
    text
}

fn rate(context: &Context, args: &SessionsRateArgs) -> Result<Outcome, Failure> {
    let sessions = context.engine.sessions();
    let id = sessions.find(&args.id)?;
    let rated = sessions.rate(&id, args.run.as_deref(), args.rating.0, args.note.clone(), context.clock())?;
    let learned = context.engine.learn_from_rating(&rated, context.clock()).unwrap_or_else(|error| {
        let text = format!("nothing was learned from it: {}", prowess_text::describe_error(&error));
        output::err(&format!("{}: {}\n", paint(WARN, "note"), printable(&text)));
        Vec::new()
    });
    if context.json {
        output::json(&rated)?;
        return Ok(Outcome::Fine);
    }
    let (session, run) = (paint(BOLD, &rated.session), printable(&rated.run));
    output::out(&format!(
        "{} {session} run {run}: {}\n",
        paint(GOOD, "✓"),
        outcome_cell(&rated.outcome).painted()
    ))?;
    if !learned.is_empty() {
        let skills = printable(&learned.join(", "));
        output::out(&paint(DIM, format!("  learned how {skills} did such a task\n")))?;
    }
    Ok(Outcome::Fine)
}
