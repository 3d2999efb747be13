//! `prowess trust`

use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use prowess_acquire::Scanned;
use prowess_gate::Trust;
use prowess_inventory::{ForeignSkill, TrustDecision};
use prowess_match::AgentView;
use prowess_scan::Verdict;
use prowess_text::printable;

use super::{count, shown};
use crate::answers::{TrustAnswer, TrustForgottenAnswer, TrustListAnswer, TrustRow, UndecidedAnswer};
use crate::args::{TrustCommand, TrustNames};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};

pub(crate) fn run(context: &Context, command: Option<&TrustCommand>) -> Result<Outcome, Failure> {
    match command {
        None => ask(context),
        Some(TrustCommand::List) => list(context),
        Some(TrustCommand::Add(names)) => decide(context, names, TrustDecision::Trusted),
        Some(TrustCommand::Refuse(names)) => decide(context, names, TrustDecision::Refused),
        Some(TrustCommand::Forget { names }) => forget(context, names),
    }
}

/// Shows every skill that waits for an answer, and asks where somebody can answer.
fn ask(context: &Context) -> Result<Outcome, Failure> {
    let desk = context.engine.trust();
    let waiting = desk.undecided(context.view()?.inventory());
    if context.json {
        let undecided = waiting.iter().map(|skill| row(context, skill)).collect();
        output::json(&UndecidedAnswer { undecided })?;
    } else if waiting.is_empty() {
        output::out("No pending skills.\n")?;
    } else if !desk.is_ci() && input::is_terminal() && io::stdout().is_terminal() {
        return converse(context, &waiting);
    } else {
        let mut text: String = waiting.iter().map(|skill| described(context, skill)).collect();
        let number = count(waiting.len(), "skill waits", "skills wait");
        text += &format!("{number} for an answer: prowess trust add NAME, prowess trust refuse NAME\n");
        output::out(&text)?;
    }
    Ok(if waiting.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

/// Asks about one skill after the other. Every answer is written at once.
fn converse(context: &Context, waiting: &[ForeignSkill]) -> Result<Outcome, Failure> {
    let mut left = waiting.len();
    for skill in waiting {
        output::out(&described(context, skill))?;
        match answer(&mut input::line)? {
            Reply::Decision(decision) => {
                context.engine.trust().decide(&[skill], decision, Some(&now(context)))?;
                left -= 1;
            }
            Reply::Later => {}
            Reply::Enough => break,
        }
    }
    Ok(if left == 0 { Outcome::Fine } else { Outcome::Findings })
}

/// What somebody said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    Decision(TrustDecision),
    Later,
    Enough,
}

/// Reads an answer; what is none is asked for again.
fn answer(next_line: &mut dyn FnMut() -> io::Result<Option<String>>) -> Result<Reply, Failure> {
    loop {
        output::out("Trust it as it is now? [y]es, [n]o, [l]ater, [q]uit: ")?;
        let Some(line) = next_line()? else {
            output::out("\n")?;
            return Ok(Reply::Enough);
        };
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" => return Ok(Reply::Decision(TrustDecision::Trusted)),
            "n" | "no" => return Ok(Reply::Decision(TrustDecision::Refused)),
            "l" | "later" | "" => return Ok(Reply::Later),
            "q" | "quit" => return Ok(Reply::Enough),
            _ => {}
        }
    }
}

fn list(context: &Context) -> Result<Outcome, Failure> {
    let desk = context.engine.trust();
    let foreign = desk.foreign(context.view()?.inventory());
    let answers = desk.answers()?;
    if context.json {
        let skills = foreign.iter().map(|skill| row(context, skill)).collect();
        let file = desk.file().display().to_string();
        output::json(&TrustListAnswer { file, skills, answers })?;
        return Ok(Outcome::Fine);
    }
    let mut text: String = foreign.iter().map(|skill| described(context, skill)).collect();
    let is_here = |digest: &str| foreign.iter().any(|skill| digest_of(skill).as_deref() == Some(digest));
    for (digest, answer) in answers.iter().filter(|(digest, _)| !is_here(digest)) {
        let word = match answer.decision {
            TrustDecision::Trusted => "trusted",
            TrustDecision::Refused => "refused",
        };
        let from = answer.repository.as_deref().map(|from| format!(" from {from}")).unwrap_or_default();
        let other = format!("{word} elsewhere or earlier: {}{from} ({:.12})\n", answer.name, digest);
        text += &paint(DIM, printable(&other));
    }
    if text.is_empty() {
        "No skill here came with a cloned repository.\n".clone_into(&mut text);
    }
    output::out(&text)?;
    Ok(Outcome::Fine)
}

fn decide(context: &Context, names: &TrustNames, decision: TrustDecision) -> Result<Outcome, Failure> {
    let desk = context.engine.trust();
    let foreign = desk.foreign(context.view()?.inventory());
    let meant: Vec<&ForeignSkill> = if names.all {
        foreign.iter().filter(|skill| skill.trust == Trust::Undecided).collect()
    } else {
        if let Some(unknown) =
            names.names.iter().find(|name| foreign.iter().all(|skill| skill.name != **name))
        {
            return Err(Failure::not_found(format!("no skill `{unknown}` came with a cloned repository"))
                .hint("`prowess trust list` shows those that did"));
        }
        foreign.iter().filter(|skill| names.names.contains(&skill.name)).collect()
    };
    desk.decide(&meant, decision, Some(&now(context)))?;
    let decided: Vec<ForeignSkill> = desk.foreign(context.view()?.inventory());
    let decided: Vec<&ForeignSkill> =
        decided.iter().filter(|skill| meant.iter().any(|meant| meant.file == skill.file)).collect();
    if context.json {
        let skills = decided.iter().map(|skill| row(context, skill)).collect();
        output::json(&TrustAnswer { skills })?;
    } else if decided.is_empty() {
        output::out("No pending skills.\n")?;
    } else {
        output::out(&decided.iter().map(|skill| described(context, skill)).collect::<String>())?;
    }
    Ok(Outcome::Fine)
}

