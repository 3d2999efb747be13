//! The error of a failed call, as clients receive it.

mod exceptions;

use prowess_config::Loosening;
use prowess_text::describe_error;
use prowess_types::{Classify, ErrorKind};
use serde::Serialize;
use serde_json::{Value, json};

use crate::access::Scope;

/// The codes of the protocol. Clients of OpenClaw know them; `details.code` is finer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Code {
    /// The call is wrong: bad params, an unknown name, a stale hash.
    InvalidRequest,
    /// The call may be right, but a resource that it needs is not available.
    Unavailable,
    /// The device has to be approved first.
    NotPaired,
    /// The caller lacks the permission.
    Forbidden,
}

impl Code {
    /// The code as it is serialized.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "INVALID_REQUEST",
            Self::Unavailable => "UNAVAILABLE",
            Self::NotPaired => "NOT_PAIRED",
            Self::Forbidden => "FORBIDDEN",
        }
    }

    /// Returns the code of a kind.
    pub(crate) const fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::NotFound
            | ErrorKind::Ambiguous
            | ErrorKind::AlreadyThere
            | ErrorKind::NotAgreed
            | ErrorKind::Refused
            | ErrorKind::NotReady
            | ErrorKind::Conflict
            | ErrorKind::Usage
            | ErrorKind::UnknownAgent
            | ErrorKind::InvalidValue
            | ErrorKind::Stale
            | ErrorKind::UnknownMethod => Self::InvalidRequest,
            ErrorKind::NeedsConfirmation | ErrorKind::Forbidden => Self::Forbidden,
            ErrorKind::NotLoggedIn
            | ErrorKind::NoModel
            | ErrorKind::Files
            | ErrorKind::Config
            | ErrorKind::NoHome
            | ErrorKind::Damaged
            | ErrorKind::Encoder
            | ErrorKind::Network
            | ErrorKind::Registry
            | ErrorKind::Credentials
            | ErrorKind::Address
            | ErrorKind::Busy
            | ErrorKind::Environment
            | ErrorKind::Interrupted => Self::Unavailable,
        }
    }
}

/// The error of a failed call. The message is for people; programs read `code` and `details.code`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) message: String,
    /// An object. Its `code` is the code of the kind, or a finer code of the protocol.
    pub(crate) details: Box<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retryable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after_ms: Option<u64>,
    #[serde(skip)]
    pub(crate) kind: ErrorKind,
    /// The answer that goes with the failure, such as what an installer wrote.
    #[serde(skip)]
    pub(crate) payload: Option<Box<Value>>,
    /// The protected settings that the call would loosen; it is held for a person then.
    #[serde(skip)]
    pub(crate) loosening: Option<Box<Loosening>>,
}

impl Refusal {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            code: Code::of(kind),
            message: message.into(),
            details: Box::new(json!({ "code": kind.code() })),
            retryable: None,
            retry_after_ms: None,
            kind,
            payload: None,
            loosening: None,
        }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidValue, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Environment, message)
    }

    /// An operation that failed: `UNAVAILABLE`, whatever the kind of its error.
    pub(crate) fn failed(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::new(kind, message).with_code(Code::Unavailable)
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Forbidden, message)
    }

    /// The device of the client has to be approved first.
    pub(crate) fn not_paired(message: impl Into<String>) -> Self {
        Self::forbidden(message).with_code(Code::NotPaired)
    }

    pub(crate) fn missing_scope(scope: Scope) -> Self {
        let scope = scope.as_str();
        let details = json!({ "code": "MISSING_SCOPE", "missingScope": scope, "requiredScopes": [scope] });
        Self::forbidden(format!("missing scope: {scope}")).with_details(details)
    }

    /// A change that loosens something. The method table holds it.
    pub(crate) fn loosens(loosening: Loosening) -> Self {
        let refusal = Self::needs_confirmation("a person has to confirm this change", json!({}));
        Self { loosening: Some(Box::new(loosening)), ..refusal }
    }

    /// A change that waits for a person, or cannot.
    pub(crate) fn needs_confirmation(message: impl Into<String>, details: Value) -> Self {
        Self::new(ErrorKind::NeedsConfirmation, message).with_details(details)
    }

    /// Sets the details. A `code` among them replaces that of the kind.
    pub(crate) fn with_details(mut self, details: Value) -> Self {
        if let (Value::Object(own), Value::Object(details)) = (&mut *self.details, details) {
            own.extend(details);
        }
        self
    }

    pub(crate) fn with_payload(self, payload: Value) -> Self {
        Self { payload: Some(Box::new(payload)), ..self }
    }

    /// Sets the code of the protocol where it does not follow from the kind.
    fn with_code(self, code: Code) -> Self {
        Self { code, ..self }
    }
}

impl<E: Classify> From<E> for Refusal {
    fn from(error: E) -> Self {
        exceptions::apply(&error, Self::new(error.kind(), describe_error(&error)))
    }
}

#[cfg(test)]
#[path = "refusal_tests.rs"]
mod tests;
