//! HTTP within bounds: the one guarded client, and what servers bear with ([`serve`]).
//!
//! Every address that is not ours comes from outside: a registry, a manifest, a redirect. [`Client`] asks only
//! servers it may ask: https unless allowed otherwise, and never a machine behind this one's fence. Names are looked
//! up first, each address is classified by one table, and the connection goes to an address that was checked, so a
//! name cannot mean one machine when it is checked and another when it is asked. Each redirect is checked the same
//! way. Everything that comes back is bounded: bytes, packed bytes, time, silence.
//!
//! ```no_run
//! use prowess_net::{Client, HttpMethod, NetOptions};
//!
//! let client = Client::new(NetOptions::default())?;
//! let answer = client.request(HttpMethod::Get, "https://registry.example/api/v1/search").query("q", "pdf").send()?;
//! println!("{}: {}", answer.status, answer.text());
//! # Ok::<(), prowess_net::NetError>(())
//! ```
//!
//! This crate refuses to: read the environment (proxies included), keep cookies, send a credential to
//! any origin but its own, or name one in an error.

mod address;
mod body;
mod client;
mod clock;
mod download;
mod error;
mod exchange;
mod guard;
mod options;
mod plan;
mod random;
mod request;
mod response;
mod retry;
pub mod serve;
mod stream;
mod tls;
mod transport;

pub use address::{host_of, without_user};
pub use client::Client;
pub use download::{DownloadLimits, Downloaded};
pub use error::{AddressRefusal, NetError, without_secrets};
pub use exchange::is_header;
pub use guard::is_loopback_url;
pub use options::{AddressLookup, Credentials, NetOptions, NetProxy, NetworkReach, Redirects};
pub use plan::HttpMethod;
pub use random::{RandomError, random_bytes, random_token};
pub use request::RequestBuilder;
pub use response::Response;
pub use stream::{ResponseStream, Upgraded};
pub use tls::provide_cryptography;
pub use transport::{Transport, TransportError, transport};

/// Checks the URL of a request; the name of its host is not looked up.
pub fn check_url(url: &str, options: &NetOptions) -> Result<(), NetError> {
    guard::check(url, options)
}
