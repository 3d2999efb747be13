//! `prowess skills …`: OpenPocket's own commands, with its own texts.

use std::io::{IsTerminal as _, Write as _};

use prowess_inventory::{Openpocket, SourceSkill};
use prowess_text::printable;

use super::shown;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::{input, output};

pub(crate) fn run(context: &Context, args: &[String]) -> Result<Outcome, Failure> {
    let (sub, rest) = match args.split_first() {
        Some((sub, rest)) => (sub.as_str(), rest),
        None => ("(missing)", &[][..]),
    };
    let known: &[&str] = match sub {
        "list" => &[],
        "load" => &["--all"],
        "validate" => &["--strict"],
        _ => return Ok(fail(&format!("Unknown skills subcommand: {sub}"))),
    };
    let unknown: Vec<&str> = rest.iter().map(String::as_str).filter(|arg| !known.contains(arg)).collect();
    if !unknown.is_empty() && sub != "list" {
        return Ok(fail(&format!("Unknown skills {sub} option(s): {}", unknown.join(" "))));
    }
    let Some(openpocket) = Openpocket::open(&context.engine, context.agent.as_deref())? else {
        return Err(Failure::usage("`prowess skills` belongs to the openpocket profile".to_owned())
            .hint("add `--profile openpocket`, or use `prowess list` and `prowess validate`"));
    };
    let has_flag = !rest.is_empty();
    match sub {
        "load" => load(&openpocket, has_flag),
        "validate" => validate(&openpocket, has_flag),
        _ => list(&openpocket),
    }
}

fn fail(message: &str) -> Outcome {
    output::err(&format!("[ERROR] OpenPocket error: {message}\n"));
    Outcome::Findings
}

fn list(openpocket: &Openpocket<'_>) -> Result<Outcome, Failure> {
    let skills = openpocket.list()?;
    if skills.is_empty() {
        output::out("[WARN] No workspace skills loaded.\n")?;
        return Ok(Outcome::Fine);
    }
    let mut text = "=== Loaded Workspace Skills ===\n".to_owned();
    for one in &skills {
        text += &format!(
            "[workspace] {} ({})\n  {}\n  {}\n",
            printable(&one.skill.name),
            printable(&one.skill.id),
            printable(&one.skill.description),
            shown(&one.file)
        );
    }
    output::out(&text)?;
    Ok(Outcome::Fine)
}

fn load(openpocket: &Openpocket<'_>, all: bool) -> Result<Outcome, Failure> {
    let offered = openpocket.loadable()?;
    if offered.is_empty() {
        output::out("[INFO] All bundled skills already exist in workspace.\n")?;
        return Ok(Outcome::Fine);
    }
    let selected = if all {
        offered
    } else if input::is_terminal() && std::io::stdout().is_terminal() {
        choose(offered)?
    } else {
        return Ok(fail("`skills load` requires an interactive terminal, or pass --all."));
    };
    if selected.is_empty() {
        output::out("[WARN] No skills selected. Nothing changed.\n")?;
        return Ok(Outcome::Fine);
    }
    let mut copied = 0;
    let mut text = String::new();
    for one in openpocket.load(&selected)? {
        match one.outcome {
            Ok(destination) => {
                copied += 1;
                text += &format!("[OK] Loaded {} -> {}\n", printable(&one.id), shown(&destination));
            }
            Err(problem) => {
                text += &format!("[WARN] Skipped {}: {}\n", printable(&one.id), printable(&problem));
            }
        }
    }
    let skipped = selected.len() - copied;
    text += &format!(
        "[INFO] Skills load summary: selected={} copied={copied} skipped={skipped}\n",
        selected.len()
    );
    output::out(&text)?;
    Ok(if copied > 0 { Outcome::Fine } else { Outcome::Findings })
}

/// Asks for numbers; an empty answer selects nothing.
fn choose(offered: Vec<SourceSkill>) -> Result<Vec<SourceSkill>, Failure> {
    let mut text = "Select bundled skills to copy into workspace\n".to_owned();
    for (number, one) in offered.iter().enumerate() {
        text += &format!("  {}. {} ({})\n", number + 1, printable(&one.skill.name), one.skill.id);
    }
    output::out(&text)?;
    output::out("Numbers, separated by commas: ")?;
    std::io::stdout().flush()?;
    let answer = input::line()?.unwrap_or_default();
    let numbers: Vec<usize> =
        answer.split([',', ' ']).filter_map(|number| number.trim().parse().ok()).collect();
    Ok(offered
        .into_iter()
        .enumerate()
        .filter(|(index, _)| numbers.contains(&(index + 1)))
        .map(|(_, one)| one)
        .collect())
}

fn validate(openpocket: &Openpocket<'_>, strict_flag: bool) -> Result<Outcome, Failure> {
    let strict = strict_flag || openpocket.is_strict();
    let files = openpocket.validate(strict)?;
    if files.is_empty() {
        output::out("[WARN] No skill markdown files found.\n")?;
        return Ok(Outcome::Fine);
    }
    let how = if strict { "strict" } else { "non-strict" };
    let mut text = format!("=== Skill Validation ({how}) ===\n");
    let mut invalid = 0;
    for file in &files {
        let verdict = if file.issues.is_empty() { "PASS" } else { "FAIL" };
        invalid += usize::from(!file.issues.is_empty());
        text += &format!("{verdict} {}\n", shown(&file.path));
        for issue in &file.issues {
            text += &format!("  - [{}] {}: {}\n", issue.severity, issue.code, issue.message);
        }
    }
    let valid = files.len() - invalid;
    text += &format!("\n[INFO] Validation summary: valid={valid} invalid={invalid} total={}\n", files.len());
    output::out(&text)?;
    Ok(if invalid == 0 { Outcome::Fine } else { Outcome::Findings })
}
