//! The options of a server.

use prowess_context::Clock;
use tokio_util::sync::CancellationToken;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Tells the time.
    pub clock: Clock,
    /// Whose skills, for clients that name no agent; the default agent's if none is named.
    pub agent: Option<String>,
    /// Ends every connection.
    pub cancel: CancellationToken,
}

impl ServerOptions {
    /// For the default agent, until it is dropped.
    pub fn new(clock: Clock) -> Self {
        Self { clock, agent: None, cancel: CancellationToken::new() }
    }
}
