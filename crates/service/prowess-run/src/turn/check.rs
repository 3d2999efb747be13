//! Whether a call can be carried out as it stands, said so that the model can correct itself.

use std::sync::Arc;

use prowess_model::ToolCall;
use serde_json::Value;

use crate::{Tool, Tools};

/// The maximum number of tools that an error names.
const NAMED_TOOLS: usize = 12;
/// Bytes of a malformed input that the error repeats.
const REPEATED: usize = 200;
/// APIs refuse longer names.
const LONGEST_NAME: usize = 64;

/// The tool and its input, or what is wrong with the call.
pub(super) fn check<'a>(
    tools: &'a Tools,
    call: &'a ToolCall,
) -> Result<(&'a Arc<dyn Tool>, &'a Value), String> {
    let tool = tools.get(&call.name).ok_or_else(|| unknown(tools, &call.name))?;
    let not_an_object = |raw: &str| {
        let raw = &raw[..raw.floor_char_boundary(REPEATED)];
        format!("the input of `{}` is not a JSON object; it begins with: {raw}", call.name)
    };
    let input = match &call.input {
        Ok(input) if input.is_object() => input,
        Ok(other) => return Err(not_an_object(&other.to_string())),
        Err(raw) => return Err(not_an_object(raw)),
    };
    let problems = violations(&tool.spec().input, input);
    if problems.is_empty() {
        Ok((tool, input))
    } else {
        Err(format!("the input of `{}` does not fit: {}", call.name, problems.join("; ")))
    }
}

/// A name that may stand in a conversation, even if no tool has it.
pub(super) fn sendable_name(name: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let name: String = name
        .chars()
        .take(LONGEST_NAME)
        .map(|character| if is_plain(character) { character } else { '_' })
        .collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

fn unknown(tools: &Tools, name: &str) -> String {
    let mut names: Vec<String> = tools.specs().into_iter().map(|spec| spec.name).collect();
    if names.is_empty() {
        return format!("there is no tool `{name}`, nor any other");
    }
    let short = &name[..name.floor_char_boundary(LONGEST_NAME)];
    names.sort_by_cached_key(|known| strsim::levenshtein(known, short));
    names.truncate(NAMED_TOOLS);
    format!("there is no tool `{short}`; nearest first, there are: {}", names.join(", "))
}

/// What the input lacks, or has in another type. Only the first level is looked at: tools check the rest.
fn violations(schema: &Value, input: &Value) -> Vec<String> {
    let is_given = |name: &str| input.get(name).is_some_and(|value| !value.is_null());
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let missing = required
        .filter_map(Value::as_str)
        .filter(|name| !is_given(name))
        .map(|name| format!("`{name}` is missing"));
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mistyped = properties.filter_map(|(name, property)| {
        let value = input.get(name).filter(|value| !value.is_null())?;
        let expected = property.get("type")?;
        (!has_type(value, expected)).then(|| format!("`{name}` must be of type {expected}"))
    });
    missing.chain(mistyped).collect()
}

fn has_type(value: &Value, expected: &Value) -> bool {
    match expected {
        Value::Array(types) => types.iter().any(|expected| has_type(value, expected)),
        Value::String(name) => match name.as_str() {
            "string" => value.is_string(),
            "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => true,
        },
        _ => true,
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
