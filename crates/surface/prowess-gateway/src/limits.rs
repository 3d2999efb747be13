//! How much a gateway takes on.

use std::time::Duration;

/// How much a gateway takes on. The defaults are meant for everybody; tests use smaller ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GatewayLimits {
    /// Maximum number of connections. Later ones wait until one ends.
    pub connections: usize,
    /// Connections of one address that have not got as far as a request. For one more the oldest is closed.
    pub unfinished_per_address: usize,
    /// The time during which a connection is not closed in favour of a waiting one.
    pub unfinished_grace: Duration,
    /// The time limit for sending the head of a request, or for reading any part of a response.
    pub patience: Duration,
    /// The time limit of the body of a request.
    pub body_time: Duration,
    /// The largest body, in bytes.
    pub body_bytes: usize,
    /// Calls over HTTP that are worked on at once. More wait, for as long as a body may take.
    pub calls: usize,
    /// The lifetime of a one-time code.
    pub code_lifetime: Duration,
    /// The time that open work has to finish after the gateway was stopped.
    pub last_words: Duration,
}

impl Default for GatewayLimits {
    fn default() -> Self {
        Self {
            connections: 4096,
            unfinished_per_address: 32,
            unfinished_grace: Duration::from_millis(25),
            patience: Duration::from_secs(15),
            body_time: Duration::from_secs(30),
            body_bytes: 25 * 1024 * 1024,
            calls: 256,
            code_lifetime: Duration::from_mins(1),
            last_words: Duration::from_secs(5),
        }
    }
}

/// The longest message once a client is in.
pub(crate) const MAX_MESSAGE: usize = 25 << 20;

/// Maximum bytes of events that wait for a client; one that has more is closed.
pub(crate) const MAX_BUFFERED: usize = 1 << 20;

/// Maximum number of connections.
pub(crate) const MAX_CONNECTIONS: usize = 8192;
