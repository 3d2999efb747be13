//! An error as programs read it.

use prowess_types::ErrorKind;
use schemars::JsonSchema;
use serde::Serialize;

/// The answer of a command that did not work, with `--json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ErrorAnswer {
    /// Always `false`.
    pub(crate) ok: bool,
    /// The error.
    pub(crate) error: ErrorDetail,
    /// The skill that was asked for, where one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skill: Option<String>,
}

/// What went wrong, why, and what to do.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ErrorDetail {
    /// Always `cli_error`.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// What kind of failure it is; codes are stable.
    pub(crate) code: ErrorKind,
    /// The error.
    pub(crate) message: String,
    /// The reason.
    pub(crate) cause: String,
    /// The action.
    pub(crate) help: String,
    /// How the program ends if nothing else goes wrong.
    pub(crate) exit: u8,
}
