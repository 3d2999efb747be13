//! Drafts, for people and programs.

use prowess::forge::{DraftRecord, DraftStatus};
use prowess::printable;

use super::check_text;
use crate::answers::{DraftsAnswer, StoredDraftAnswer};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, Table, WARN, paint};

pub(super) fn list(context: &Context) -> Result<Outcome, Failure> {
    let forge = context.engine.forge();
    let records = forge.list()?;
    let unused = forge.unused(context.clock().now_ms())?;
    if context.json {
        output::json(&DraftsAnswer { drafts: &records, unused: &unused })?;
        return Ok(Outcome::Fine);
    }
    if records.is_empty() {
        output::out("No drafts. They are made of runs that worked: docs/forge.md\n")?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new(&["Draft", "State", "Seen", "Confidence", "Test", "Fingerprint"], 0);
    for record in &records {
        table.row([
            printable(&record.name).into(),
            state(record),
            format!("{}×", record.count).into(),
            record.confidence.name().into(),
            tested(record),
            Cell::styled(DIM, printable(&record.fingerprint)),
        ]);
    }
    let mut text = table.text();
    for one in unused {
        text += &format!(
            "{} nobody used {} for {} days: `prowess forge retire {}` takes it away, and can be undone\n",
            paint(WARN, "△"),
            paint(BOLD, printable(&one.name)),
            one.idle_days,
            printable(&one.name)
        );
    }
    output::out(&text)?;
    Ok(Outcome::Fine)
}

pub(super) fn show(context: &Context, name: &str) -> Result<Outcome, Failure> {
    let draft = context.engine.forge().show(name)?;
    if context.json {
        output::json(&StoredDraftAnswer {
            draft: &draft.record,
            files: &draft.files,
            hash: &draft.hash,
            passed: draft.has_passed(),
        })?;
        return Ok(Outcome::Fine);
    }
    let record = &draft.record;
    let mut text = format!("{} {}\n", paint(BOLD, printable(&record.name)), state(record).painted());
    let mut line = |label: &str, value: String| {
        text += &format!("  {} {}\n", paint(DIM, format!("{label:<11}")), printable(&value));
    };
    line(
        "seen",
        format!(
            "{} times, last in session {}",
            record.count,
            record.sessions.last().map_or("", |run| &run.session)
        ),
    );
    line("fingerprint", record.fingerprint.clone());
    if let Some(version) = record.current {
        line("version", version.to_string());
    }
    if record.has_data_risk {
        line("data risk", "a step touched private data without asking".to_owned());
    }
    for (relative, content) in &draft.files {
        text += &format!("\n{}\n{}", paint(DIM, format!("── {}", printable(relative))), safe(content));
    }
    if let Some(test) = &record.test {
        let word = if draft.has_passed() {
            "passed"
        } else if test.passed {
            "passed, but changed since"
        } else {
            "not passed"
        };
        text += &format!("\n{}\n", paint(DIM, format!("── test: {word}")));
        text.extend(test.checks.iter().map(check_text));
    }
    output::out(&text)?;
    Ok(Outcome::Fine)
}

fn state(record: &DraftRecord) -> Cell {
    let style = match record.status {
        DraftStatus::Waiting => WARN,
        DraftStatus::Promoted => GOOD,
        DraftStatus::Rejected => BAD,
        DraftStatus::RolledBack | DraftStatus::Retired => DIM,
    };
    Cell::styled(style, record.status.name())
}

fn tested(record: &DraftRecord) -> Cell {
    match &record.test {
        None => Cell::styled(DIM, "none yet"),
        Some(test) if test.passed => Cell::styled(GOOD, "passed"),
        Some(_) => Cell::styled(BAD, "not passed"),
    }
}

/// A line of a difference.
pub(super) fn diff_line(line: &str) -> String {
    let shown = printable(line);
    match line.chars().next() {
        Some('+') => paint(GOOD, shown),
        Some('-') => paint(BAD, shown),
        Some(' ') => shown,
        _ => paint(BOLD, shown),
    }
}

/// A text with its lines, but nothing else that a terminal would act on.
pub(super) fn safe(text: &str) -> String {
    text.lines().map(|line| printable(line) + "\n").collect()
}
