//! The reason the gateway cannot work.

use std::path::PathBuf;

use prowess_context::ContextError as EngineError;
use prowess_types::{Classify, ErrorClass, ErrorKind};

/// The reason the gateway cannot work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GatewayError {
    /// The engine cannot answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Connections cannot be served.
    #[error("cannot serve connections")]
    Serve(#[source] std::io::Error),
}

impl Classify for GatewayError {
    fn class(&self) -> ErrorClass<'_> {
        ErrorClass::Is(ErrorKind::Environment)
    }
}

/// The reason a node cannot work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NodeError {
    /// The address of the gateway cannot be used.
    #[error("`{address}` is not a gateway address: {why}")]
    Address {
        /// The address.
        address: String,
        /// The problem with it.
        why: &'static str,
    },
    /// The node's own key cannot be used.
    #[error("cannot use `{}`: {why}", file.display())]
    Identity {
        /// The file it is kept in.
        file: PathBuf,
        /// The reason.
        why: String,
    },
    /// The gateway does not let the node in.
    #[error("the gateway refuses this node: {message}")]
    Refused {
        /// The message of the gateway.
        message: String,
        /// The code, for programs.
        code: String,
    },
}

impl Classify for NodeError {
    fn class(&self) -> ErrorClass<'_> {
        ErrorClass::Is(match self {
            Self::Address { .. } => ErrorKind::Usage,
            Self::Refused { .. } => ErrorKind::Credentials,
            Self::Identity { .. } => ErrorKind::Environment,
        })
    }
}
