//! A session for people to read.

use std::fmt::Write as _;

use jiff::Timestamp;
use prowess_types::{Outcome, OutcomeResult, PromptedAs, PromptedSkill, TraceEvent, TraceLine};
use serde_json::Value;

use crate::Session;

/// Writes a session as Markdown, event by event. Foreign texts stand in fences that they cannot close.
pub fn markdown(session: &Session) -> String {
    let mut text = String::new();
    let mut run = "";
    for line in &session.lines {
        if line.run != run {
            run = &line.run;
            if !run.is_empty() && !matches!(line.event, TraceEvent::RunStarted { .. }) {
                let _ = writeln!(text, "## Run {} (continued)\n", code(run));
            }
        }
        event(&mut text, line);
    }
    if !session.unread.is_empty() {
        text += "## Not read\n\n";
        for unread in &session.unread {
            let _ = writeln!(text, "- line {}: {}", unread.line, code(&unread.reason.to_string()));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn event(text: &mut String, line: &TraceLine) {
    let _ = match &line.event {
        TraceEvent::Session { session, agent, workspace, imported_from, .. } => {
            let _ = write!(text, "# Session {}\n\n- agent: {}\n", code(session), code(agent));
            let _ = write!(text, "- workspace: {}\n- started: {}\n", code(workspace), moment(line.at));
            match imported_from {
                Some(from) => write!(text, "- imported from: {}\n\n", code(from)),
                None => writeln!(text),
            }
        }
        TraceEvent::RunStarted { message, backend, .. } => {
            let model =
                backend.model.as_ref().map(|model| format!(", model {}", code(model))).unwrap_or_default();
            let _ = write!(
                text,
                "## Run {}\n\n{}, {}{model}\n\n",
                code(&line.run),
                moment(line.at),
                code(&backend.name)
            );
            write!(text, "**User**\n\n{}", fenced("", message))
        }
        TraceEvent::Selection { decision, confidence, ranked, follow_up } => {
            let _ = writeln!(text, "**Ranking**: {} ({confidence:.2})\n", code(decision.as_str()));
            for skill in ranked {
                let _ = writeln!(text, "- {} {:.2}", code(&skill.name), skill.confidence);
            }
            if let Some(follow_up) = follow_up {
                let _ = writeln!(text, "- {}", code(&follow_up.to_string()));
            }
            writeln!(text)
        }
        TraceEvent::Prompt { chars, listed, skills, empty, .. } => {
            let told = prompt(text, *chars, *listed, skills);
            let mut reasons = empty.iter();
            told.and_then(|()| reasons.try_for_each(|reason| writeln!(text, "No skills: {}\n", code(reason))))
        }
        TraceEvent::Activation { skill, path, .. } => {
            writeln!(text, "**Skill** {} from {}\n", code(skill), code(path))
        }
        TraceEvent::Thought { text: thought } => write!(text, "**Thought**\n\n{}", fenced("", thought)),
        TraceEvent::ToolCall { tool, input, step, .. } => {
            let app =
                step.as_ref().and_then(|step| step.app.as_ref()).map(|app| format!(" in {}", code(app)));
            write!(
                text,
                "**Call** {}{}\n\n{}",
                code(tool),
                app.unwrap_or_default(),
                fenced("json", &pretty(input))
            )
        }
        TraceEvent::ToolResult { ok, output, omitted_bytes, exit_code, .. } => {
            let mut facts = vec![if *ok { "ok".to_owned() } else { "failed".to_owned() }];
            facts.extend(exit_code.map(|code| format!("exit code {code}")));
            facts.extend((*omitted_bytes > 0).then(|| format!("{omitted_bytes} bytes left out")));
            write!(text, "**Result** ({})\n\n{}", facts.join(", "), fenced("", output))
        }
        TraceEvent::Answer { text: answer } => write!(text, "**Agent**\n\n{}", fenced("", answer)),
        TraceEvent::CapabilityProbe { capability, phase, .. } => {
            writeln!(text, "**Capability** {} {}\n", code(capability), code(phase))
        }
        TraceEvent::HumanAuth { capability, answer } => {
            let answer = answer.as_ref().map_or_else(|| "open".to_owned(), |answer| code(answer));
            writeln!(text, "**Asked a person** for {}: {answer}\n", code(capability))
        }
        TraceEvent::Notice { kind, text: notice } => {
            writeln!(text, "**Notice** {}: {}\n", code(kind), code(notice))
        }
        TraceEvent::HarnessSession { harness, session } => {
            writeln!(text, "**Session of** {}: {}\n", code(harness), code(session))
        }
        TraceEvent::RunEnded { outcome, usage, ms, stopped } => {
            let stopped = if *stopped { ", stopped by the user" } else { "" };
            let time = ms.map(|ms| format!(", {ms} ms")).unwrap_or_default();
            let tokens = (usage.input_tokens, usage.output_tokens);
            writeln!(
                text,
                "**End**: {}{stopped}{time}, {} tokens in, {} out\n",
                said(outcome),
                tokens.0,
                tokens.1
            )
        }
        TraceEvent::Rating { outcome, note } => {
            let note = note.as_ref().map(|note| format!(": {}", code(note))).unwrap_or_default();
            writeln!(text, "**Rating**: {}{note}\n", said(outcome))
        }
        TraceEvent::Foreign { entry } => {
            write!(text, "**Foreign entry**\n\n{}", fenced("json", &pretty(entry)))
        }
    };
}

/// What the prompt of a run contained: its size, and every skill that was more than listed.
fn prompt(text: &mut String, chars: usize, listed: usize, skills: &[PromptedSkill]) -> std::fmt::Result {
    writeln!(text, "**Prompt**: {chars} characters, skills listed: {listed}\n")?;
    let given: Vec<_> = skills.iter().filter(|skill| skill.how != PromptedAs::Listed).collect();
    for skill in &given {
        let how = match skill.how {
            PromptedAs::Listed => "listed",
            PromptedAs::Text => "whole text",
            PromptedAs::Map => "map of its sections",
            PromptedAs::Pointer => "pointer to its file",
            PromptedAs::Again => "text given earlier in the session",
        };
        writeln!(text, "- {}: {how}", code(&skill.name))?;
    }
    if given.is_empty() { Ok(()) } else { writeln!(text) }
}

fn said(outcome: &Outcome) -> String {
    let detail = outcome.detail.as_ref().map(|detail| format!(" ({})", code(detail))).unwrap_or_default();
    format!("{}{detail}", name_of(outcome.result))
}

/// The word for a result, as it stands in files.
pub(crate) fn name_of(result: OutcomeResult) -> String {
    serde_json::to_value(result).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn moment(ms: u64) -> String {
    i64::try_from(ms)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .map_or_else(|| "at an unknown time".to_owned(), |moment| moment.to_string())
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

/// A text between fences longer than any in it.
fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n\n")
}

/// A text within a line, between marks longer than any in it.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let mark = "`".repeat(longest_run(&text) + 1);
    let space = if text.is_empty() || text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{mark}{space}{text}{space}{mark}")
}

fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
