//! The gateway: the engine for clients on sockets.
//!
//! One [table of methods](method) is reached three ways: frames on a WebSocket, JSON over HTTP under `/api/v1`, and
//! the Studio, which uses both. Every method calls the façade, so a client gets the answer that the command line
//! gives.
//!
//! What this crate refuses to do: read the environment or the clock, answer without a token, put a secret into an
//! answer, or act on a path that a client sent.

mod access;
mod approvals;
mod cron;
mod door;
mod error;
mod events;
mod gateway;
mod http;
mod method;
mod methods;
mod refusal;
mod runs;
mod serve;
#[cfg(test)]
mod test_support;

pub use error::GatewayError;
pub use gateway::{Gateway, GatewayOptions};
