//! The network policy: addresses as written, then the machines that they lead to.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use prowess_scan::network::{AddressKind, kind_of};
use prowess_scan::{HostKind, classify_host, is_public};
use prowess_types::IgnorePoison as _;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::error::{shown, shown_text};
use crate::{AddressRefusal, NetError, NetOptions, NetProxy, NetworkReach};

/// The network distance of a machine.
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

    /// Returns true if it may be asked; `from` is the server that redirects there.
    fn is_within(self, reach: NetworkReach, from: Option<Self>) -> bool {
        match self {
            Self::Public => true,
            // A server outside does not get to choose what is asked inside.
            _ if from == Some(Self::Public) => false,
            Self::Loopback => reach != NetworkReach::Public,
            Self::Private => reach == NetworkReach::Anywhere,
        }
    }
}

/// Reads an address, relative to another one when a server gave it, and checks its text.
pub(crate) fn read(text: &str, base: Option<&Url>, options: &NetOptions) -> Result<Url, NetError> {
    let bad = |reason: String| NetError::BadUrl { url: shown_text(text), reason };
    if text.contains(|char: char| char.is_control() || char.is_whitespace() || char == '\\') {
        return Err(bad("it has a space, a control character or a backslash".to_owned()));
    }
    let url = base.map_or_else(|| Url::parse(text), |base| base.join(text));
    let url = url.map_err(|error| bad(error.to_string()))?;
    let refused = |reason| Err(NetError::refused(&url, reason));
    if !matches!(url.scheme(), "https" | "http") {
        return refused(AddressRefusal::NotHttps);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refused(AddressRefusal::UserInfo);
    }
    let Some(host) = url.host_str() else { return Err(bad("it has no host".to_owned())) };
    let is_base_host = base.is_some_and(|base| base.host_str() == Some(host));
    // Reading an address turns every spelling of four numbers into the plain one.
    if literal(&url).is_some_and(|address| address.is_ipv4())
        && written_host(text) != Some(host)
        && !(written_host(text).is_none() && is_base_host)
    {
        return refused(AddressRefusal::Disguised);
    }
    match classify_host(host.trim_matches(['[', ']'])) {
        HostKind::Disguised => refused(AddressRefusal::Disguised),
        HostKind::Private if options.reach == NetworkReach::Public => refused(AddressRefusal::Private),
        _ => Ok(url),
    }
}

/// Checks the URL of a request, before the name of its host is looked up.
pub(crate) fn check(text: &str, options: &NetOptions) -> Result<(), NetError> {
    let url = read(text, None, options)?;
    if matches!(options.reach, NetworkReach::Endpoint { .. }) {
        if url.scheme() == "http" && !options.allow_http && !names_this_machine(&url) {
            return Err(NetError::refused(&url, AddressRefusal::NotHttps));
        }
        if let Some(address) = literal(&url) {
            permitted(&url, &[address], None, options)?;
        }
    }
    Ok(())
}

/// Returns whether a URL names this machine by `localhost` or by a loopback address.
fn names_this_machine(url: &Url) -> bool {
    literal(url).is_some_and(|address| address.is_loopback()) || url.host_str() == Some("localhost")
}

