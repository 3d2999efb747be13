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
use crate::{AddressRefusal, NetError, NetOptions, guard, provide_cryptography};

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
    reqwest::Client::builder()
        .default_headers(map)
        .redirect(same_origin())
        .dns_resolver(Arc::new(CheckedLookup(options.clone())))
        .connect_timeout(options.connect_timeout)
        .referer(false)
        // A proxy would look up names by itself.
        .no_proxy()
        .build()
        .map_err(|error| NetError::Setup { source: error.into() })
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
struct CheckedLookup(NetOptions);

impl Resolve for CheckedLookup {
    fn resolve(&self, name: Name) -> Resolving {
        let options = self.0.clone();
        Box::pin(async move {
            let url = Url::parse(&format!("https://{}/", name.as_str()))?;
            let addresses = guard::look_up(&options, name.as_str()).await?;
            match guard::permitted(&url, &addresses, None, &options) {
                Ok((_, addresses)) => Ok(guard::sockets(addresses)),
                Err(NetError::Refused { reason, .. }) => Err(reason.into()),
                Err(other) => Err(other.into()),
            }
        }) as Resolving
    }
}
