//! Why a request has no answer, in the words of the protocol.

use prowess::{EngineError, InvokeError, SkillFileError, describe_error};
use rmcp::ErrorData;

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// What was asked for is not there or cannot be asked for.
    #[error("{0}")]
    Invalid(String),
    /// It is there, but something on this machine is at fault.
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

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Agent(_) => Self::Invalid(describe_error(&error)),
            _ => Self::internal(&error),
        }
    }
}

impl From<SkillFileError> for Fault {
    fn from(error: SkillFileError) -> Self {
        match error {
            SkillFileError::Unknown { .. } => Self::Invalid(describe_error(&error)),
            _ => Self::internal(&error),
        }
    }
}

impl From<InvokeError> for Fault {
    fn from(error: InvokeError) -> Self {
        match error {
            InvokeError::Unusable(_) => Self::Invalid(describe_error(&error)),
            _ => Self::internal(&error),
        }
    }
}
