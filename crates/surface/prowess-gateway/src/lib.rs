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
mod codes;
mod connect_params;
mod cron;
mod desk;
mod devices;
mod door;
mod error;
mod events;
mod fuzz;
mod gateway;
mod handshake;
mod held;
mod http;
mod kept_plans;
mod limits;
pub mod log;
mod message;
mod methods;
mod metrics;
mod node;
mod nodes;
mod openapi;
mod origin;
mod peer;
mod pending;
mod presence;
mod pulse;
mod refusal;
mod response;
mod runs;
mod serve;
mod state;
mod studio;
#[cfg(test)]
mod test_support;
mod uploads;
mod wire;
mod ws;

pub use error::{GatewayError, NodeError};
#[doc(hidden)]
pub use fuzz::check_client;

pub use limits::GatewayLimits;
/// The proxy of a node to its gateway.
pub use prowess_net::NetProxy as NodeProxy;

pub use node::{NodeEvent, NodeOptions, ProgramPath, run_node};
pub use serve::near_url;
pub use state::{Gateway, GatewayOptions};

/// The OpenAPI document that the gateway serves: every method and address, and the events beside them.
pub fn openapi_document() -> serde_json::Value {
    openapi::document(&methods::all())
}

/// Returns the protocol's code and the HTTP status of a kind of error.
pub fn error_codes(kind: prowess_types::ErrorKind) -> (&'static str, u16) {
    let code = refusal::Code::of(kind);
    (code.as_str(), response::status(code, kind).as_u16())
}

/// The schema of what a method answers, for those who pass the answer on; of anything, if there is no such method.
pub fn answer_schema(method: &str, generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let methods = methods::all();
    match methods.iter().find(|known| known.name == method) {
        Some(method) => (method.result)(generator),
        None => true.into(),
    }
}
