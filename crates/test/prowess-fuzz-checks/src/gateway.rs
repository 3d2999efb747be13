//! The messages of a gateway's clients.

pub use prowess_gateway::check_client as check;