/// Returns whether the host of a URL is this machine: a loopback address, `localhost`, or a name below `localhost`.
pub fn is_loopback_url(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let host = url.host_str().unwrap_or_default();
    match literal(&url) {
        Some(address) => address.to_canonical().is_loopback(),
        None => host == "localhost" || host.ends_with(".localhost"),
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
    if let NetworkReach::Endpoint { allow_private } = options.reach {
        return endpoint(url, addresses, allow_private, options.allow_http)
            .map_err(|reason| NetError::refused(url, reason));
    }
    let allowed = |address: &&IpAddr| Zone::of(**address).is_within(options.reach, from);
    let addresses: Vec<IpAddr> = addresses.iter().filter(allowed).copied().collect();
    // A name with addresses inside and outside counts as inside: what it may be asked is the least.
    let zone = addresses
        .iter()
        .map(|address| Zone::of(*address))
        .reduce(|one, other| if one == Zone::Public { other } else { one });
    let Some(zone) = zone else { return refused(AddressRefusal::Private) };
    let is_here = addresses.iter().all(IpAddr::is_loopback);
    if url.scheme() == "http" && !options.allow_http && !is_here {
        return refused(AddressRefusal::NotHttps);
    }
    Ok((zone, addresses))
}

/// The addresses of a configured endpoint, if it may have all of them.
fn endpoint(
    url: &Url,
    addresses: &[IpAddr],
    allow_private: bool,
    allow_http: bool,
) -> Result<(Zone, Vec<IpAddr>), AddressRefusal> {
    let is_address = literal(url).is_some() || url.host_str() == Some("localhost");
    for address in addresses {
        match kind_of(*address) {
            AddressKind::Public => {}
            // A public name that leads to this machine is an attack on its services.
            AddressKind::Loopback if is_address || allow_private => {}
            AddressKind::Private if allow_private => {}
            AddressKind::Loopback | AddressKind::Private => return Err(AddressRefusal::Private),
            _ => return Err(AddressRefusal::Reserved),
        }
    }
    let is_here = is_address && addresses.iter().all(IpAddr::is_loopback);
    if url.scheme() == "http" && !allow_http && !is_here {
        return Err(AddressRefusal::NotHttps);
    }
    let zone = addresses.iter().map(|address| Zone::of(*address)).find(|zone| *zone != Zone::Public);
    Ok((zone.unwrap_or(Zone::Public), addresses.to_vec()))
}

/// Finds the addresses of a name.
pub(crate) async fn look_up(options: &NetOptions, host: &str) -> Result<Vec<IpAddr>, NetError> {
    let failed = |source| NetError::Lookup { host: host.to_owned(), source };
    let (lookup, name) = (Arc::clone(&options.lookup), host.to_owned());
    let answer = tokio::task::spawn_blocking(move || lookup.addresses(&name)).await;
    let addresses = answer.map_err(|error| failed(error.into()))?.map_err(failed)?;
    if addresses.is_empty() {
        return Err(failed(std::io::ErrorKind::NotFound.into()));
    }
    Ok(addresses)
}

pub(crate) fn sockets(addresses: Vec<IpAddr>) -> Addrs {
    Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0)))
}

/// The addresses that were checked, by host: connections are made to these and no others, except to a proxy that the
/// user configured.
#[derive(Clone)]
pub(crate) struct Pins {
    checked: Arc<Mutex<HashMap<String, Vec<IpAddr>>>>,
    proxies: Vec<String>,
    options: NetOptions,
}

impl Pins {
    pub(crate) fn new(options: &NetOptions) -> Self {
        let proxies = options.proxy.as_ref().map(NetProxy::hosts).unwrap_or_default();
        Self { checked: Arc::default(), proxies, options: options.clone() }
    }

    pub(crate) fn set(&self, host: &str, addresses: Vec<IpAddr>) {
        let mut pins = self.checked.lock().ignore_poison();
        pins.insert(host.to_ascii_lowercase(), addresses);
    }

    fn get(&self, host: &str) -> Option<Vec<IpAddr>> {
        let pins = self.checked.lock().ignore_poison();
        pins.get(&host.to_ascii_lowercase()).cloned()
    }
}

impl Resolve for Pins {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.get(name.as_str());
        let is_proxy = self.proxies.contains(&name.as_str().to_ascii_lowercase());
        let options = self.options.clone();
        Box::pin(async move {
            match found {
                Some(addresses) => Ok(sockets(addresses)),
                None if is_proxy => Ok(sockets(look_up(&options, name.as_str()).await?)),
                // A host that is reached without the proxy.
                None if options.proxy.is_some() => {
                    let url = Url::parse(&format!("https://{}/", name.as_str()))?;
                    let addresses = look_up(&options, name.as_str()).await?;
                    Ok(sockets(permitted(&url, &addresses, None, &options)?.1))
                }
                None => Err(format!("`{}` was not checked", name.as_str()).into()),
            }
        })
    }
}

/// Fails if a redirect drops what protects the request.
pub(crate) fn check_redirect(from: &Url, to: &Url) -> Result<(), NetError> {
    if from.scheme() == "https" && to.scheme() == "http" {
        return Err(NetError::Refused { url: shown(to), reason: AddressRefusal::Downgrade });
    }
    Ok(())
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
