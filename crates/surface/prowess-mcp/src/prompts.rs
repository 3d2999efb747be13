//! Slash commands as prompts: what a person calls by name.

use std::collections::BTreeMap;

use prowess_catalog::{CommandSpec, MessageInvocation};
use prowess_inventory::{SkillCall, SkillEntry};
use prowess_text::{backtick_list, posix_quote};
use prowess_types::ActivatedBy;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

use crate::core::Desk;
use crate::fault::Fault;
use crate::page::{self, PAGE, Page};
use crate::uri::of_skill;

/// The argument that takes everything after the command.
const ALL: &str = "arguments";

pub(crate) fn list(desk: &Desk, cursor: Option<&str>) -> Result<Page<Prompt>, Fault> {
    let after = page::after(cursor)?;
    let commands: BTreeMap<String, CommandSpec> =
        desk.inventory().commands().into_iter().map(|spec| (spec.name.clone(), spec)).collect();
    let prompts = commands.into_iter().filter(|(name, _)| name.as_str() > after);
    Ok(page::cut(prompts.map(|(name, spec)| (name, prompt(desk, &spec))), PAGE))
}

fn prompt(desk: &Desk, spec: &CommandSpec) -> Prompt {
    let entry = desk.usable(&spec.skill_name);
    let names = entry.map(|entry| entry.skill.extensions.arguments.clone()).unwrap_or_default();
    let hint = entry.and_then(|entry| entry.skill.extensions.argument_hint.clone());
    let arguments = if names.is_empty() {
        let all = PromptArgument::new(ALL).with_required(false);
        vec![all.with_description(hint.unwrap_or_else(|| "What comes after the command".to_owned()))]
    } else {
        names.into_iter().map(|name| PromptArgument::new(name).with_required(false)).collect()
    };
    let prompt = Prompt::new(spec.name.clone(), Some(spec.description.clone()), Some(arguments));
    prompt.with_title(spec.display_name.clone())
}

pub(crate) fn get(desk: &Desk, name: &str, arguments: &JsonObject) -> Result<GetPromptResult, Fault> {
    let unknown = || Fault::invalid(format!("there is no prompt `{}`", name.escape_debug()));
    let spec = spec_of(desk, name)?.ok_or_else(unknown)?;
    let entry = desk.usable(&spec.skill_name).ok_or_else(unknown)?;
    let args = written(&entry.skill.extensions.arguments, arguments)?;
    let text = if spec.dispatch.is_some() {
        let command = Value::from(spec.name.as_str());
        let args = Value::from(args);
        format!(
            "Call the tool `skill_run_command` with the command {command} and the args {args}, and show its output."
        )
    } else {
        called(desk, entry, &args)?
    };
    let messages = vec![PromptMessage::new_text(Role::User, text)];
    Ok(GetPromptResult::new(messages).with_description(spec.description))
}

/// The command of a prompt's name, in any spelling that would call it in a message.
fn spec_of(desk: &Desk, name: &str) -> Result<Option<CommandSpec>, Fault> {
    let exact = desk.inventory().commands().into_iter().find(|spec| spec.name == name);
    if exact.is_some() || name.contains(char::is_whitespace) {
        return Ok(exact);
    }
    match understood(desk, name, "") {
        MessageInvocation::Command { spec, .. } => Ok(Some(spec)),
        MessageInvocation::Ambiguous { name, choices } => {
            let choices: Vec<&str> = choices.iter().map(|choice| choice.trim_start_matches('/')).collect();
            let name = name.trim_start_matches('/').escape_debug().to_string();
            Err(Fault::invalid(format!("`{name}` could be {}", backtick_list(&choices, " or "))))
        }
        MessageInvocation::Refused { .. }
        | MessageInvocation::Unknown { .. }
        | MessageInvocation::References(_)
        | MessageInvocation::Plain => Ok(None),
    }
}

/// The skill of a command; none if it is not a command.
pub(crate) fn understood(desk: &Desk, command: &str, args: &str) -> MessageInvocation {
    desk.inventory().invocation(format!("/{} {args}", command.trim_start_matches('/')).trim_end())
}

/// The text of a called skill, with its arguments filled in and where it comes from. It counts as loaded.
pub(crate) fn called(desk: &Desk, entry: &SkillEntry, args: &str) -> Result<String, Fault> {
    let session = desk.session();
    let call = SkillCall {
        skill: &entry.skill.name,
        args,
        session_id: session.as_ref().map(|session| session.id().as_str()),
    };
    let expanded = desk.engine.expand_invocation(desk.inventory(), &call, None)?;
    // A session that cannot be written does not stop the work.
    let _ = desk.loaded(entry, ActivatedBy::Command);
    let with = if args.is_empty() { String::new() } else { format!(" with: {args}") };
    let (name, source) = (&entry.skill.name, desk.engine.profile().source_name(&entry.origin.source));
    Ok(format!(
        "The user calls the skill `{name}`{with}\n\nThe skill is from `{source}` and served at {}. Its text:\n\n{}",
        of_skill(name),
        expanded.text
    ))
}

/// Arguments as they are typed after a command.
fn written(names: &[String], arguments: &JsonObject) -> Result<String, Fault> {
    let text = |name: &str| match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(Fault::invalid(format!("the argument `{}` is not a string", name.escape_debug()))),
    };
    if let Some(stray) = arguments.keys().find(|key| *key != ALL && !names.contains(*key)) {
        return Err(Fault::invalid(format!("there is no argument `{}`", stray.escape_debug())));
    }
    if let Some(all) = text(ALL)? {
        return Ok(all.to_owned());
    }
    let given: Vec<Option<&str>> = names.iter().map(|name| text(name)).collect::<Result<_, _>>()?;
    // An empty place keeps the ones after it where they belong.
    let last = given.iter().rposition(Option::is_some).map_or(0, |place| place + 1);
    let words: Vec<String> = given.iter().take(last).map(|word| quoted(word.unwrap_or_default())).collect();
    Ok(words.join(" "))
}

/// A word in quotes where the arguments of a skill need them, which are not a shell: `$` and `*` mean nothing there.
fn quoted(word: &str) -> String {
    let is_plain =
        !word.is_empty() && !word.contains(|letter: char| letter.is_whitespace() || "'\"\\".contains(letter));
    if is_plain { word.to_owned() } else { posix_quote(word) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn typed(names: &[&str], arguments: Value) -> Result<String, Fault> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let Value::Object(arguments) = arguments else { panic!("an object") };
        written(&names, &arguments)
    }

    #[test]
    fn arguments_are_typed_in_their_order() {
        let names = ["city", "unit"];
        assert_eq!(typed(&names, json!({"unit": "c", "city": "Bern"})).unwrap(), "Bern c");
        assert_eq!(typed(&names, json!({"unit": "it's"})).unwrap(), r"'' 'it'\''s'");
        assert_eq!(typed(&names, json!({"city": "La Paz"})).unwrap(), "'La Paz'");
        assert_eq!(typed(&names, json!({})).unwrap(), "");
        assert_eq!(typed(&[], json!({"arguments": "a b  'c"})).unwrap(), "a b  'c");
        assert!(typed(&names, json!({"city": 7})).is_err());
        assert!(typed(&names, json!({"town": "x"})).is_err());
    }
}
