//! The error of a failed request, in the codes of the protocol.

use prowess_text::describe_error;
use prowess_types::{Classify, ErrorKind};
use rmcp::ErrorData;
use rmcp::model::ErrorCode;

/// The error of a failed request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// The request is wrong: an unknown name, a bad argument.
    #[error("{0}")]
    Invalid(String),
    /// The request may be right, but this machine cannot answer it.
    #[error("{0}")]
    Internal(String),
}

impl Fault {
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    pub(crate) fn internal(error: &dyn std::error::Error) -> Self {
        Self::Internal(describe_error(error))
    }
}

impl From<Fault> for ErrorData {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Invalid(message) => Self::invalid_params(message, None),
            Fault::Internal(message) => Self::internal_error(message, None),
        }
    }
}

/// Returns the JSON-RPC code of an error's kind.
pub fn rpc_code(kind: ErrorKind) -> i32 {
    code(kind).0
}

fn code(kind: ErrorKind) -> ErrorCode {
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
        | ErrorKind::UnknownMethod
        | ErrorKind::NeedsConfirmation
        | ErrorKind::Forbidden => ErrorCode::INVALID_PARAMS,
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
        | ErrorKind::Interrupted
        | ErrorKind::Stale => ErrorCode::INTERNAL_ERROR,
    }
}

impl<E: Classify> From<E> for Fault {
    fn from(error: E) -> Self {
        let message = describe_error(&error);
        if code(error.kind()) == ErrorCode::INVALID_PARAMS {
            Self::Invalid(message)
        } else {
            Self::Internal(message)
        }
    }
}

#[cfg(test)]
mod tests {
    use prowess_inventory::{InvokeError, SkillFileError};

    use super::*;

    #[test]
    fn the_kind_decides_who_is_at_fault() {
        let unknown = SkillFileError::Unknown { skill: "a".to_owned(), path: "b".to_owned() };
        assert!(matches!(Fault::from(unknown), Fault::Invalid(_)));
        assert!(matches!(Fault::from(SkillFileError::Changed("a".to_owned())), Fault::Internal(_)));
        assert!(matches!(Fault::from(InvokeError::Unusable("a".to_owned())), Fault::Invalid(_)));
    }
}
