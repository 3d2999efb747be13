//! Drafts, for people and programs.

use prowess_learn::forge::{DraftRecord, DraftStatus, ReplayPreview, ReplayState, TestState};
use prowess_text::{printable, printable_lines};

use super::{check_text, count};
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
        output::out("No drafts yet. Create one from a successful run with `prowess forge draft last`.\n")?;
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
            "{} {} was not used for {} days: `prowess forge retire {}` removes it (`prowess forge restore` brings it back)\n",
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
    let forge = context.engine.forge();
    let draft = forge.show(name)?;
    let preview = forge.replay_preview(&draft);
    if context.json {
        output::json(&StoredDraftAnswer {
            draft: &draft.record,
            files: &draft.files,
            hash: &draft.hash,
            passed: draft.has_passed(),
            replay: &preview,
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
        text += &format!("\n{}\n{}", paint(DIM, format!("── {}", printable(relative))), whole_lines(content));
    }
    if draft.script().is_some() {
        text += &format!("\n{}", replay(&preview));
    }
    if let Some(test) = &record.test {
        let is_current = test.hash == draft.hash;
        let since = if is_current { "" } else { ", but the draft was changed since" };
        let word = format!("{}{since}", test.state.name());
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
    if record.proposed {
        return Cell::styled(WARN, format!("{}, new version waits", record.status.name()));
    }
    Cell::styled(style, record.status.name())
}

fn tested(record: &DraftRecord) -> Cell {
    match &record.test {
        None => Cell::styled(DIM, "none yet"),
        Some(test) => {
            let style = match test.state {
                TestState::Passed => GOOD,
                TestState::Failed => BAD,
                TestState::Incomplete => WARN,
            };
            Cell::styled(style, test.state.name())
        }
    }
}

/// The script exactly as a test runs it, and what the scanner says about it.
pub(super) fn replay(preview: &ReplayPreview) -> String {
    let Some(script) = &preview.script else {
        let reason = printable(preview.reason.as_deref().unwrap_or_default());
        return format!("{}\n", paint(DIM, format!("── replay: not possible: {reason}")));
    };
    let session = printable(preview.session.as_deref().unwrap_or_default());
    let head = format!("── replay: what `forge test` runs, with the values of session {session}");
    let mut text = format!("{}\n{}", paint(DIM, head), whole_lines(script));
    if preview.redacted > 0 {
        text += &format!(
            "{} {} shown as [secret: …]; the script runs with what the session recorded\n",
            paint(WARN, "△"),
            count(preview.redacted, "secret is", "secrets are")
        );
    }
    let verdict = preview.verdict.as_deref().unwrap_or_default();
    let style = match preview.state {
        ReplayState::Refused => BAD,
        _ if preview.findings.is_empty() => GOOD,
        _ => WARN,
    };
    text += &format!("scan of this script: {}\n", paint(style, verdict));
    text.extend(preview.findings.iter().map(|finding| format!("    {}\n", printable(finding))));
    if let (ReplayState::Refused, Some(reason)) = (preview.state, &preview.reason) {
        text += &format!("{} {}: it does not run\n", paint(BAD, "✗"), printable(reason));
    }
    text
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

/// A text that a terminal prints, ending with a line break.
pub(super) fn whole_lines(text: &str) -> String {
    let mut shown = printable_lines(text);
    if !shown.is_empty() && !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown
}
