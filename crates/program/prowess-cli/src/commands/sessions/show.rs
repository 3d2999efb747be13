//! `prowess sessions show`: a session in short, or every event of a run.

use jiff::Timestamp;
use prowess_sessions::StoredSession;
use prowess_text::printable;
use prowess_trace::RunSummary;
use prowess_types::{BackendKind, Outcome as RunOutcome, OutcomeResult, OutcomeSource, TraceEvent};

use crate::answers::{RunAnswer, SessionAnswer};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, WARN, paint};

/// Lines of a text that are shown among the events of a run.
const SHOWN_LINES: usize = 12;

pub(super) fn run(context: &Context, id: &str, run: Option<&str>) -> Result<Outcome, Failure> {
    let sessions = context.engine.sessions();
    let stored = sessions.show(&sessions.find(id)?)?;
    if let Some(run) = run {
        let summary = stored.run(Some(run))?;
        let lines: Vec<_> = stored.session.lines.iter().filter(|line| line.run == summary.run).collect();
        if context.json {
            output::json(&RunAnswer { id: &stored.id, run: summary, lines })?;
        } else {
            let events = lines.iter().map(|line| event_text(&line.event));
            output::out(&(run_text(summary) + "\n" + &events.collect::<String>()))?;
        }
        return Ok(Outcome::Fine);
    }
    if context.json {
        output::json(&SessionAnswer {
            id: &stored.id,
            folder: sessions.folder_of(&stored.id).display().to_string(),
            summary: &stored.summary,
            unread: &stored.session.unread,
            unknown_fields: &stored.session.unknown_fields,
        })?;
    } else {
        output::out(&session_text(&stored))?;
    }
    Ok(Outcome::Fine)
}

fn session_text(stored: &StoredSession) -> String {
    let summary = &stored.summary;
    let mut text = format!("{}\n", paint(BOLD, &stored.id));
    let mut fact =
        |name: &str, value: String| text += &format!("  {} {value}\n", paint(DIM, format!("{name:<9}")));
    fact("agent", printable(&summary.agent));
    fact("workspace", printable(&summary.workspace));
    if let Some(from) = &summary.imported_from {
        fact("from", printable(from));
    }
    fact("time", format!("{} to {}", moment(summary.started), moment(summary.ended)));
    fact("tokens", format!("{} in, {} out", summary.usage.input_tokens, summary.usage.output_tokens));
    for run in &summary.runs {
        text.push('\n');
        text += &run_text(run);
    }
    if summary.foreign > 0 {
        text += &format!("\n{} foreign entries, kept as they were: {}\n", paint(WARN, "△"), summary.foreign);
    }
    for unread in &stored.session.unread {
        let reason = printable(&unread.reason.to_string());
        text += &format!("{} line {} was not read: {reason}\n", paint(WARN, "△"), unread.line);
    }
    text
}

fn run_text(run: &RunSummary) -> String {
    let part =
        run.parent.as_ref().map(|parent| format!(" (started by {})", printable(parent))).unwrap_or_default();
    let mut text = format!("{}{part} {}\n", paint(BOLD, printable(&run.run)), first_line(&run.message));
    let outcome = outcome_cell(&run.outcome).painted();
    let detail =
        run.outcome.detail.as_deref().map(|detail| format!(": {}", first_line(detail))).unwrap_or_default();
    text += &format!("  {outcome} {}{detail}\n", paint(DIM, format!("({})", said_by(run))));
    let mut list = |name: &str, items: Vec<String>| {
        if !items.is_empty() {
            text += &format!("  {} {}\n", paint(DIM, name), items.join(", "));
        }
    };
    list("prompt", prompt_facts(run).into_iter().collect());
    let names = |skills: &[String]| skills.iter().map(|skill| printable(skill)).collect();
    // Without the prompt, what came into use is all that is known.
    if run.prompt.is_some() {
        list("loaded", names(&run.loaded));
    }
    list("skills", names(&run.skills));
    let tools = run.tools.iter().map(|(tool, used)| {
        let failed = if used.failed > 0 { format!(" ({} failed)", used.failed) } else { String::new() };
        format!("{} ×{}{failed}", printable(tool), used.calls)
    });
    list("tools", tools.collect());
    list("model", run.backend.model.iter().map(|model| printable(model)).collect());
    list("answer", run.answer.iter().map(|answer| first_line(answer)).collect());
    list("note", run.note.iter().map(|note| first_line(note)).collect());
    text
}

/// What the model was shown, as far as it was recorded. Runs of other programs never record it.
fn prompt_facts(run: &RunSummary) -> Option<String> {
    match &run.prompt {
        Some(prompt) => Some(format!(
            "{} characters, {} shown{}",
            prompt.chars,
            super::super::count(prompt.shown.len(), "skill", "skills"),
            prompt.empty.as_ref().map(|empty| format!(": {}", first_line(empty))).unwrap_or_default()
        )),
        None if run.backend.kind == BackendKind::Model => Some("not recorded".to_owned()),
        None => None,
    }
}

