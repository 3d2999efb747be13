//! What a model says, made into what a tool takes.

use std::error::Error;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::ToolOutput;

/// Reads the arguments of a call; the answer to the model if they do not fit.
pub(super) fn parse<T: DeserializeOwned>(value: &Value) -> Result<T, ToolOutput> {
    T::deserialize(value).map_err(|error| ToolOutput::failed(format!("the input does not fit: {error}")))
}

/// An error with all its causes, in one line.
pub(super) fn explain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let next_text = next.to_string();
        if !text.ends_with(&next_text) {
            text.push_str(": ");
            text.push_str(&next_text);
        }
        cause = next.source();
    }
    text
}
