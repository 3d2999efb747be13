//! Which servers may be asked: addresses as written, then the machines that they lead to.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use prowess_scan::{Host, classify_host, is_public};
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::error::{shown, shown_text};
use crate::{NetError, NetOptions, Reach, Refusal};

/// How far away a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    Loopback,
    Private,
    Public,
}

impl Zone {
    fn of(address: IpAddr) -> Self {
        if address.is_loopback() {
            Self::Loopback
        } else if is_public(address) {
            Self::Public
        } else {
            Self::Private
        }
    }

    /// Whether it may be asked; `from` is the server that redirects there.
    fn is_within(self, reach: Reach, from: Option<Self>) -> bool {
        match self {
            Self::Public => true,
            // A server outside does not get to choose what is asked inside.
            _ if from == Some(Self::Public) => false,
            Self::Loopback => reach != Reach::Public,
            Self::Private => reach == Reach::Anywhere,
        }
    }
}

/// Reads an address, relative to another one when a server gave it, and checks what can be told from its text.
pub(crate) fn read(text: &str, base: Option<&Url>, options: &NetOptions) -> Result<Url, NetError> {
    let bad = |reason: String| NetError::BadUrl { url: shown_text(text), reason };
    if text.contains(|char: char| char.is_control() || char.is_whitespace() || char == '\\') {
        return Err(bad("it has a space, a control character or a backslash".to_owned()));
    }
    let url = base.map_or_else(|| Url::parse(text), |base| base.join(text));
    let url = url.map_err(|error| bad(error.to_string()))?;
    let refused = |reason| Err(NetError::refused(&url, reason));
    if !matches!(url.scheme(), "https" | "http") {
        return refused(Refusal::NotHttps);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refused(Refusal::UserInfo);
    }
    let Some(host) = url.host_str() else { return Err(bad("it has no host".to_owned())) };
    let is_base_host = base.is_some_and(|base| base.host_str() == Some(host));
    // Reading an address turns every spelling of four numbers into the plain one.
    if literal(&url).is_some_and(|address| address.is_ipv4())
        && written_host(text) != Some(host)
        && !(written_host(text).is_none() && is_base_host)
    {
        return refused(Refusal::Disguised);
    }
    match classify_host(host.trim_matches(['[', ']'])) {
        Host::Disguised => refused(Refusal::Disguised),
        Host::Private if options.reach == Reach::Public => refused(Refusal::Private),
        _ => Ok(url),
    }
}

/// The host as it stands in an address that names one.
fn written_host(text: &str) -> Option<&str> {
    let rest = text.split_once("://").map(|(_, rest)| rest).or_else(|| text.strip_prefix("//"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    Some(authority.rsplit_once(':').map_or(authority, |(host, _)| host))
}

/// The address, if the host is one.
pub(crate) fn literal(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_matches(['[', ']']).parse().ok()
}

/// Of the addresses of a host, those that may be asked, and how far away they are.
pub(crate) fn permitted(
    url: &Url,
    addresses: &[IpAddr],
    from: Option<Zone>,
    options: &NetOptions,
) -> Result<(Zone, Vec<IpAddr>), NetError> {
    let refused = |reason| Err(NetError::refused(url, reason));
    let allowed = |address: &&IpAddr| Zone::of(**address).is_within(options.reach, from);
    let addresses: Vec<IpAddr> = addresses.iter().filter(allowed).copied().collect();
    // A name with addresses inside and outside counts as inside: what it may be asked is the least.
    let zone = addresses
        .iter()
        .map(|address| Zone::of(*address))
        .reduce(|one, other| if one == Zone::Public { other } else { one });
    let Some(zone) = zone else { return refused(Refusal::Private) };
    let is_here = addresses.iter().all(IpAddr::is_loopback);
    if url.scheme() == "http" && !options.allow_http && !is_here {
        return refused(Refusal::NotHttps);
    }
    Ok((zone, addresses))
}

/// The addresses that were checked, by host: connections are made to these and no others.
#[derive(Clone, Default)]
pub(crate) struct Pins(Arc<Mutex<HashMap<String, Vec<IpAddr>>>>);

impl Pins {
    pub(crate) fn set(&self, host: &str, addresses: Vec<IpAddr>) {
        let mut pins = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pins.insert(host.to_ascii_lowercase(), addresses);
    }

    fn get(&self, host: &str) -> Option<Vec<IpAddr>> {
        let pins = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pins.get(&host.to_ascii_lowercase()).cloned()
    }
}

impl Resolve for Pins {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.get(name.as_str());
        Box::pin(std::future::ready(match found {
            Some(addresses) => {
                let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
                Ok(Box::new(addresses) as Addrs)
            }
            None => Err(format!("`{}` was not checked", name.as_str()).into()),
        }))
    }
}

/// Whether a redirect keeps what protects the request.
pub(crate) fn check_redirect(from: &Url, to: &Url) -> Result<(), NetError> {
    if from.scheme() == "https" && to.scheme() == "http" {
        return Err(NetError::Refused { url: shown(to), reason: Refusal::Downgrade });
    }
    Ok(())
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
