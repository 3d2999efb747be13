//! Who decides while a task is done with a new skill: the person at the terminal.

use std::time::Duration;

use prowess_acquire::{InstallConsent, Plan};
use prowess_agent::{Answerer, RunReport, check_run};
use prowess_learn::cortex::{Attempt, Desk, InstallAdmission, Learned, Offer, Perceived, TaskPlan};
use prowess_text::printable;
use prowess_types::{InstallOption, Requirements};

use super::show;
use crate::args::{CortexRunArgs, DepsArgs};
use crate::commands::acquire::told;
use crate::commands::run::{turn, workspace};
use crate::commands::{deps, missing};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{BAD, BOLD, DIM, WARN, err as say, paint};
use crate::prompt::{agrees, is_somebody_there, line};

/// The person at the terminal. `--yes` agrees to what nothing speaks against, and to nothing else.
pub(super) struct Terminal<'a> {
    context: &'a Context,
    args: &'a CortexRunArgs,
    /// The reason that nothing could be used.
    failure: Option<Failure>,
}

impl<'a> Terminal<'a> {
    pub(super) fn new(context: &'a Context, args: &'a CortexRunArgs) -> Self {
        Self { context, args, failure: None }
    }

    /// Takes the reason that nothing could be used, if that is so.
    pub(super) fn failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    /// Fails if no model or program could answer, or not in this workspace.
    fn check(&self) -> Result<(), Failure> {
        workspace::ask_before_a_run(self.context, &self.args.run)?;
        let view = self.context.view()?;
        let answerer = match &self.args.run.with {
            Some(program) => Answerer::Harness(program.clone()),
            None => Answerer::Model(self.args.run.model.clone()),
        };
        Ok(check_run(&self.context.engine, &view, &answerer)?)
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

/// `todo-a`, then `todo-b`, then `todo-c`.
fn in_order(offers: &[Offer]) -> String {
    let names: Vec<String> = offers.iter().map(|offer| format!("`{}`", printable(&offer.slug))).collect();
    names.join(", then ")
}

impl Desk for Terminal<'_> {
    fn is_ready(&mut self) -> bool {
        self.failure = self.check().err();
        self.failure.is_none()
    }

    fn is_present(&self) -> bool {
        is_somebody_there()
    }

    fn may_agree(&self) -> bool {
        self.args.run.yes || is_somebody_there()
    }

    fn choose(&mut self, seen: &Perceived, left: &[Offer]) -> Option<usize> {
        let known = seen.region.as_ref().map(|region| printable(&region.region));
        let known = known.map(|region| format!(" for {region}")).unwrap_or_default();
        say(&format!("{}{known}\n", paint(BOLD, "Candidates")));
        for (place, offer) in left.iter().enumerate() {
            say(&show::offer(place + 1, offer));
        }
        let is_there = is_somebody_there();
        if let Some(wanted) = &self.args.use_skill {
            let place = left.iter().position(|offer| offer.slug == *wanted || offer.reference == *wanted);
            if place.is_none() {
                say(&format!("`{}` is not one of the candidates.\n", printable(wanted)));
            } else if !self.may_agree() {
                say("There is no terminal to ask: agree to it with `--yes`.\n");
                return None;
            }
            return place;
        }
        if !is_there {
            say("There is no terminal to choose a skill: name it with `--use-skill`.\n");
            return None;
        }
        let answer = line(&format!("Install which one? [1-{}, n] ", left.len())).ok()?;
        answer.trim().parse::<usize>().ok()?.checked_sub(1).filter(|place| *place < left.len())
    }

    fn agree(&mut self, covered: &[Offer]) -> bool {
        let Some(first) = covered.first() else { return false };
        let order = in_order(covered);
        if self.args.run.yes {
            say(&format!("Yes covers: {order} if the install fails; none that has warnings.\n"));
            return true;
        }
        let name = printable(&first.slug);
        self.ask(&if covered.len() > 1 {
            format!("Install `{name}`? Yes covers: {order} if the install fails; none that has warnings.")
        } else {
            format!("Install `{name}`?")
        })
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

    fn admit(&mut self, plan: &Plan, is_covered: bool) -> InstallAdmission {
        say(&told::plan(plan));
        let name = printable(&plan.name);
        match plan.needs() {
            None => {
                say(&format!("{}\n", paint(BAD, printable(&plan.review.reasons.join("; ")))));
                InstallAdmission::Declined
            }
            Some(InstallConsent::Given) => {
                if is_covered || self.ask(&format!("Install `{name}`?")) {
                    InstallAdmission::Given(InstallConsent::Given)
                } else {
                    InstallAdmission::Declined
                }
            }
            Some(_) if !is_somebody_there() => InstallAdmission::Unasked,
            Some(despite) => {
                if Self::ask_in_person(&format!("`{name}` has warnings. Install anyway?")) {
                    InstallAdmission::Given(despite)
                } else {
                    InstallAdmission::Declined
                }
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

    fn switch(&mut self, failed: &Attempt, covered: &[Offer], install: &Plan, plan: &TaskPlan) -> bool {
        let Some(next) = covered.first() else { return false };
        let reason = failed.reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let text = format!("`{}` did not do it{}.", failed.slug, reason);
        say(&format!("{}\n", paint(WARN, printable(&text))));
        say(&told::plan(install));
        say(&show::plan(plan));
        let warnings = if install.needs() == Some(InstallConsent::Given) { "" } else { "It has warnings. " };
        let order = match covered {
            [_] => String::new(),
            _ => format!(" Yes covers: {} if the install fails.", in_order(covered)),
        };
        Self::ask_in_person(&format!("{warnings}Try `{}` instead?{order}", printable(&next.slug)))
    }

    fn keep(&mut self, learned: &Learned) -> Option<bool> {
        let question = format!(
            "`{}` proved itself for {}. Keep it installed?",
            printable(&learned.slug),
            printable(&learned.region)
        );
        is_somebody_there().then(|| Self::ask_in_person(&question))
    }

    fn tell(&mut self, text: &str) {
        say(&format!("{}\n", paint(WARN, printable(text))));
    }
}
