//! `prowess registry star`, `unstar`, `delete`, `undelete`, `rename`, `tag` and `report`

use prowess_registry::protocol::{DeleteRequest, DoneAnswer, RenameRequest, ReportRequest, TagRequest};
use prowess_registry::{RegistryError, RegistryReference, check_new_slug, check_version};
use prowess_text::printable;
use schemars::JsonSchema;
use serde::Serialize;

use super::{consent, id, open_as_user, skill};
use crate::args::{ChangeArgs, DeleteArgs, RegistryOption, RenameArgs, ReportArgs, SkillArgs, TagArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

pub(super) fn star(context: &Context, args: &SkillArgs) -> Result<Outcome, Failure> {
    let reference = skill(&args.skill)?;
    let supply = open_as_user(context, &args.at)?;
    let answer = supply.registry().star(id(&reference))?;
    let words = if answer.already_starred { "Already starred" } else { "Starred" };
    said(context, &answer, &format!("{words} `{reference}`.\n"))
}

pub(super) fn unstar(context: &Context, args: &SkillArgs) -> Result<Outcome, Failure> {
    let reference = skill(&args.skill)?;
    let supply = open_as_user(context, &args.at)?;
    let answer = supply.registry().unstar(id(&reference))?;
    let words = if answer.already_unstarred { "Not starred:" } else { "Unstarred" };
    said(context, &answer, &format!("{words} `{reference}`.\n"))
}

pub(super) fn delete(context: &Context, args: &DeleteArgs) -> Result<Outcome, Failure> {
    let reference = skill(&args.change.skill)?;
    let version = args.version.as_deref().or(reference.version.as_deref());
    if let Some(version) = version {
        check_version(version)?;
    }
    let what = match version {
        Some(version) => format!("version {version} of `{}`", name(&reference)),
        None => format!("`{}` with all its versions", name(&reference)),
    };
    change(context, &args.change, &format!("Delete {what}?"), |registry| {
        let answer = registry.delete(id(&reference), version)?;
        let until = answer.slug_reserved_until.map(|until| {
            let day = jiff::Timestamp::from_millisecond(until.0).unwrap_or_default().to_string();
            format!(" The slug is reserved for you until {}.", day.chars().take(10).collect::<String>())
        });
        Ok((format!("Deleted {what}.{}\n", until.unwrap_or_default()), answer))
    })
}

pub(super) fn undelete(context: &Context, args: &ChangeArgs) -> Result<Outcome, Failure> {
    let reference = skill(&args.skill)?;
    change(context, args, &format!("Restore `{}`?", name(&reference)), |registry| {
        let answer = registry.act(id(&reference), "undelete", &DeleteRequest::default())?;
        Ok((format!("Restored `{}`.\n", name(&reference)), answer))
    })
}

pub(super) fn rename(context: &Context, args: &RenameArgs) -> Result<Outcome, Failure> {
    let reference = skill(&args.change.skill)?;
    check_new_slug(&args.new_slug)?;
    let question = format!("Rename `{}` to `{}`?", name(&reference), args.new_slug);
    change(context, &args.change, &question, |registry| {
        let answer =
            registry.act(id(&reference), "rename", &RenameRequest { new_slug: args.new_slug.clone() })?;
        Ok((format!("Renamed `{}` to `{}`.\n", name(&reference), args.new_slug), answer))
    })
}

pub(super) fn tag(context: &Context, args: &TagArgs) -> Result<Outcome, Failure> {
    let reference = skill(&args.change.skill)?;
    check_version(&args.to)?;
    let (tag, to) = (printable(&args.tag), &args.to);
    if tag.is_empty() || tag.contains(['/', ' ']) || check_version(&tag).is_ok() {
        return Err(Failure::usage(format!("`{tag}` is not a valid tag"))
            .hint("a tag is a word such as `latest` or `stable`"));
    }
    let question = format!("Move tag `{tag}` of `{}` to version {to}?", name(&reference));
    change(context, &args.change, &question, |registry| {
        let answer =
            registry.act(id(&reference), &format!("tags/{tag}"), &TagRequest { version: to.clone() })?;
        Ok((format!("Moved tag `{tag}` of `{}` to version {to}.\n", name(&reference)), answer))
    })
}

pub(super) fn report(context: &Context, args: &ReportArgs) -> Result<Outcome, Failure> {
    let reference = skill(&args.skill)?;
    let reason = args.reason.trim();
    if reason.is_empty() {
        return Err(
            Failure::usage("a report needs a reason".to_owned()).hint("say what is wrong with the skill")
        );
    }
    let supply = open_as_user(context, &args.at)?;
    let body = ReportRequest { reason: reason.to_owned(), version: reference.version.clone() };
    let answer = supply.registry().act(id(&reference), "report", &body)?;
    said(context, &answer, &format!("Reported `{reference}`. Thank you.\n"))
}

/// A change to a skill of one's own, after consent.
fn change(
    context: &Context,
    args: &ChangeArgs,
    question: &str,
    deed: impl FnOnce(&prowess_registry::RegistryClient<'_>) -> Result<(String, DoneAnswer), RegistryError>,
) -> Result<Outcome, Failure> {
    let at: &RegistryOption = &args.at;
    let supply = open_as_user(context, at)?;
    let registry = supply.registry();
    if !consent(context, args.yes, &format!("{}: {question}", printable(registry.base())))? {
        output::err("Nothing was changed.\n");
        return Ok(Outcome::Stopped);
    }
    let (text, answer) = deed(&registry)?;
    said(context, &answer, &text)
}

fn said<T: Serialize + JsonSchema>(context: &Context, answer: &T, text: &str) -> Result<Outcome, Failure> {
    if context.json {
        output::json(answer)?;
    } else {
        output::out(text)?;
    }
    Ok(Outcome::Fine)
}

/// A skill without a version.
fn name(reference: &RegistryReference) -> String {
    id(reference).to_string()
}
