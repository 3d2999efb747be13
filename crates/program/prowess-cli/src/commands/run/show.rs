//! A run as it is watched: words on standard output, everything else beside it.

use prowess_agent::{RunProgress, RunReport, TurnEvent};
use prowess_text::{printable, printable_lines};

use super::write_now;
use crate::failure::Failure;
use crate::output::{self, BAD, DIM, GOOD, WARN, paint};

/// As much of a tool's input as is shown, in characters.
const INPUT: usize = 100;

pub(super) struct Shown {
    silent: bool,
    /// True if words were written and the line is still open.
    in_line: bool,
    wrote: bool,
}

impl Shown {
    pub(super) fn new(silent: bool) -> Self {
        Self { silent, in_line: false, wrote: false }
    }

    pub(super) fn progress(&mut self, progress: &RunProgress) {
        if self.silent {
            return;
        }
        match progress {
            RunProgress::Turn(TurnEvent::Text(text)) => {
                write_now(&printable_lines(text));
                self.in_line = !text.ends_with('\n');
                self.wrote = true;
            }
            RunProgress::Turn(TurnEvent::ToolStarted { tool, input, .. }) => {
                let input: String = input.to_string().chars().take(INPUT).collect();
                self.beside(&paint(DIM, format!("→ {} {}", printable(tool), printable(&input))));
            }
            RunProgress::Turn(TurnEvent::ToolEnded { tool, output, .. }) => {
                let mark = if output.ok { paint(GOOD, "✓") } else { paint(BAD, "✗") };
                self.beside(&format!("{mark} {}", paint(DIM, printable(tool))));
            }
            RunProgress::Turn(TurnEvent::Activated { skill }) => {
                self.beside(&paint(DIM, format!("◆ skill {}", printable(skill))));
            }
            RunProgress::Turn(TurnEvent::Retry { reason, after }) => {
                let text = format!("{}; retrying in {:.1} s", printable(reason), after.as_secs_f64());
                self.beside(&format!("{}: {text}", paint(WARN, "retry")));
            }
            RunProgress::Turn(TurnEvent::Trimmed) => {
                self.beside(&paint(WARN, "the oldest part of the conversation was left out"));
            }
            RunProgress::Notice(text) => {
                self.beside(&format!("{}: {}", paint(WARN, "note"), printable(text)));
            }
            RunProgress::Turn(TurnEvent::Thinking(_) | TurnEvent::Calling { .. })
            | RunProgress::Started { .. } => {}
        }
    }

    /// What is left to say at the end.
    pub(super) fn report(&mut self, report: &RunReport, quiet: bool) -> Result<(), Failure> {
        if !self.wrote && !report.answer.is_empty() {
            output::out(&format!("{}\n", printable_lines(&report.answer)))?;
        }
        self.end_line();
        if let Some(error) = &report.error {
            output::err(&format!("{}: {}\n", paint(BAD.bold(), "error"), printable(error)));
        }
        if let Some(draft) = report.draft.as_ref().filter(|_| !quiet) {
            let name = printable(&draft.name);
            let text = format!("this could be a skill: `prowess forge show {name}`");
            output::err(&format!("{}\n", paint(DIM, text)));
        }
        if report.stopped {
            output::err(&format!("{}\n", paint(WARN, "stopped")));
        }
        if !quiet {
            let tokens = report.usage.input_tokens + report.usage.output_tokens;
            let text = format!(
                "session {} · {} · {tokens} tokens · {:.1} s",
                report.session,
                printable(&skills(report)),
                std::time::Duration::from_millis(report.ms).as_secs_f64()
            );
            output::err(&format!("{}\n", paint(DIM, text)));
        }
        Ok(())
    }

    fn beside(&mut self, line: &str) {
        self.end_line();
        output::err(&format!("{line}\n"));
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.in_line) {
            write_now("\n");
        }
    }
}

/// The recorded facts about skills: how many the model was shown, which texts it had, which were used.
fn skills(report: &RunReport) -> String {
    let names = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    match &report.prompt {
        Some(prompt) => format!(
            "skills shown {}, loaded {}, used {}",
            prompt.shown.len(),
            names(&report.loaded),
            names(&report.skills)
        ),
        None => format!("skills {}", names(&report.skills)),
    }
}
