//! The tools: what they are called, what they take and give, and who does the work.
//!
//! A call that is wrong in its arguments is answered as a failed call, so that a model reads what was wrong and can
//! correct it; only a tool that does not exist is an error of the protocol.

mod command;
mod cortex;
mod install;
mod list;
mod read;
mod search;

use std::sync::{Arc, LazyLock};

use rmcp::ErrorData;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ask::{self, Asker, Outcome, Running};
use crate::core::{Caller, Desk};

/// All tools.
pub(crate) fn all() -> &'static [Tool] {
    static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
        vec![
            search::tool(),
            read::tool(),
            list::tool(),
            command::tool(),
            cortex::perceive(),
            cortex::record(),
            install::tool(),
        ]
    });
    &TOOLS
}

/// A tool that takes `I` and gives `O`.
fn tool<I: JsonSchema, O: JsonSchema>(
    name: &'static str,
    title: &str,
    description: &'static str,
    annotations: ToolAnnotations,
) -> Tool {
    let plain = || SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    Tool::new(name, description, schema::<I>(plain().for_deserialize()))
        .with_title(title)
        .with_raw_output_schema(schema::<O>(plain().for_serialize()))
        .with_annotations(annotations)
}

/// Only looks, here.
fn looks() -> ToolAnnotations {
    ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false)
}

/// The schema of a type, without references and without formats that only we know.
fn schema<T: JsonSchema>(settings: SchemaSettings) -> Arc<JsonObject> {
    let mut schema = Value::from(settings.into_generator().into_root_schema_for::<T>());
    plain(&mut schema);
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

fn plain(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.retain(|key, value| !(key == "format" && value.is_string()) && key != "$schema");
            fields.values_mut().for_each(plain);
        }
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

/// Starts a tool by its name.
pub(crate) fn start(
    caller: Caller,
    name: &str,
    arguments: JsonObject,
    can_ask: bool,
) -> Result<Running, ErrorData> {
    Ok(match name {
        "skill_search" => ask::start(can_ask, |_| looked(caller, arguments, search::run)),
        "skill_read" => ask::start(can_ask, |_| looked(caller, arguments, read::run)),
        "skill_list" => ask::start(can_ask, |_| looked(caller, arguments, list::run)),
        "cortex_perceive" => ask::start(can_ask, |_| looked(caller, arguments, cortex::run_perceive)),
        "cortex_record" => ask::start(can_ask, |_| looked(caller, arguments, cortex::run_record)),
        "skill_run_command" => ask::start(can_ask, |asker| asked(caller, arguments, asker, command::run)),
        "skill_install" => ask::start(can_ask, |asker| asked(caller, arguments, asker, install::run)),
        _ => {
            return Err(ErrorData::invalid_params(
                format!("there is no tool `{}`", name.escape_debug()),
                None,
            ));
        }
    })
}

/// A tool that never asks the user.
async fn looked<I>(caller: Caller, arguments: JsonObject, run: fn(&Desk, I) -> Outcome) -> Outcome
where
    I: DeserializeOwned + Send + 'static,
{
    let input = read::<I>(arguments)?;
    caller.work(move |desk| Ok(run(desk, input))).await.map_err(|fault| fault.to_string())?
}

/// A tool that may ask the user.
async fn asked<I, F, R>(caller: Caller, arguments: JsonObject, asker: Asker, run: F) -> Outcome
where
    I: DeserializeOwned,
    F: FnOnce(Caller, I, Asker) -> R,
    R: Future<Output = Outcome>,
{
    run(caller, read::<I>(arguments)?, asker).await
}

fn read<I: DeserializeOwned>(arguments: JsonObject) -> Result<I, String> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| format!("the arguments are wrong: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_says_what_it_takes_and_gives_and_takes_nothing_else() {
        let names: Vec<&str> = all().iter().map(|tool| tool.name.as_ref()).collect();
        let expected = [
            "skill_search",
            "skill_read",
            "skill_list",
            "skill_run_command",
            "cortex_perceive",
            "cortex_record",
            "skill_install",
        ];
        assert_eq!(names, expected);
        for tool in all() {
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
            let output = tool.output_schema.as_ref().expect("an output schema");
            assert_eq!(output["type"], "object", "{}", tool.name);
            let text = serde_json::to_string(tool).unwrap();
            assert!(!text.contains("\"$ref\"") && !text.contains("uint"), "{text}");
            let annotations = tool.annotations.as_ref().expect("annotations");
            assert!(
                annotations.read_only_hint.is_some() && annotations.open_world_hint.is_some(),
                "{}",
                tool.name
            );
        }
    }
}
