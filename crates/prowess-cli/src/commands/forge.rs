//! `prowess forge`

mod show;

use std::io::IsTerminal as _;

use prowess::forge::{Check, CheckVerdict, Consent, ForgeError, Promoted, Replaying, TestReport};
use prowess::printable;

use super::{count, shown};
use crate::answers::TextDiffAnswer;
use crate::args::{Confirmed, ForgeCommand};
use crate::context::Context;
use crate::failure::{Code, Failure, Outcome};
use crate::output::{self, BAD, BOLD, DIM, GOOD, ProgressLine, WARN, paint};

pub(crate) fn run(context: &Context, command: &ForgeCommand) -> Result<Outcome, Failure> {
    let forge = context.engine.forge();
    let now = context.clock().now_ms();
    match command {
        ForgeCommand::List => show::list(context),
        ForgeCommand::Show(draft) => show::show(context, &draft.name),
        ForgeCommand::Draft { session, run } => {
            let session = context.engine.sessions().find(session)?;
            let record = forge.draft(&*context.view()?, &session, run.as_deref(), now)?;
            if context.json {
                output::json(&record)?;
            } else {
                let times =
                    if record.count > 1 { format!(", {} times so far", record.count) } else { String::new() };
                output::out(&format!(
                    "{} draft {}{times}; look at it with `prowess forge show {}`\n",
                    paint(GOOD, "✓"),
                    paint(BOLD, printable(&record.name)),
                    printable(&record.name)
                ))?;
            }
            Ok(Outcome::Fine)
        }
        ForgeCommand::Improve { name, model } => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let improving = forge.improve(context.agent.as_deref(), name, model.as_deref(), now);
            let improved = runtime.block_on(improving)?;
            if context.json {
                output::json(&improved)?;
            } else {
                let (before, after) = (printable(&improved.before), printable(&improved.after));
                output::out(&format!("{} {before}\n{} {after}\n", paint(BAD, "-"), paint(GOOD, "+")))?;
            }
            Ok(Outcome::Fine)
        }
        ForgeCommand::Diff(draft) => {
            let diff = forge.diff(&draft.name)?;
            if context.json {
                output::json(&TextDiffAnswer { diff })?;
            } else if diff.is_empty() {
                output::out("Nothing would change.\n")?;
            } else {
                output::out(&diff.lines().map(|line| show::diff_line(line) + "\n").collect::<String>())?;
            }
            Ok(Outcome::Fine)
        }
        ForgeCommand::Test(args) => test(context, args),
        ForgeCommand::Promote(args) => promote(context, args),
        ForgeCommand::Reject { name, reason } => {
            let record = forge.reject(name, reason.as_deref(), now)?;
            if context.json {
                output::json(&record)?;
            } else {
                output::out(&format!(
                    "{} is rejected and will not be offered again.\n",
                    printable(&record.name)
                ))?;
            }
            Ok(Outcome::Fine)
        }
        ForgeCommand::Rollback(draft) => {
            let promoted = forge.rollback(&draft.name, now)?;
            let what = match promoted.version {
                Some(version) => format!("version {version} is used again"),
                None => "it is a draft again, and in no prompt".to_owned(),
            };
            moved(context, &promoted, &what)
        }
        ForgeCommand::Retire(draft) => {
            let promoted = forge.retire(&draft.name, now)?;
            let what =
                format!("taken away; `prowess forge restore {}` brings it back", printable(&promoted.name));
            moved(context, &promoted, &what)
        }
        ForgeCommand::Restore(draft) => moved(context, &forge.restore(&draft.name, now)?, "it is back"),
    }
}

fn test(context: &Context, args: &Confirmed) -> Result<Outcome, Failure> {
    let forge = context.engine.forge();
    let draft = forge.show(&args.name)?;
    let replaying = match draft.script() {
        Some(script) if !args.yes && can_ask(context) => {
            output::err(&format!("{}\n{}\n", paint(BOLD, "The script of the draft:"), show::safe(script)));
            let question = "Run it in a copy of the workspace, with the values of its session?";
            if confirm(question)? { Replaying::Allowed } else { Replaying::Refused }
        }
        _ if args.yes => Replaying::Allowed,
        _ => Replaying::Refused,
    };
    let mut line = ProgressLine::new();
    let now = context.clock().now_ms();
    let report = forge.test(&*context.view()?, &draft.record.name, replaying, now, |progress| {
        line.step("reading skills", progress.done, progress.total);
    })?;
    drop(line);
    if context.json {
        output::json(&report)?;
    } else {
        output::out(&report_text(&report, &draft.record.name))?;
    }
    Ok(if report.passed { Outcome::Fine } else { Outcome::Findings })
}