fn said_by(run: &RunSummary) -> &'static str {
    match run.outcome.by {
        OutcomeSource::User => "you say",
        OutcomeSource::Agent => "the agent says",
        OutcomeSource::Classifier => "its errors say",
        OutcomeSource::Nobody if run.stopped => "you stopped it",
        OutcomeSource::Nobody if !run.ended => "it has no end",
        OutcomeSource::Nobody => "not rated",
    }
}

/// The result of a run, in a word.
pub(super) fn outcome_cell(outcome: &RunOutcome) -> Cell {
    match outcome.result {
        OutcomeResult::Success => Cell::styled(GOOD, "✓ success"),
        OutcomeResult::DependencyMissing => Cell::styled(BAD, "✗ dependency missing"),
        OutcomeResult::AuthError => Cell::styled(BAD, "✗ auth error"),
        OutcomeResult::ApiError => Cell::styled(BAD, "✗ api error"),
        OutcomeResult::TaskMismatch => Cell::styled(BAD, "✗ task mismatch"),
        OutcomeResult::RuntimeError => Cell::styled(BAD, "✗ runtime error"),
        OutcomeResult::Unknown => Cell::styled(DIM, "? unknown"),
    }
}

/// A moment in UTC, to the minute.
pub(in crate::commands) fn moment(ms: u64) -> String {
    let moment = i64::try_from(ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    moment.map_or_else(|| "?".to_owned(), |moment| moment.strftime("%Y-%m-%d %H:%M").to_string())
}

fn event_text(event: &TraceEvent) -> String {
    match event {
        TraceEvent::RunStarted { message, .. } => titled("user", message),
        TraceEvent::Selection { decision, confidence, ranked, follow_up } => {
            let names: Vec<String> = ranked
                .iter()
                .map(|skill| format!("{} {:.2}", printable(&skill.name), skill.confidence))
                .collect();
            let follow_up =
                follow_up.as_ref().map(|it| format!("\n{}", printable(&it.to_string()))).unwrap_or_default();
            let names = names.join(", ");
            titled("ranking", &format!("{} ({confidence:.2}): {names}{follow_up}", decision.as_str()))
        }
        TraceEvent::Prompt { chars, listed, skills, empty, .. } => {
            let loaded: Vec<&str> = skills
                .iter()
                .filter(|skill| skill.how.is_loaded())
                .map(|skill| skill.name.as_str())
                .collect();
            let texts = if loaded.is_empty() { "none".to_owned() } else { loaded.join(", ") };
            let empty = empty.as_ref().map(|reason| format!("\nno skills: {reason}")).unwrap_or_default();
            titled("prompt", &format!("{chars} characters, skills listed: {listed}, texts: {texts}{empty}"))
        }
        TraceEvent::Activation { skill, path, .. } => titled("skill", &format!("{skill} {path}")),
        TraceEvent::Thought { text } => titled("thought", text),
        TraceEvent::ToolCall { tool, input, step, .. } => {
            let app = step.as_ref().and_then(|step| step.app.as_ref()).map(|app| format!(" in {app}"));
            titled("call", &format!("{tool}{} {input}", app.unwrap_or_default()))
        }
        TraceEvent::ToolResult { ok, output, exit_code, .. } => {
            let code = exit_code.filter(|code| *code != 0).map(|code| format!("exit code {code}\n"));
            titled(if *ok { "result" } else { "failed" }, &(code.unwrap_or_default() + output))
        }
        TraceEvent::Answer { text } => titled("agent", text),
        TraceEvent::CapabilityProbe { capability, phase, .. } => {
            titled("probe", &format!("{capability} {phase}"))
        }
        TraceEvent::HumanAuth { capability, answer } => {
            titled("person", &format!("{capability}: {}", answer.as_deref().unwrap_or("open")))
        }
        TraceEvent::Notice { kind, text } => titled("notice", &format!("{kind}: {text}")),
        TraceEvent::HarnessSession { harness, session } => titled("session", &format!("{harness} {session}")),
        TraceEvent::Foreign { entry } => titled("foreign", &entry.to_string()),
        TraceEvent::Rating { outcome, note } => {
            let word = outcome_cell(outcome).painted();
            format!("  {} {word} {}\n", label("rating"), first_line(note.as_deref().unwrap_or_default()))
        }
        // They are above the events.
        TraceEvent::Session { .. } | TraceEvent::RunEnded { .. } => String::new(),
    }
}

fn label(name: &str) -> String {
    paint(DIM, format!("{name:<9}"))
}

/// A text under its name: its first lines, made safe for a terminal.
fn titled(name: &str, text: &str) -> String {
    let text = printable(text);
    let mut lines = text.trim().lines();
    let mut shown = format!("  {} {}\n", label(name), lines.next().unwrap_or_default());
    for line in lines.by_ref().take(SHOWN_LINES - 1) {
        shown += &format!("            {line}\n");
    }
    let more = lines.count();
    if more > 0 {
        shown += &format!("            {}\n", paint(DIM, format!("… {more} more lines")));
    }
    shown
}

fn first_line(text: &str) -> String {
    let text = printable(text.trim());
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_some() { format!("{first} …") } else { first.to_owned() }
}
