//! The policy of a client, and its credentials.

use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::Duration;

use prowess_types::Secret;
use reqwest::Url;

use crate::NetError;
use crate::error::shown_text;

/// The machines that requests may go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkReach {
    /// Those on the public internet.
    #[default]
    Public,
    /// Also this machine, over http too. A public server cannot redirect there.
    Loopback,
    /// Also the networks this machine is in. A public server cannot redirect there.
    Anywhere,
    /// An endpoint that the user configured for a tool: a public machine, or this one if the URL names it, as
    /// `localhost` or by its address. A name with one address beyond that is refused, and reserved addresses always.
    Endpoint {
        /// True if it may be in a private network.
        allow_private: bool,
    },
}

/// The redirects that are followed. Each one is checked like a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redirects {
    /// All within the address policy.
    #[default]
    Follow,
    /// Those that stay on the origin of the request.
    SameOrigin,
    /// None: a redirect is the response.
    Stop,
}

/// The options of a client.
#[derive(Clone)]
pub struct NetOptions {
    /// The machines that requests may go to.
    pub reach: NetworkReach,
    /// True if servers may be reached without encryption.
    pub allow_http: bool,
    /// The redirects that are followed.
    pub redirects: Redirects,
    /// A proxy for all requests, which then looks up the names of hosts by itself: only addresses are checked.
    pub proxy: Option<NetProxy>,
    /// The user agent.
    pub user_agent: String,
    /// The time limit for opening a connection.
    pub connect_timeout: Duration,
    /// The time limit of one attempt, redirects included; for a download, until its body begins.
    pub attempt_timeout: Duration,
    /// The time limit of a request, with all its attempts and the delays between them.
    pub total_timeout: Duration,
    /// The longest silence allowed of a server in the middle of a response.
    pub idle_timeout: Duration,
    /// The maximum number of retries of a failed request.
    pub retries: u32,
    /// The longest wait that a server can ask for before a request is repeated.
    pub max_wait: Duration,
    /// The maximum size of an answer, unless the request says otherwise.
    pub max_body: u64,
    /// The credentials, each sent to its own origin only.
    pub credentials: Vec<Credentials>,
    /// The resolver of host names.
    pub lookup: Arc<dyn AddressLookup>,
}

impl Default for NetOptions {
    fn default() -> Self {
        Self {
            reach: NetworkReach::Public,
            allow_http: false,
            redirects: Redirects::Follow,
            proxy: None,
            user_agent: concat!("prowess/", env!("CARGO_PKG_VERSION")).to_owned(),
            connect_timeout: Duration::from_secs(10),
            attempt_timeout: Duration::from_secs(30),
            total_timeout: Duration::from_mins(2),
            idle_timeout: Duration::from_secs(30),
            retries: 2,
            max_wait: Duration::from_mins(1),
            max_body: 16 << 20,
            credentials: Vec::new(),
            lookup: Arc::new(System),
        }
    }
}

/// A proxy, and the hosts that are reached without it.
#[derive(Clone, Debug)]
pub struct NetProxy {
    /// The URL of the proxy, which may hold a password.
    pub url: Secret,
    /// Hosts, domains and networks that are reached directly, in the form of `NO_PROXY`.
    pub except: Option<String>,
}

impl NetProxy {
    /// A proxy for all hosts.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: Secret::new(url), except: None }
    }

    /// The proxy for encrypted requests that an environment names; `get` returns a variable that is not blank.
    pub fn from_environment<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let first = |names: &[&str]| names.iter().find_map(|name| get(name)).map(str::to_owned);
        let url = first(&["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])?;
        Some(Self { url: Secret::new(url), except: first(&["NO_PROXY", "no_proxy"]) })
    }
}

/// A credential and the only origin (scheme, host and port) that ever sees it.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub(crate) origin: Url,
    pub(crate) bearer: Secret,
}

impl Credentials {
    /// A bearer token for the origin of an address.
    pub fn bearer(address: &str, token: Secret) -> Result<Self, NetError> {
        let origin = Url::parse(address)
            .map_err(|error| NetError::BadUrl { url: shown_text(address), reason: error.to_string() })?;
        Ok(Self { origin, bearer: token })
    }

    pub(crate) fn are_for(&self, url: &Url) -> bool {
        self.origin.origin() == url.origin()
    }
}

/// Finds the addresses of a name.
pub trait AddressLookup: Send + Sync {
    /// All addresses of a host. May block.
    fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's way.
struct System;

impl AddressLookup for System {
    fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok((host, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
    }
}
