//! `prowess hook`

use std::path::PathBuf;

use clap::ValueEnum as _;
use prowess_connect::hook::{
    HookChange, HookHarness, HookInput, HookPresence, HookScope, HookStatus, MAX_INPUT_BYTES, hook_command,
};
use prowess_text::{describe_error, printable};
use prowess_types::ErrorKind;

use crate::answers::{HookAnswer, HooksAnswer};
use crate::args::{Global, HookChangeArgs, HookCommand};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, Table, WARN, paint};
use crate::{input, prompt};

pub(crate) fn run(context: &Context, global: &Global, command: &HookCommand) -> Result<Outcome, Failure> {
    match command {
        HookCommand::Install(args) => {
            let command = command_of(context, global, args.harness)?;
            change(context, args, Some(command))
        }
        HookCommand::Remove(args) => change(context, args, None),
        HookCommand::Status => status(context, global),
        HookCommand::Run { harness } => Ok(answer(global, *harness)),
    }
}

/// What the hook runs: this program, with the places and the agent that it was told about.
fn command_of(context: &Context, global: &Global, harness: HookHarness) -> Result<String, Failure> {
    let program = std::env::current_exe()?;
    let absolute = |path: &PathBuf| context.engine.env().cwd().join(path).display().to_string();
    let profile = global.profile.and_then(|profile| profile.to_possible_value());
    let options = [
        ("profile", profile.map(|profile| profile.get_name().to_owned())),
        ("home", global.home.as_ref().map(absolute)),
        ("config", global.config.as_ref().map(absolute)),
        ("agent", global.agent.clone()),
    ];
    let options: Vec<(&str, &str)> =
        options.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))).collect();
    Ok(hook_command(&program, context.engine.env(), harness, &options))
}

fn change(context: &Context, args: &HookChangeArgs, command: Option<String>) -> Result<Outcome, Failure> {
    let engine = &context.engine;
    let change = engine.plan_hook(args.harness, args.scope(), command)?;
    if change.is_empty() {
        return done(context, &change, "unchanged");
    }
    if !context.json {
        output::out(&shown(&change))?;
    }
    let question = format!("Apply this change to `{}`?", printable(&change.file.display().to_string()));
    if !args.yes && (context.json || !prompt::agrees(&question)?) {
        let _ = done(context, &change, "declined")?;
        return Err(Failure::new(ErrorKind::NotAgreed, "nothing was changed".to_owned())
            .hint("`--yes` applies the change without asking"));
    }
    let outcome = done(context, &change, if engine.apply_hook(&change)? { "changed" } else { "unchanged" })?;
    if change.command.is_some() {
        prepare(context);
        if !context.json {
            output::out(&format!("{}\n", args.harness.note()))?;
        }
    }
    Ok(outcome)
}

/// Computes now what the first messages would have to wait for. Without it they are judged by words alone.
fn prepare(context: &Context) {
    let prepared = context
        .view()
        .and_then(|view| super::matching::prepare(&*view.selector()?, "which skill is this for?"));
    if let Err(failure) = prepared {
        failure.tell();
    }
}

fn done(context: &Context, change: &HookChange, result: &str) -> Result<Outcome, Failure> {
    if context.json {
        output::json(&HookAnswer { result, change })?;
        return Ok(Outcome::Fine);
    }
    let file = printable(&change.file.display().to_string());
    let text = match (result, &change.command) {
        ("changed", Some(_)) => format!("{} the hook is in `{file}`\n", paint(GOOD, "✓")),
        ("changed", None) => format!("{} removed the hook from `{file}`\n", paint(GOOD, "✓")),
        ("unchanged", Some(_)) => format!("{} the hook is already in `{file}`\n", paint(GOOD, "✓")),
        ("unchanged", None) => format!("{} `{file}` has no Prowess hook\n", paint(GOOD, "✓")),
        _ => String::new(),
    };
    output::out(&text)?;
    Ok(Outcome::Fine)
}