fn forget(context: &Context, names: &[String]) -> Result<Outcome, Failure> {
    let forgotten = context.engine.trust().forget(names)?;
    if context.json {
        output::json(&TrustForgottenAnswer { forgotten })?;
    } else {
        output::out(&format!("{} revoked.\n", count(forgotten, "answer was", "answers were")))?;
    }
    Ok(if forgotten == 0 { Outcome::Findings } else { Outcome::Fine })
}

/// A skill with what it would do, for people.
fn described(context: &Context, skill: &ForeignSkill) -> String {
    let (style, word) = match &skill.trust {
        Trust::Given => (GOOD, "trusted"),
        Trust::Refused => (BAD, "refused"),
        Trust::Unknowable(_) => (BAD, "cannot be trusted"),
        Trust::NotAsked | Trust::Undecided => (WARN, "not trusted yet"),
    };
    let mut text = format!("{} {}\n", paint(BOLD, printable(&skill.name)), paint(style, word));
    let mut line = |label: &str, value: &str| {
        text += &format!("  {} {}\n", paint(DIM, format!("{label:<7}")), printable(value));
    };
    line("path", &shown(&skill.file));
    line("from", skill.repository.as_deref().unwrap_or("a repository that does not say where it is from"));
    if let Trust::Unknowable(reason) = &skill.trust {
        line("because", reason);
    }
    for scanned in scan(context, skill) {
        let report = &scanned.report;
        let findings = report.at_least(prowess_scan::ScanSeverity::Warn).count();
        let more = match report.verdict {
            Verdict::Clean => String::new(),
            _ => format!(
                ": {}, see `prowess scan {}`",
                count(findings, "finding", "findings"),
                shown(&skill.folder)
            ),
        };
        line("scan", &format!("{}{more}", report.verdict));
        if !report.capabilities.is_empty() {
            line("can", &report.capabilities.to_string());
        }
    }
    text
}

/// A skill with what it would do, for programs.
fn row(context: &Context, skill: &ForeignSkill) -> TrustRow {
    let decision = match &skill.trust {
        Trust::Given => "trusted",
        Trust::Refused => "refused",
        Trust::Unknowable(_) => "unknowable",
        Trust::NotAsked | Trust::Undecided => "undecided",
    };
    let report = scan(context, skill).into_iter().next().map(|scanned| scanned.report);
    TrustRow {
        name: skill.name.clone(),
        path: skill.file.display().to_string(),
        repository: skill.repository.clone(),
        digest: digest_of(skill),
        decision,
        reason: skill.trust.objection(&skill.name),
        verdict: report.as_ref().map(|report| report.verdict),
        capabilities: report.map(|report| report.capabilities),
    }
}

/// What the scanner says about a skill; nothing if its file is gone.
fn scan(context: &Context, skill: &ForeignSkill) -> Vec<Scanned> {
    prowess_acquire::scan_path(&skill.file, &context.engine.parse_options()).unwrap_or_default()
}

fn digest_of(skill: &ForeignSkill) -> Option<String> {
    skill.digest.as_ref().map(ToString::to_string)
}

/// The time for the record, to the second.
pub(super) fn now(context: &Context) -> String {
    let seconds = i64::try_from(context.clock().now_ms() / 1000).unwrap_or_default();
    jiff::Timestamp::from_second(seconds).unwrap_or_default().to_string()
}

/// Asks about the skills that a cloned repository brings, before a run could use them. Where nobody can answer, they
/// stay out, and that is said.
pub(super) fn ask_before_a_run(context: &Context, view: &Arc<AgentView>) -> Result<Arc<AgentView>, Failure> {
    let desk = context.engine.trust();
    let waiting = desk.undecided(view.inventory());
    if waiting.is_empty() {
        return Ok(Arc::clone(view));
    }
    if !desk.is_ci() && !context.json && input::is_terminal() && io::stdout().is_terminal() {
        converse(context, &waiting)?;
        return context.view();
    }
    let number = count(waiting.len(), "skill", "skills");
    output::err(&format!(
        "{}: {number} of this repository stay out of the run until you answer: prowess trust\n",
        paint(WARN, "note")
    ));
    Ok(Arc::clone(view))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_clear_word_or_none() {
        let table = [
            ("y\n", Reply::Decision(TrustDecision::Trusted)),
            (" YES \n", Reply::Decision(TrustDecision::Trusted)),
            ("n\n", Reply::Decision(TrustDecision::Refused)),
            ("\n", Reply::Later),
            ("sure\nmaybe\nno\n", Reply::Decision(TrustDecision::Refused)),
            ("q\n", Reply::Enough),
            ("", Reply::Enough),
            ("yep\n", Reply::Enough),
        ];
        for (typed, expected) in table {
            let mut lines = typed.lines().map(str::to_owned);
            let reply = answer(&mut || Ok(lines.next())).ok();
            assert_eq!(reply, Some(expected), "{typed:?}");
        }
    }
}
