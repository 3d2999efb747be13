//! `prowess secret`

use prowess_agent::{SecretChange, SecretStatus, SecretStore, SecretTarget};
use prowess_text::printable;
use prowess_types::Secret;

use crate::args::{SecretCommand, SecretTargetArgs};
use crate::commands::shown;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, Cell, DIM, GOOD, Table, WARN, paint};
use crate::prompt;

pub(crate) fn run(context: &Context, command: &SecretCommand) -> Result<Outcome, Failure> {
    match command {
        SecretCommand::Set { target, keyring } => set(context, target, *keyring),
        SecretCommand::Unset { target } => {
            let change = context.engine.unset_secret(&*context.view()?, &target.into())?;
            report(context, &change, "forgotten", "there is no stored secret")
        }
        SecretCommand::List => list(context),
    }
}

fn set(context: &Context, target: &SecretTargetArgs, keyring: bool) -> Result<Outcome, Failure> {
    let secret = Secret::new(prompt::secret(&format!("Secret for {}: ", printable(&target.name)))?);
    let store = if keyring { SecretStore::Keyring } else { SecretStore::Config };
    let change = context.engine.set_secret(&*context.view()?, &target.into(), &secret, store)?;
    let outcome = report(context, &change, "kept", "unchanged")?;
    if change.exposed {
        output::err(&format!(
            "{}: others can read `{}`\n{}: `chmod 600` it, or keep the secret with `--keyring`\n",
            paint(WARN.bold(), "warning"),
            shown(&change.path),
            paint(output::BOLD, "help"),
        ));
    }
    Ok(outcome)
}

fn report(context: &Context, change: &SecretChange, done: &str, idle: &str) -> Result<Outcome, Failure> {
    if context.json {
        output::json(change)?;
    } else {
        let word = if change.changed { done } else { idle };
        output::out(&format!("{}: {word}\n", printable(&change.key)))?;
    }
    Ok(Outcome::Fine)
}

fn list(context: &Context) -> Result<Outcome, Failure> {
    let secrets = context.engine.secrets(&*context.view()?);
    if context.json {
        output::json(&secrets)?;
        return Ok(Outcome::Fine);
    }
    if secrets.is_empty() {
        output::out("No secrets are stored or required.\n")?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new(&["Skill", "Variable", "Source", "State"], 3);
    for secret in &secrets {
        table.row([
            printable(&secret.skill).into(),
            printable(secret.variable.as_deref().unwrap_or("(its API key)")).into(),
            Cell::styled(DIM, printable(secret.reference.as_deref().unwrap_or(&secret.source))),
            state(secret),
        ]);
    }
    output::out(&table.text())?;
    Ok(Outcome::Fine)
}

fn state(secret: &SecretStatus) -> Cell {
    match (&secret.problem, secret.resolves) {
        (None, true) => Cell::styled(GOOD, "✓ set"),
        (Some(problem), true) => Cell::styled(WARN, format!("△ set, but {}", printable(problem))),
        (Some(problem), false) => Cell::styled(BAD, format!("✗ {}", printable(problem))),
        (None, false) => Cell::styled(WARN, "△ not set"),
    }
}

impl From<&SecretTargetArgs> for SecretTarget {
    fn from(args: &SecretTargetArgs) -> Self {
        Self { name: args.name.clone(), variable: args.env.clone() }
    }
}
