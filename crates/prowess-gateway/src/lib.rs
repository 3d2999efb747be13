//! The gateway: the engine for clients on sockets.
//!
//! One table of methods is reached three ways: frames on a WebSocket, JSON over HTTP under `/api/v1`, and
//! the Studio, which uses both. Every method calls the façade, so a client gets the answer that the command line
//! gives.
//!
//! What this crate refuses to do: read the environment or the clock, answer without a token, put a secret into an
//! answer, or act on a path that a client sent.

mod access;
mod approvals;
mod clients;
mod cron;
mod desk;
mod devices;
mod door;
mod error;
mod events;
#[cfg(feature = "fuzzing")]
mod fuzz;
mod gateway;
mod handshake;
mod http;
mod kept_plans;
mod limits;
pub mod log;
mod method;
mod methods;
mod metrics;
mod node;
mod nodes;
mod openapi;
mod origin;
mod presence;
mod pulse;
mod refusal;
mod runs;
mod serve;
mod studio;
#[cfg(test)]
mod test_support;
mod uploads;
mod ws;

pub use error::{GatewayError, NodeError};
#[cfg(feature = "fuzzing")]
pub use fuzz::check_client;
pub use gateway::{Gateway, GatewayOptions};
pub use limits::Limits;
pub use node::{NodeEvent, NodeOptions, run_node};

/// The OpenAPI document that the gateway serves: every method and address, and the events beside them.
pub fn openapi_document() -> serde_json::Value {
    openapi::document(&methods::all())
}

/// The schema of what a method answers, for those who pass the answer on; of anything, if there is no such method.
pub fn answer_schema(method: &str, generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let methods = methods::all();
    match methods.iter().find(|known| known.name == method) {
        Some(method) => (method.result)(generator),
        None => true.into(),
    }
}
