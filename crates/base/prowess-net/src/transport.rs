//! A guarded connection pool for libraries that send their own requests.
//!
//! Only MCP needs it: its library speaks HTTP by itself and takes a client. The address policy applies to every name
//! that is looked up, and redirects stay on the origin of the first request.

use std::sync::Arc;

use prowess_types::Secret;
use reqwest::Url;
use reqwest::dns::{Name, Resolve, Resolving};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::exchange::MAX_REDIRECTS;
use crate::{AddressRefusal, NetError, NetOptions, NetProxy, guard, provide_cryptography};

/// The client that such a library takes.
pub type Transport = reqwest::Client;

/// The error that such a library reports.
pub type TransportError = reqwest::Error;

/// Makes a client for requests to one URL, with headers that only this origin gets.
pub fn transport(
    url: &str,
    headers: &[(&str, &Secret)],
    options: &NetOptions,
) -> Result<Transport, NetError> {
    guard::check(url, options)?;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let bad = || NetError::BadHeader { name: (*name).to_owned() };
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        let mut value = HeaderValue::from_str(value.expose()).map_err(|_| bad())?;
        value.set_sensitive(true);
        map.insert(key, value);
    }
    provide_cryptography();
    let mut client = reqwest::Client::builder()
        .default_headers(map)
        .redirect(same_origin())
        .dns_resolver(Arc::new(CheckedLookup {
            proxies: options.proxy.as_ref().map(NetProxy::hosts).unwrap_or_default(),
            options: options.clone(),
        }))
        .connect_timeout(options.connect_timeout)
        .referer(false)
        .no_proxy();
    for proxy in options.proxy.as_ref().map(NetProxy::build).transpose()?.unwrap_or_default() {
        client = client.proxy(proxy);
    }
    client.build().map_err(|error| NetError::Setup { source: error.into() })
}

fn same_origin() -> reqwest::redirect::Policy {
    reqwest::redirect::Policy::custom(|attempt| {
        let is_same = attempt.previous().iter().all(|url| url.origin() == attempt.url().origin());
        if !is_same {
            attempt.error(AddressRefusal::OtherOrigin)
        } else if attempt.previous().len() > MAX_REDIRECTS {
            attempt.error("it redirects too often")
        } else {
            attempt.follow()
        }
    })
}

/// Looks up names, and returns only addresses that the policy allows.
struct CheckedLookup {
    options: NetOptions,
    /// The machines that the proxies run on, which the user chose.
    proxies: Vec<String>,
}

impl Resolve for CheckedLookup {
    fn resolve(&self, name: Name) -> Resolving {
        let options = self.options.clone();
        let is_proxy = self.proxies.contains(&name.as_str().to_ascii_lowercase());
        Box::pin(async move {
            let url = Url::parse(&format!("https://{}/", name.as_str()))?;
            let addresses = guard::look_up(&options, name.as_str()).await?;
            if is_proxy {
                return Ok(guard::sockets(addresses));
            }
            match guard::permitted(&url, &addresses, None, &options) {
                Ok((_, addresses)) => Ok(guard::sockets(addresses)),
                Err(NetError::Refused { reason, .. }) => Err(reason.into()),
                Err(other) => Err(other.into()),
            }
        }) as Resolving
    }
}
