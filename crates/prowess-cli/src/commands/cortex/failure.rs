//! What to do when nothing can be learned or looked up.

use prowess::cortex::CortexError;

use crate::failure::{Code, Failure};

impl From<CortexError> for Failure {
    fn from(error: CortexError) -> Self {
        match error {
            CortexError::Incomplete(message) => Self::usage(message),
            CortexError::Unknown(_) => {
                Self::of(Code::NotFound, &error).hint("`prowess cortex show` lists what was learned")
            }
            CortexError::Engine(error) => error.into(),
            CortexError::Choose(error) => error.into(),
            error => Self::of(Code::Files, &error),
        }
    }
}
