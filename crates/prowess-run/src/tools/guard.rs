//! The one HTTP client of the configured tools: it goes where the user said, and nowhere else.
//!
//! Encrypted, or to this machine. Never to a private network unless the user allows it, whatever a name resolves to:
//! the addresses are judged when they are resolved, and those that were judged are the ones connected to. Redirects
//! stay on the same origin, so that headers with secrets never reach another.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url, redirect};

use super::configured::Reach;

const MAX_REDIRECTS: usize = 5;

/// Why a request is not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum GuardError {
    #[error("`{0}` is neither `https` nor `http`")]
    Scheme(String),
    #[error("`http` is used to reach this machine only (`allowInsecure` allows it)")]
    Insecure,
    #[error("it has a user name or a password; use `headers`")]
    Credentials,
    #[error("it names no host")]
    NoHost,
    #[error("`{0}` is in a private network (`allowPrivate` allows it)")]
    Private(IpAddr),
    #[error("`{0}` is no address that can be asked")]
    Unusable(IpAddr),
    #[error("`{0}` resolves to nothing")]
    Unresolved(String),
    #[error("cannot set up HTTP")]
    Client(#[source] reqwest::Error),
}

/// Judges an address by its spelling.
pub(super) fn check(reach: &Reach) -> Result<(), GuardError> {
    let url = &reach.url;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(GuardError::Credentials);
    }
    let literal = literal(url).ok_or(GuardError::NoHost)?;
    match url.scheme() {
        "https" => {}
        "http" if reach.allow_insecure || literal.is_this_machine() => {}
        "http" => return Err(GuardError::Insecure),
        other => return Err(GuardError::Scheme(other.to_owned())),
    }
    match literal {
        Host::Address(address) => judge(address, reach.allow_private),
        Host::ThisMachine | Host::Name => Ok(()),
    }
}

/// A client for one endpoint, with its headers.
pub(super) fn client(reach: &Reach) -> Result<Client, GuardError> {
    check(reach)?;
    let mut headers = HeaderMap::new();
    for (name, value) in &reach.headers {
        let name = HeaderName::from_bytes(name.as_bytes());
        // Both were tried when the configuration was read.
        if let (Ok(name), Ok(mut value)) = (name, HeaderValue::from_str(value.expose())) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    }
    Client::builder()
        .default_headers(headers)
        .redirect(same_origin())
        .dns_resolver(Arc::new(Judging { allow_private: reach.allow_private }))
        .referer(false)
        // A proxy would resolve names by itself.
        .no_proxy()
        .build()
        .map_err(GuardError::Client)
}

fn same_origin() -> redirect::Policy {
    redirect::Policy::custom(|attempt| {
        let is_same = attempt.previous().iter().all(|url| url.origin() == attempt.url().origin());
        if !is_same {
            attempt.error("it redirects to another origin")
        } else if attempt.previous().len() > MAX_REDIRECTS {
            attempt.error("it redirects too often")
        } else {
            attempt.follow()
        }
    })
}

enum Host {
    Address(IpAddr),
    ThisMachine,
    Name,
}

impl Host {
    fn is_this_machine(&self) -> bool {
        match self {
            Self::ThisMachine => true,
            Self::Address(address) => address.is_loopback(),
            Self::Name => false,
        }
    }
}

fn literal(url: &Url) -> Option<Host> {
    let host = url.host_str()?;
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    Some(match bare.parse() {
        Ok(address) => Host::Address(address),
        Err(_) if host == "localhost" => Host::ThisMachine,
        Err(_) => Host::Name,
    })
}

/// Resolves names, and gives back only addresses that may be connected to.
struct Judging {
    allow_private: bool,
}

impl Resolve for Judging {
    fn resolve(&self, name: Name) -> Resolving {
        let allow_private = self.allow_private;
        Box::pin(async move {
            let name = name.as_str().to_owned();
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if found.is_empty() {
                return Err(GuardError::Unresolved(name).into());
            }
            for address in &found {
                // A public name that leads to this machine is an attack on what listens here.
                if address.ip().is_loopback() && name != "localhost" && !allow_private {
                    return Err(GuardError::Private(address.ip()).into());
                }
                judge(address.ip(), allow_private)?;
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn judge(address: IpAddr, allow_private: bool) -> Result<(), GuardError> {
    let kind = match address {
        IpAddr::V4(address) => kind_of_v4(address),
        IpAddr::V6(address) => kind_of_v6(address),
    };
    match kind {
        Kind::Public | Kind::Loopback => Ok(()),
        Kind::Private if allow_private => Ok(()),
        Kind::Private => Err(GuardError::Private(address)),
        Kind::Unusable => Err(GuardError::Unusable(address)),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Public,
    Loopback,
    Private,
    /// Nobody's, everybody's, or a disguise of another address.
    Unusable,
}

fn kind_of_v4(address: Ipv4Addr) -> Kind {
    let [first, second, third, _] = address.octets();
    if address.is_loopback() {
        Kind::Loopback
    } else if first == 0
        || first >= 240
        || address.is_multicast()
        || (first == 192 && second == 0 && third == 0)
        || (first == 192 && second == 88 && third == 99)
        || address.is_documentation()
    {
        Kind::Unusable
    } else if address.is_private()
        || address.is_link_local()
        || (first == 100 && (64..128).contains(&second))
        || (first == 198 && (18..20).contains(&second))
    {
        Kind::Private
    } else {
        Kind::Public
    }
}

fn kind_of_v6(address: Ipv6Addr) -> Kind {
    let parts = address.segments();
    if address.is_loopback() {
        Kind::Loopback
    } else if let Some(mapped) = address.to_ipv4_mapped() {
        kind_of_v4(mapped)
    } else if address.is_unspecified()
        || address.is_multicast()
        // 6to4, Teredo, NAT64, ISATAP, IPv4-compatible: each hides an IPv4 address.
        || parts[0] == 0x2002
        || (parts[0] == 0x2001 && parts[1] == 0)
        || (parts[0] == 0x64 && parts[1] == 0xff9b)
        || (parts[4] & 0xfcff == 0 && parts[5] == 0x5efe)
        || parts[..6] == [0; 6]
        || (parts[0] == 0x2001 && parts[1] == 0xdb8)
    {
        Kind::Unusable
    } else if parts[0] & 0xfe00 == 0xfc00 || parts[0] & 0xffc0 == 0xfe80 || parts[0] & 0xffc0 == 0xfec0 {
        Kind::Private
    } else {
        Kind::Public
    }
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
