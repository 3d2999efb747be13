//! What a model says, made into what a tool takes.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::ToolOutput;

/// Reads the arguments of a call; the answer to the model if they do not fit.
pub(super) fn parse<T: DeserializeOwned>(value: &Value) -> Result<T, ToolOutput> {
    T::deserialize(value).map_err(|error| ToolOutput::failed(format!("the input does not fit: {error}")))
}
