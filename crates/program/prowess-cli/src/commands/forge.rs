//! `prowess forge`

mod show;

use prowess_learn::forge::{
    CheckVerdict, DraftCheck, Promoted, PromotionConsent, ReplayState, Replaying, TestReport, TestState,
};
use prowess_text::printable;
use prowess_types::ErrorKind;

use super::{count, shown};
use crate::answers::{TestAnswer, TextDiffAnswer};
use crate::args::{Confirmed, ForgeCommand};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, DIM, GOOD, ProgressLine, WARN, paint};
use crate::prompt;

pub(crate) fn run(context: &Context, command: &ForgeCommand) -> Result<Outcome, Failure> {
    let forge = context.engine.forge();
    let now = context.clock().now_ms();
    match command {
        ForgeCommand::List => show::list(context),
        ForgeCommand::Show(draft) => show::show(context, &draft.name),
        ForgeCommand::Draft { session, run } => {
            let session = context.engine.sessions().find(session)?;
            let mut record = forge.draft(&*context.view()?, &session, run.as_deref(), now)?;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            if runtime.block_on(forge.phrase(context.agent.as_deref(), &record.name, now))?.is_some() {
                record = forge.show(&record.name)?.record;
            }
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
                None => "it is a draft again and not in any prompt".to_owned(),
            };
            moved(context, &promoted, &what)
        }
        ForgeCommand::Retire(draft) => {
            let promoted = forge.retire(&draft.name, now)?;
            let what =
                format!("retired; `prowess forge restore {}` brings it back", printable(&promoted.name));
            moved(context, &promoted, &what)
        }
        ForgeCommand::Restore(draft) => moved(context, &forge.restore(&draft.name, now)?, "it is back"),
    }
}

fn test(context: &Context, args: &Confirmed) -> Result<Outcome, Failure> {
    let forge = context.engine.forge();
    let draft = forge.show(&args.name)?;
    let preview = forge.replay_preview(&draft);
    let replaying = match (preview.state, preview.hash.clone()) {
        (ReplayState::Ready, Some(hash)) if args.yes => Replaying::Allowed { hash },
        (ReplayState::Ready, Some(hash)) if can_ask(context) => {
            output::err(&show::replay(&preview));
            let question = "Run this script in a copy of the workspace?";
            if prompt::agrees(question)? { Replaying::Allowed { hash } } else { Replaying::Refused }
        }
        _ => Replaying::Refused,
    };
    let mut line = ProgressLine::new();
    let now = context.clock().now_ms();
    let report = forge.test(&*context.view()?, &draft.record.name, replaying, now, |progress| {
        line.step("reading skills", progress.done, progress.total);
    })?;
    drop(line);
    if context.json {
        output::json(&TestAnswer { report: &report, replay: &preview })?;
    } else {
        output::out(&report_text(&report, &draft.record.name))?;
    }
    Ok(if report.passed { Outcome::Fine } else { Outcome::Findings })
}

fn promote(context: &Context, args: &Confirmed) -> Result<Outcome, Failure> {
    let forge = context.engine.forge();
    let draft = forge.show(&args.name)?;
    let consent = if args.yes {
        PromotionConsent::Person
    } else if !forge.promotes_tested() && draft.has_passed() && can_ask(context) {
        let places = forge.target(context.agent.as_deref(), &draft)?;
        output::err("These files will be written:\n");
        for path in &places {
            output::err(&format!("  {}\n", shown(path)));
        }
        if !prompt::agrees(&format!("Make `{}` a skill?", printable(&draft.record.name)))? {
            return Err(Failure::new(ErrorKind::NotAgreed, "nothing was promoted".to_owned()));
        }
        PromotionConsent::Person
    } else {
        PromotionConsent::Policy
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
    let name = printable(name);
    text += &match report.state {
        TestState::Passed => {
            format!("{} passed; `prowess forge promote {name}` makes it a skill\n", paint(GOOD, "✓"))
        }
        TestState::Incomplete => format!(
            "{} {}; `prowess forge show {name}` shows the script, `prowess forge test {name} --yes` runs it\n",
            paint(WARN, "–"),
            report.state.name()
        ),
        TestState::Failed => {
            let failed = report.checks.iter().filter(|check| check.verdict == CheckVerdict::Failed).count();
            format!(
                "{} {} failed; edit the draft or use `prowess forge improve {name}`, then test it again\n",
                paint(BAD, "✗"),
                count(failed, "check", "checks")
            )
        }
    };
    text
}

fn check_text(check: &DraftCheck) -> String {
    let mark = match check.verdict {
        CheckVerdict::Passed => paint(GOOD, "✓"),
        CheckVerdict::Failed => paint(BAD, "✗"),
        CheckVerdict::Skipped | CheckVerdict::NotRun => paint(WARN, "–"),
    };
    let mut details = check.details.iter().map(|detail| printable(detail));
    let first = details.next().unwrap_or_default();
    let mut text = format!("{mark} {}: {first}\n", check.name.name());
    text.extend(details.map(|detail| format!("    {detail}\n")));
    text
}

/// Returns true if there is a terminal to ask.
fn can_ask(context: &Context) -> bool {
    !context.json && prompt::is_somebody_there()
}
