//! `prowess search`, `prowess publish` and `prowess registry`: a registry, asked by a person.

mod browse;
mod login;
mod manage;
mod publish;
mod search;

use prowess_acquire::{Supply, SupplyOptions};
use prowess_registry::{RegistryClient, RegistryReference, SkillId, SourceReference};
use prowess_text::printable;
use prowess_types::ErrorKind;

use crate::args::{RegistryCommand, RegistryOption};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::prompt::{agrees, is_somebody_there};

pub(crate) use publish::run as publish;
pub(crate) use search::run as search;

pub(crate) fn run(context: &Context, command: &RegistryCommand) -> Result<Outcome, Failure> {
    match command {
        RegistryCommand::Explore(args) => browse::explore(context, args),
        RegistryCommand::Inspect(args) => browse::inspect(context, args),
        RegistryCommand::Moderation(args) => browse::moderation(context, args),
        RegistryCommand::Login(args) => login::login(context, args),
        RegistryCommand::Logout => login::logout(context),
        RegistryCommand::Whoami(args) => login::whoami(context, &args.at),
        RegistryCommand::Star(args) => manage::star(context, args),
        RegistryCommand::Unstar(args) => manage::unstar(context, args),
        RegistryCommand::Delete(args) => manage::delete(context, args),
        RegistryCommand::Undelete(args) => manage::undelete(context, args),
        RegistryCommand::Rename(args) => manage::rename(context, args),
        RegistryCommand::Tag(args) => manage::tag(context, args),
        RegistryCommand::Serve(args) => super::hub::serve(context, args),
        RegistryCommand::Token(command) => super::hub::token(context, command),
        RegistryCommand::Report(args) => manage::report(context, args),
    }
}

/// Opens the registry that the options name.
fn open(context: &Context, at: &RegistryOption) -> Result<Supply, Failure> {
    let options =
        SupplyOptions { registry: at.registry.clone(), site: at.site.clone(), ..SupplyOptions::default() };
    context.engine.supply(&options).map_err(|error| Failure::of(ErrorKind::Network, &error))
}

/// The same, for what only somebody can do who is logged in.
fn open_as_user(context: &Context, at: &RegistryOption) -> Result<Supply, Failure> {
    let supply = open(context, at)?;
    if supply.is_logged_in() { Ok(supply) } else { Err(not_logged_in(&supply.registry())) }
}

fn not_logged_in(registry: &RegistryClient<'_>) -> Failure {
    let message = format!("you are not logged in to {}", printable(registry.base()));
    Failure::new(ErrorKind::NotLoggedIn, message)
}

/// A skill of a registry, as it is named on the command line.
fn skill(text: &str) -> Result<RegistryReference, Failure> {
    match SourceReference::parse(text) {
        Ok(SourceReference::Registry(reference)) => Ok(reference),
        Ok(_) => Err(Failure::usage(format!("`{}` is not a skill of a registry", printable(text)))
            .hint("write `slug` or `@owner/slug`")),
        Err(error) => Err(Failure::usage(error.to_string()).hint("write `slug` or `@owner/slug`")),
    }
}

fn id(reference: &RegistryReference) -> SkillId<'_> {
    SkillId { slug: &reference.slug, owner: reference.owner.as_deref() }
}

/// Returns true if somebody is there who can be asked.
fn can_ask(context: &Context) -> bool {
    !context.json && is_somebody_there()
}

/// Consent to a change: given beforehand, or asked for.
fn consent(context: &Context, yes: bool, question: &str) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if !can_ask(context) {
        return Err(Failure::usage("this change requires confirmation, and there is no terminal".to_owned())
            .hint("add `--yes` to confirm; nothing was changed"));
    }
    agrees(question)
}
