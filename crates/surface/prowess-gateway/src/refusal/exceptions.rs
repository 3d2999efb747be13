//! The errors of which the protocol says more, or something else, than their kind does.
//!
//! One row for each error type, tried from the outermost error to the innermost; the first that applies decides.

use std::error::Error;

use prowess_acquire::{AcquireError, DepsError};
use prowess_config::{ConfigEditError, UnknownAgent};
use prowess_context::{ApprovalsError, ConfigProblem, ConfigWriteError};
use prowess_learn::cortex::CortexError;
use prowess_learn::forge::ForgeError;
use prowess_sessions::SessionError;
use prowess_types::{Classify, wrapped_errors};
use serde_json::json;

use super::{Code, Refusal};

/// A change to a refusal; none if the row does not apply.
type Exception = fn(&(dyn Error + 'static), &Refusal) -> Option<Refusal>;

const EXCEPTIONS: [Exception; 9] = [
    |error, refusal| error.downcast_ref().and_then(|error| acquire(error, refusal)),
    |error, refusal| error.downcast_ref().and_then(|error| approvals(error, refusal)),
    |error, refusal| error.downcast_ref().and_then(|error| config(error, refusal)),
    |error, refusal| error.downcast_ref().and_then(|error| cortex(error, refusal)),
    |error, refusal| error.downcast_ref().and_then(|error| dependencies(error, refusal)),
    |error, refusal| error.downcast_ref().map(|error| edit(error, refusal)),
    |error, refusal| error.downcast_ref().and_then(|error| forge(error, refusal)),
    |error, refusal| error.downcast_ref().and_then(|error| session(error, refusal)),
    |error, refusal| error.downcast_ref().map(|error| unknown_agent(error, refusal)),
];

/// Returns the refusal of an error as the protocol has it.
pub(super) fn apply(error: &dyn Classify, refusal: Refusal) -> Refusal {
    wrapped_errors(error)
        .find_map(|error| EXCEPTIONS.iter().find_map(|exception| exception(error, &refusal)))
        .unwrap_or(refusal)
}

fn with(refusal: &Refusal, code: Code) -> Refusal {
    refusal.clone().with_code(code)
}

fn advised(refusal: &Refusal, advice: &str) -> Refusal {
    Refusal { message: format!("{}; {advice}", refusal.message), ..refusal.clone() }
}

/// Clients expect `UNAVAILABLE` of an install that fails, and `INVALID_REQUEST` only of a wrong name.
fn acquire(error: &AcquireError, refusal: &Refusal) -> Option<Refusal> {
    match error {
        AcquireError::Context(_) => None,
        AcquireError::NotInstalled { .. }
        | AcquireError::SeveralInstalled { .. }
        | AcquireError::ByOtherTool { .. }
        | AcquireError::AlreadyThere { .. }
        | AcquireError::Ambiguous { .. }
        | AcquireError::Upload(_) => Some(with(refusal, Code::InvalidRequest)),
        _ => Some(with(refusal, Code::Unavailable)),
    }
}

fn approvals(error: &ApprovalsError, _: &Refusal) -> Option<Refusal> {
    match error {
        ApprovalsError::NeedsConfirmation(loosening) => Some(Refusal::loosens(loosening.clone())),
        _ => None,
    }
}

fn config(error: &ConfigWriteError, refusal: &Refusal) -> Option<Refusal> {
    match error {
        ConfigWriteError::NeedsConfirmation(loosening) => Some(Refusal::loosens(loosening.clone())),
        ConfigWriteError::Revise(error) => {
            let issues = ConfigProblem::of(error);
            (!issues.is_empty()).then(|| refusal.clone().with_details(json!({ "issues": issues })))
        }
        _ => None,
    }
}

/// The file that a client names is a parameter.
fn cortex(error: &CortexError, refusal: &Refusal) -> Option<Refusal> {
    match error {
        CortexError::Import { .. } => Some(with(refusal, Code::InvalidRequest)),
        _ => None,
    }
}

fn dependencies(error: &DepsError, refusal: &Refusal) -> Option<Refusal> {
    match error {
        DepsError::NoConsent(_) => Some(with(refusal, Code::Unavailable)),
        _ => None,
    }
}

/// The config file as it is does not allow the change.
fn edit(_: &ConfigEditError, refusal: &Refusal) -> Refusal {
    with(refusal, Code::Unavailable)
}

fn forge(error: &ForgeError, refusal: &Refusal) -> Option<Refusal> {
    match error {
        ForgeError::NotSuccessful { .. } => {
            Some(advised(refusal, "if it did, rate it `good` with sessions.rate"))
        }
        ForgeError::TestFailed { .. } => {
            Some(advised(refusal, "edit its files or use forge.improve, then forge.test"))
        }
        ForgeError::NotTested(_) => Some(advised(refusal, "forge.test measures it")),
        ForgeError::NoConsent(_) => {
            Some(advised(refusal, "send `consent: true`, or set `forge.policy` to `tested`"))
        }
        ForgeError::Model(_) | ForgeError::NoDescription => Some(with(refusal, Code::Unavailable)),
        _ => None,
    }
}

/// The file and the session that a client names are parameters.
fn session(error: &SessionError, refusal: &Refusal) -> Option<Refusal> {
    match error {
        SessionError::NothingImported { .. } | SessionError::Taken(_) => {
            Some(with(refusal, Code::InvalidRequest))
        }
        _ => None,
    }
}

/// The words of OpenClaw.
fn unknown_agent(error: &UnknownAgent, refusal: &Refusal) -> Refusal {
    Refusal { message: format!("unknown agent id \"{}\"", error.id), ..refusal.clone() }
}
