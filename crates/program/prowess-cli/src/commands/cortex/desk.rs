//! Who decides while a task is done with a new skill: the person at the terminal.

use std::time::Duration;

use prowess_acquire::{InstallConsent, Plan};
use prowess_agent::RunReport;
use prowess_learn::cortex::{Attempt, Desk, Learned, Offer, Perceived, TaskPlan};
use prowess_text::printable;
use prowess_types::{InstallOption, Requirements};

use super::show;
use crate::args::{CortexRunArgs, DepsArgs};
use crate::commands::acquire::told;
use crate::commands::run::turn;
use crate::commands::{deps, missing};
use crate::context::Context;
use crate::failure::Outcome;
use crate::output::{BAD, BOLD, DIM, WARN, err as say, paint};
use crate::prompt::{agrees, is_somebody_there, line};

/// The person at the terminal. `--yes` agrees to what nothing speaks against, and to nothing else.
pub(super) struct Terminal<'a> {
    context: &'a Context,
    args: &'a CortexRunArgs,
}

impl<'a> Terminal<'a> {
    pub(super) fn new(context: &'a Context, args: &'a CortexRunArgs) -> Self {
        Self { context, args }
    }

    /// Returns true if somebody agrees; without anybody there, only `--yes` does.
    fn ask(&self, question: &str) -> bool {
        if self.args.run.yes {
            return true;
        }
        is_somebody_there() && agrees(question).unwrap_or(false)
    }

    /// Returns true if somebody agrees in person.
    fn ask_in_person(question: &str) -> bool {
        is_somebody_there() && agrees(question).unwrap_or(false)
    }
}

impl Desk for Terminal<'_> {
    fn choose(&mut self, seen: &Perceived, left: &[Offer]) -> Option<usize> {
        let known = seen.region.as_ref().map(|region| printable(&region.region));
        let known = known.map(|region| format!(" for {region}")).unwrap_or_default();
        say(&format!("{}{known}\n", paint(BOLD, "Candidates")));
        for (place, offer) in left.iter().enumerate() {
            say(&show::offer(place + 1, offer));
        }
        if let Some(wanted) = &self.args.use_skill {
            return left.iter().position(|offer| offer.slug == *wanted || offer.reference == *wanted);
        }
        if !is_somebody_there() {
            say("There is no terminal to choose a skill: name it with `--use-skill`.\n");
            return None;
        }
        let answer = line(&format!("Install which one? [1-{}, n] ", left.len())).ok()?;
        answer.trim().parse::<usize>().ok()?.checked_sub(1).filter(|place| *place < left.len())
    }

    fn announce(&mut self, notice: &str) -> bool {
        let lines: Vec<String> = notice.lines().map(printable).collect();
        say(&format!("{}\n", lines.join("\n")));
        if !is_somebody_there() {
            // Nobody could cancel it, so somebody must have agreed before.
            return self.args.run.yes;
        }
        let answer = line("[Enter] continues, `cancel` stops: ").unwrap_or_else(|_| "cancel".to_owned());
        !matches!(answer.trim().to_lowercase().as_str(), "cancel" | "c" | "n" | "no")
    }

    fn admit(&mut self, plan: &Plan) -> Option<InstallConsent> {
        say(&told::plan(plan));
        match plan.needs() {
            None => {
                say(&format!("{}\n", paint(BAD, printable(&plan.review.reasons.join("; ")))));
                None
            }
            Some(InstallConsent::Given) => {
                let question = format!("Install `{}`?", printable(&plan.name));
                self.ask(&question).then_some(InstallConsent::Given)
            }
            Some(despite) => {
                let question = format!("`{}` has warnings. Install anyway?", printable(&plan.name));
                Self::ask_in_person(&question).then_some(despite)
            }
        }
    }

    fn confirm(&mut self, plan: &TaskPlan) -> bool {
        say(&show::plan(plan));
        self.ask("Go on?")
    }

    fn provide(&mut self, skill: &str, lacking: &Requirements, ways: &[InstallOption]) -> bool {
        say(&format!("`{}` has missing requirements: {}\n", printable(skill), missing(lacking)));
        for way in ways {
            say(&format!("  {}: {}\n", printable(&way.id), printable(&way.label)));
        }
        let Some(way) = ways.first() else { return false };
        if !is_somebody_there() {
            say(&format!("{}\n", paint(DIM, format!("`prowess deps {}` installs it", printable(skill)))));
            return false;
        }
        // A consent of its own, which `--yes` does not give: the command is shown, and asked about.
        let args = DepsArgs::asked(skill, &way.id);
        match deps::run(self.context, &args) {
            Ok(outcome) => outcome == Outcome::Fine,
            Err(failure) => {
                say(&format!("{}\n", failure.message()));
                false
            }
        }
    }

    fn execute(&mut self, _: &str, message: &str) -> Result<RunReport, String> {
        let turn = self
            .context
            .view()
            .and_then(|view| turn(self.context, &view, &self.args.run, message, None, /*learn*/ false));
        turn.map_err(|failure| failure.message())
    }

    fn wait(&mut self, ms: u64) {
        say(&format!("{}\n", paint(WARN, "The service failed; retrying.")));
        std::thread::sleep(Duration::from_millis(ms));
    }

    fn switch(&mut self, failed: &Attempt, next: &Offer) -> bool {
        let reason = failed.reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let text = format!("`{}` did not do it{}.", failed.slug, reason);
        say(&format!("{}\n", paint(WARN, printable(&text))));
        Self::ask_in_person(&format!("Try `{}` instead?", printable(&next.slug)))
    }

    fn keep(&mut self, learned: &Learned) -> bool {
        let question = format!(
            "`{}` proved itself for {}. Keep it installed?",
            printable(&learned.slug),
            printable(&learned.region)
        );
        Self::ask_in_person(&question)
    }

    fn tell(&mut self, text: &str) {
        say(&format!("{}\n", paint(WARN, printable(text))));
    }
}