fn shown(change: &HookChange) -> String {
    let file = printable(&change.file.display().to_string());
    let new = if change.creates_file { " (new)" } else { "" };
    let mut text = format!("{}{new}\n", paint(BOLD, file));
    for line in change.diff.lines().map(printable) {
        text += &match line.as_bytes().first() {
            Some(b'+') => paint(GOOD, line),
            Some(b'-') => paint(BAD, line),
            _ => paint(DIM, line),
        };
        text.push('\n');
    }
    text
}

fn status(context: &Context, global: &Global) -> Result<Outcome, Failure> {
    let engine = &context.engine;
    let mut statuses: Vec<HookStatus> = Vec::new();
    for harness in HookHarness::all() {
        let command = command_of(context, global, harness)?;
        for scope in [HookScope::User, HookScope::Project] {
            statuses.push(engine.hook_status(harness, scope, &command)?);
        }
    }
    let problems = engine.hook_problems();
    let is_unknown = |status: &HookStatus| matches!(status.presence, HookPresence::Unknown(_));
    let outcome = if statuses.iter().any(is_unknown) { Outcome::Environment } else { Outcome::Fine };
    if context.json {
        let problems_file = engine.hook_problems_file().display().to_string();
        output::json(&HooksAnswer { hooks: statuses, problems, problems_file })?;
        return Ok(outcome);
    }
    let mut table = Table::new(&["Program", "For", "Hook", "File"], 3);
    for status in &statuses {
        let scope = if status.scope == HookScope::User { "you" } else { "this project" };
        let presence = match &status.presence {
            HookPresence::Installed => Cell::styled(GOOD, "✓ installed"),
            HookPresence::Outdated => Cell::styled(WARN, "△ outdated"),
            HookPresence::Missing => Cell::styled(DIM, "· not installed"),
            HookPresence::Unknown(_) => Cell::styled(BAD, "✗ unknown"),
        };
        let file = printable(&status.file.display().to_string());
        table.row([status.harness.title().into(), scope.into(), presence, file.into()]);
    }
    let mut text = table.text();
    for status in &statuses {
        if let HookPresence::Unknown(reason) = &status.presence {
            text += &format!("{} {}\n", paint(BAD, "✗"), printable(reason));
        }
        if status.presence == HookPresence::Outdated {
            text += &format!(
                "{} `prowess hook install {}` brings it up to date\n",
                paint(WARN, "△"),
                status.harness
            );
        }
    }
    if let Some(last) = problems.last() {
        let when = super::sessions::moment(last.at);
        text += &format!(
            "{} {} in `{}`; the last one, {when}: {}\n",
            paint(WARN, "△"),
            super::count(problems.len(), "problem", "problems"),
            printable(&engine.hook_problems_file().display().to_string()),
            printable(&last.problem)
        );
    }
    output::out(&text)?;
    Ok(outcome)
}

/// Answers a hook. Whatever happens, the user's message goes on.
pub(crate) fn answer(global: &Global, harness: HookHarness) -> Outcome {
    let input = input::rest(MAX_INPUT_BYTES.saturating_add(1))
        .map_err(|error| error.to_string())
        .and_then(|bytes| HookInput::parse(&bytes).map_err(|error| describe_error(&error)));
    let cwd = input.as_ref().ok().and_then(|input| input.cwd.clone()).filter(|cwd| cwd.is_dir());
    // Without an engine there is not even a place to note the problem.
    let Ok(context) = Context::open_in(global, cwd) else { return Outcome::Fine };
    let engine = &context.engine;
    let answered = input.and_then(|input| {
        let view = || engine.view(context.agent.as_deref());
        let answer = engine.answer_hook(harness, &input, view, &context.clock());
        answer.map_err(|error| describe_error(&error))
    });
    match answered {
        Ok(text) if text.is_empty() => {}
        Ok(text) => drop(output::out_exact(&format!("{text}\n"))),
        Err(problem) => engine.note_hook_problem(harness, &problem, &context.clock()),
    }
    Outcome::Fine
}
