//! What clients are told when sessions, the cortex or the forge refuse.

use prowess::cortex::CortexError;
use prowess::forge::ForgeError;
use prowess::{SessionError, TrustError, describe_error};

use crate::refusal::Refusal;

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Self {
        let text = describe_error(&error);
        match error {
            SessionError::Id(_)
            | SessionError::Unknown(_)
            | SessionError::Ambiguous { .. }
            | SessionError::UnknownRun { .. }
            | SessionError::NoRun(_)
            | SessionError::NoPrompt { .. }
            | SessionError::PromptDropped { .. }
            | SessionError::NothingToCompare { .. }
            | SessionError::NothingImported { .. }
            | SessionError::Taken(_) => Self::invalid(text),
            _ => Self::unavailable(text),
        }
    }
}

impl From<CortexError> for Refusal {
    fn from(error: CortexError) -> Self {
        let text = describe_error(&error);
        match error {
            CortexError::Engine(error) => error.into(),
            CortexError::Import { .. } | CortexError::Unknown(_) | CortexError::Incomplete(_) => {
                Self::invalid(text)
            }
            _ => Self::unavailable(text),
        }
    }
}

impl From<ForgeError> for Refusal {
    fn from(error: ForgeError) -> Self {
        let text = describe_error(&error);
        match error {
            ForgeError::Engine(error) => error.into(),
            ForgeError::Session(error) => error.into(),
            ForgeError::NotSuccessful { .. } => {
                Self::invalid(format!("{text}; if it did, rate it `good` with sessions.rate"))
            }
            ForgeError::NotTested(_) => Self::invalid(format!("{text}; forge.test measures it")),
            ForgeError::NoConsent(_) => {
                Self::invalid(format!("{text}; send `consent: true`, or set `forge.policy` to `tested`"))
            }
            ForgeError::Unknown(_)
            | ForgeError::Ambiguous { .. }
            | ForgeError::NotWorth(_)
            | ForgeError::NearDuplicate(_)
            | ForgeError::SwitchedOff
            | ForgeError::QueueFull(_)
            | ForgeError::TooLong { .. }
            | ForgeError::NotPromoted(_)
            | ForgeError::NotRetired(_)
            | ForgeError::Taken(_)
            | ForgeError::Changed(_) => Self::invalid(text),
            _ => Self::unavailable(text),
        }
    }
}

impl From<TrustError> for Refusal {
    fn from(error: TrustError) -> Self {
        let text = describe_error(&error);
        match error {
            TrustError::Ci | TrustError::Unknowable { .. } => Self::invalid(text),
            _ => Self::unavailable(text),
        }
    }
}
