//! `prowess config`

use prowess_config::{ConfigEdit, KeyPath};
use prowess_fs::FileUpdate;
use prowess_types::ErrorKind;
use serde_json::Value;

use crate::answers::{ConfigChangeAnswer, ConfigPathAnswer, ConfigValueAnswer};
use crate::args::ConfigCommand;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, DIM, paint};

pub(crate) fn run(context: &Context, command: &ConfigCommand) -> Result<Outcome, Failure> {
    match command {
        ConfigCommand::Get { key, origin } => get(context, key.as_deref(), *origin),
        ConfigCommand::Set { key, value } => {
            // What is not JSON5 is text, so that paths and names need no quotes.
            let value = prowess_json5::to_value(value).unwrap_or_else(|_| Value::from(value.as_str()));
            change(context, key, |key| ConfigEdit::Set(key, value))
        }
        ConfigCommand::Unset { key } => change(context, key, ConfigEdit::Unset),
        ConfigCommand::Path => {
            let file = context.engine.places().config_file.display().to_string();
            if context.json {
                output::json(&ConfigPathAnswer { path: file })?;
            } else {
                output::out(&format!("{file}\n"))?;
            }
            Ok(Outcome::Fine)
        }
        ConfigCommand::Keys if context.json => {
            output::json(&prowess_config::Config::json_schema(context.engine.profile()))?;
            Ok(Outcome::Fine)
        }
        ConfigCommand::Keys => {
            output::out_exact(&prowess_config::Config::reference())?;
            Ok(Outcome::Fine)
        }
    }
}

fn parse_key(key: &str) -> Result<KeyPath, Failure> {
    KeyPath::parse(key)
        .map_err(|error| Failure::of(ErrorKind::Usage, &error).hint("`prowess config keys` lists every key"))
}

fn get(context: &Context, key: Option<&str>, origin: bool) -> Result<Outcome, Failure> {
    let workspace = context.engine.workspace(context.agent.as_deref())?;
    let (config, _) = context.engine.config_in(&workspace)?;
    let Some(key) = key else {
        output::json(&config.redacted())?;
        return Ok(Outcome::Fine);
    };
    let path = parse_key(key)?;
    let Some(value) = config.get(&path) else {
        let failure = Failure::not_found(format!("`{key}` is not set"));
        return Err(match prowess_config::Config::suggestion(&path) {
            Some(known) => failure.hint(format!("did you mean `{known}`?")),
            None => failure.hint("`prowess config keys` lists every key"),
        });
    };
    let from = config.origin_of(&path);
    if context.json {
        if origin {
            output::json(&ConfigValueAnswer { key, value, origin: from })?;
        } else {
            output::json(&value)?;
        }
        return Ok(Outcome::Fine);
    }
    let mut text = match &value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).map_err(std::io::Error::from)?,
    };
    text.push('\n');
    if origin && let Some(from) = from {
        text += &paint(DIM, format!("{from}\n"));
    }
    output::out(&text)?;
    Ok(Outcome::Fine)
}

fn change(
    context: &Context,
    key: &str,
    change: impl FnOnce(KeyPath) -> ConfigEdit,
) -> Result<Outcome, Failure> {
    let updated = context.engine.change_config(&[change(parse_key(key)?)])?;
    let file = context.engine.places().config_file.display().to_string();
    let is_new = updated == FileUpdate::Written;
    if context.json {
        output::json(&ConfigChangeAnswer { ok: true, changed: is_new, path: file })?;
    } else {
        let what = if is_new { "changed" } else { "unchanged" };
        output::out(&format!("{file}: {what}\n"))?;
    }
    Ok(Outcome::Fine)
}
