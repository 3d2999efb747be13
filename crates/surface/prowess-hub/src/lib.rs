//! A registry of skills, served over HTTP.
//!
//! [`Hub`] speaks the ClawHub v1 interface and the two well-known indexes, over tables in SQLite and a folder of
//! contents by their hash. [`TokenDesk`] makes and takes back the tokens that publishers log in with; both may work
//! in the same folder at once, but only one hub.
//!
//! Every publication is scanned before it is visible: what is malicious cannot be fetched, what is suspicious is
//! marked. An archive is packed once and kept, so its bytes never change.
//!
//! This crate refuses to: read the environment or the clock, keep a token in the clear, answer to a name
//! that is not its own, or trust what a proxy says about a client.

mod blobs;
mod card;
mod change;
mod error;
mod http;
mod hub;
mod judgement;
mod limits;
mod login;
mod peer;
mod publish;
mod quarantine;
mod read;
mod refusal;
mod search;
mod serve;
mod token;
mod transfer;
mod upload;
mod well_known;

pub use error::HubError;
pub use hub::{Hub, HubOptions, OperatorNote};
pub use prowess_store::registry::TokenRecord;
pub use search::SearchSample;
pub use token::TokenDesk;