fn promote(context: &Context, args: &Confirmed) -> Result<Outcome, Failure> {
    let forge = context.engine.forge();
    let draft = forge.show(&args.name)?;
    let consent = if args.yes {
        Consent::Person
    } else if !forge.promotes_tested() && draft.has_passed() && can_ask(context) {
        let places = forge.target(context.agent.as_deref(), &draft)?;
        output::err("These files will be written:\n");
        for path in &places {
            output::err(&format!("  {}\n", shown(path)));
        }
        if !confirm(&format!("Make `{}` a skill?", printable(&draft.record.name)))? {
            return Err(Failure::new(Code::NotAgreed, "nothing was promoted".to_owned()));
        }
        Consent::Person
    } else {
        Consent::Policy
    };
    let now = context.clock().now_ms();
    let promoted = forge.promote(context.agent.as_deref(), &draft.record.name, consent, now)?;
    let version = promoted.version.unwrap_or_default();
    moved(context, &promoted, &format!("version {version} is a skill now"))
}

fn moved(context: &Context, promoted: &Promoted, what: &str) -> Result<Outcome, Failure> {
    if context.json {
        output::json(promoted)?;
    } else {
        let name = paint(BOLD, printable(&promoted.name));
        let mut text = format!("{} {name}: {what}\n", paint(GOOD, "✓"));
        for path in &promoted.files {
            text += &format!("  {}\n", paint(DIM, shown(path)));
        }
        output::out(&text)?;
    }
    Ok(Outcome::Fine)
}

fn report_text(report: &TestReport, name: &str) -> String {
    let mut text: String = report.checks.iter().map(check_text).collect();
    text += &if report.passed {
        format!("{} passed; `prowess forge promote {}` makes it a skill\n", paint(GOOD, "✓"), printable(name))
    } else {
        let failed = report.checks.iter().filter(|check| check.verdict == CheckVerdict::Failed).count();
        format!("{} {} failed\n", paint(BAD, "✗"), count(failed, "check", "checks"))
    };
    text
}

fn check_text(check: &Check) -> String {
    let mark = match check.verdict {
        CheckVerdict::Passed => paint(GOOD, "✓"),
        CheckVerdict::Failed => paint(BAD, "✗"),
        CheckVerdict::Skipped => paint(WARN, "–"),
    };
    let mut details = check.details.iter().map(|detail| printable(detail));
    let first = details.next().unwrap_or_default();
    let mut text = format!("{mark} {}: {first}\n", check.name.name());
    text.extend(details.map(|detail| format!("    {detail}\n")));
    text
}

/// Whether somebody can be asked.
fn can_ask(context: &Context) -> bool {
    !context.json && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks; only a clear yes is one.
fn confirm(question: &str) -> Result<bool, Failure> {
    output::err(&format!("{question} [y/N]: "));
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

impl From<ForgeError> for Failure {
    fn from(error: ForgeError) -> Self {
        let told = |code| Self::of(code, &error);
        match error {
            ForgeError::Engine(error) => error.into(),
            ForgeError::Choose(error) => error.into(),
            ForgeError::Session(error) => error.into(),
            ForgeError::Model(error) => error.into(),
            ForgeError::NoDescription => {
                told(Code::NotFound).hint("try again, or write it yourself: a draft may be edited")
            }
            ForgeError::Unknown(_) => told(Code::NotFound).hint("`prowess forge list` shows the drafts"),
            ForgeError::Ambiguous { .. } => {
                told(Code::Ambiguous).hint("`prowess forge list` shows the drafts")
            }
            ForgeError::NotSuccessful { ref session, .. } => {
                let hint = format!("if it did, say so: `prowess sessions rate {session} good`");
                told(Code::NotReady).hint(hint)
            }
            ForgeError::NotTested(ref name) => {
                let hint = format!("`prowess forge test {name}` tests it");
                told(Code::NotReady).hint(hint)
            }
            ForgeError::NoConsent(ref name) => {
                let hint = format!(
                    "`prowess forge promote {name} --yes` says yes; so does `forge.policy: \"tested\"`"
                );
                told(Code::NotAgreed).hint(hint)
            }
            ForgeError::Changed(_) | ForgeError::Taken(_) => {
                told(Code::AlreadyThere).hint("move it away first, or keep it")
            }
            ForgeError::SwitchedOff => {
                told(Code::Refused).hint("`prowess config get forge` shows the settings of the forge")
            }
            ForgeError::QueueFull(_) => told(Code::Refused)
                .hint("`prowess forge reject NAME` makes room; `prowess forge list` shows all"),
            ForgeError::NotWorth(_) | ForgeError::NearDuplicate(_) | ForgeError::TooLong { .. } => {
                told(Code::Refused).hint("docs/forge.md says of which runs drafts are made")
            }
            ForgeError::NotPromoted(_) | ForgeError::NotRetired(_) => {
                told(Code::NotReady).hint("`prowess forge list` shows the state of every draft")
            }
            error => Self::of(Code::Files, &error),
        }
    }
}
