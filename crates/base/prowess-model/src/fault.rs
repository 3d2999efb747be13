//! The cause of a failed attempt, and whether another may help.

use std::time::Duration;

use crate::ModelError;
use crate::retry::LONGEST_WAIT;

#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) error: ModelError,
    pub(crate) again: Again,
}

/// The rule for a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    Never,
    /// After as long as the endpoint asked for, if it did.
    Later(Option<Duration>),
    /// One more time: it may have been bad luck.
    Once,
}

impl Fault {
    pub(crate) fn never(error: ModelError) -> Self {
        Self { error, again: Again::Never }
    }

    pub(crate) fn malformed(why: impl Into<String>) -> Self {
        Self::never(ModelError::Malformed(why.into()))
    }

    /// The error of a status. An endpoint that asks for a longer wait than the limit is not retried.
    pub(crate) fn status(status: u16, message: String, retry_after: Option<Duration>) -> Self {
        let too_long = retry_after.is_some_and(|wait| wait > LONGEST_WAIT);
        let again = match status {
            408 | 429 | 500..=599 if !too_long => Again::Later(retry_after),
            _ => Again::Never,
        };
        let error = match status {
            401 | 403 => ModelError::Unauthorized { status, message },
            429 | 529 => ModelError::Limited { status, message },
            500..=599 if too_long => ModelError::Limited { status, message },
            _ => ModelError::Status { status, message },
        };
        Self { error, again }
    }

    /// An error that came in a stream, after the status said that all was well. Its code is a number of HTTP, or
    /// one of the providers' words for one.
    pub(crate) fn reported(code: &str, message: String) -> Self {
        let status = match code {
            "invalid_request_error" => 400,
            "authentication_error" => 401,
            "permission_error" => 403,
            "not_found_error" => 404,
            "rate_limit_error" | "rate_limit_exceeded" => 429,
            "api_error" | "server_error" | "internal_error" => 500,
            "overloaded_error" => 529,
            _ => match code.parse() {
                Ok(status @ 400..=599) => status,
                _ => return Self::never(ModelError::Interrupted(message)),
            },
        };
        Self::status(status, message, None)
    }

    /// The same after a part of the answer had come: whatever the reason, it broke off.
    pub(crate) fn after_words(self) -> Self {
        match self.error {
            ModelError::Status { message, .. }
            | ModelError::Limited { message, .. }
            | ModelError::Unauthorized { message, .. } => Self::never(ModelError::Interrupted(message)),
            _ => self,
        }
    }
}
