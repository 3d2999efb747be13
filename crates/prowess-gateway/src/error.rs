//! Why the gateway cannot work.

use prowess::EngineError;

/// Why the gateway cannot work.
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
