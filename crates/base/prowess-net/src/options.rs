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
    /// The proxies of requests. A proxy looks up the names of hosts by itself, so only addresses are checked; this machine
    /// is never reached through one.
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

/// Proxies, and the hosts that are reached without them.
#[derive(Clone, Debug)]
pub struct NetProxy {
    /// The URL of the proxy for encrypted requests, which may hold a password.
    pub https: Option<Secret>,
    /// The URL of the proxy for other requests.
    pub http: Option<Secret>,
    /// Hosts, domains and networks that are reached directly, in the form of `NO_PROXY`.
    pub except: Option<String>,
}

impl NetProxy {
    /// A proxy for all hosts.
    pub fn new(url: impl Into<String>) -> Self {
        let url = Secret::new(url);
        Self { https: Some(url.clone()), http: Some(url), except: None }
    }

    /// The proxies that an environment names, in upper or lower case; `get` returns a variable that is not blank.
    ///
    /// A CGI program gets a header of its client as `HTTP_PROXY`, so that one counts only outside of CGI.
    pub fn from_environment<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let first = |names: &[&str]| names.iter().find_map(|name| get(name)).map(str::to_owned);
        let all = || first(&["ALL_PROXY", "all_proxy"]).map(Secret::new);
        let plain: &[&str] =
            if get("REQUEST_METHOD").is_some() { &["http_proxy"] } else { &["HTTP_PROXY", "http_proxy"] };
        let https = first(&["HTTPS_PROXY", "https_proxy"]).map(Secret::new).or_else(all);
        let http = first(plain).map(Secret::new).or_else(all);
        if https.is_none() && http.is_none() {
            return None;
        }
        Some(Self { https, http, except: first(&["NO_PROXY", "no_proxy"]) })
    }

    /// The proxy for a scheme.
    pub(crate) fn of(&self, scheme: &str) -> Option<&Secret> {
        if scheme == "https" { self.https.as_ref() } else { self.http.as_ref() }
    }

    /// The hosts that are reached directly: those of the user, and this machine.
    fn exceptions(&self) -> Option<reqwest::NoProxy> {
        let own = self.except.as_deref().unwrap_or_default();
        reqwest::NoProxy::from_string(&format!("{own},localhost,127.0.0.0/8,::1"))
    }

    /// Both proxies, for a client.
    pub(crate) fn build(&self) -> Result<Vec<reqwest::Proxy>, NetError> {
        let mut proxies = Vec::new();
        for (url, is_https) in [(&self.https, true), (&self.http, false)] {
            let Some(url) = url else { continue };
            let url = Self::read(url.expose()).ok_or(NetError::BadProxy)?;
            let proxy = if is_https { reqwest::Proxy::https(url) } else { reqwest::Proxy::http(url) };
            proxies.push(proxy.map_err(|_| NetError::BadProxy)?.no_proxy(self.exceptions()));
        }
        Ok(proxies)
    }

    /// The names of the machines that the proxies run on.
    pub(crate) fn hosts(&self) -> Vec<String> {
        let urls = [&self.https, &self.http].into_iter().flatten();
        urls.filter_map(|url| Some(Self::read(url.expose())?.host_str()?.to_ascii_lowercase())).collect()
    }

    /// The URL of an HTTP proxy, which people also write without `http://`.
    fn read(text: &str) -> Option<Url> {
        let text = text.trim();
        let text = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
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
