//! What a client is told when a call fails.

use prowess::{EngineError, Loosening, describe_error};
use serde::Serialize;
use serde_json::{Value, json};

use crate::access::Scope;

/// The kinds of failures that clients tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Code {
    /// The call cannot be right: bad params, an unknown name, a stale hash.
    InvalidRequest,
    /// The call may be right, but what it needs is not there now.
    Unavailable,
    /// The device waits for somebody's approval.
    NotPaired,
    /// The caller may not do this.
    Forbidden,
}

/// What a client is told when a call fails. The message is shown to people as it is.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) details: Option<Box<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retryable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after_ms: Option<u64>,
    /// The answer that goes with the failure, such as what an installer wrote.
    #[serde(skip)]
    pub(crate) payload: Option<Box<Value>>,
    /// The protected settings that the call would loosen; it is held for a person then.
    #[serde(skip)]
    pub(crate) loosening: Option<Box<Loosening>>,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
            retryable: None,
            retry_after_ms: None,
            payload: None,
            loosening: None,
        }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidRequest, message)
    }

    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        Self::new(Code::Unavailable, message)
    }

    pub(crate) fn missing_scope(scope: Scope) -> Self {
        let scope = scope.as_str();
        let details = json!({ "code": "MISSING_SCOPE", "missingScope": scope, "requiredScopes": [scope] });
        Self::new(Code::Forbidden, format!("missing scope: {scope}")).with_details(details)
    }

    /// A change that loosens something. The method table holds it.
    pub(crate) fn loosens(loosening: Loosening) -> Self {
        let refusal = Self::needs_confirmation("a person has to confirm this change", json!({}));
        Self { loosening: Some(Box::new(loosening)), ..refusal }
    }

    /// A change that waits for a person, or cannot.
    pub(crate) fn needs_confirmation(message: impl Into<String>, mut details: Value) -> Self {
        details["code"] = json!("needs-confirmation");
        Self::new(Code::Forbidden, message).with_details(details)
    }

    pub(crate) fn with_details(self, details: Value) -> Self {
        Self { details: Some(Box::new(details)), ..self }
    }

    pub(crate) fn with_payload(self, payload: Value) -> Self {
        Self { payload: Some(Box::new(payload)), ..self }
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        match &error {
            EngineError::Agent(unknown) => Self::invalid(format!("unknown agent id \"{}\"", unknown.id)),
            _ => Self::unavailable(describe_error(&error)),
        }
    }
}
