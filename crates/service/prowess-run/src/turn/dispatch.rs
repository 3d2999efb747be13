//! A slash command that goes straight to a tool.

use prowess_model::ToolCall;
use serde_json::json;

use super::call::{perform, record_call};
use crate::{RunContext, ToolOutput, Tools};

/// A slash command whose skill names a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DispatchCall<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Everything after the command's name, as it was typed.
    pub command: &'a str,
    /// The command's name, without the slash.
    pub command_name: &'a str,
    /// The skill.
    pub skill_name: &'a str,
}

/// Calls the tool with `{command, commandName, skillName}`; no model sees any of it.
///
/// Consent, cancellation, redaction and recording are those of a model's call. The output is redacted and cut.
pub async fn dispatch(tools: &Tools, context: &RunContext, call: DispatchCall<'_>) -> ToolOutput {
    let input = json!({
        "command": call.command,
        "commandName": call.command_name,
        "skillName": call.skill_name,
    });
    let call = ToolCall { id: "dispatch".to_owned(), name: call.tool.to_owned(), input: Ok(input) };
    record_call(context, &call);
    perform(tools, context, &call).await.output
}
