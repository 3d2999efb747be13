//! One attempt: a request, and the redirects it meets, up to the headers of an answer.

use std::sync::Arc;

use reqwest::header::{ACCEPT_ENCODING, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Response, Url};

use crate::error::shown;
use crate::guard::{self, Pins, Zone};
use crate::plan::{HttpMethod, Plan};
use crate::{AddressRefusal, NetError, NetOptions, Redirects, provide_cryptography};

pub(crate) const MAX_REDIRECTS: usize = 5;

/// Sends requests to servers that the options allow, and to no others.
pub(crate) struct Exchanger {
    pub(crate) options: NetOptions,
    http: reqwest::Client,
    pins: Pins,
}

impl Exchanger {
    pub(crate) fn new(options: NetOptions) -> Result<Self, NetError> {
        provide_cryptography();
        let pins = Pins::new(&options);
        let mut http = reqwest::Client::builder()
            .user_agent(&options.user_agent)
            .connect_timeout(options.connect_timeout)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .dns_resolver(Arc::new(pins.clone()));
        if let Some(proxy) = &options.proxy {
            for proxy in proxy.build()? {
                http = http.proxy(proxy);
            }
        }
        let http = http.build().map_err(|error| NetError::Setup { source: error.into() })?;
        Ok(Self { options, http, pins })
    }

    /// Asks, and follows redirects.
    pub(crate) async fn exchange(&self, plan: &Plan) -> Result<Response, NetError> {
        let start = self.start(plan)?;
        let (mut url, mut method, mut from) = (start.clone(), plan.method, None);
        for _ in 0..=MAX_REDIRECTS {
            let zone = self.admit(&url, from).await?;
            let response = self.ask(plan, method, &start, &url).await?;
            let Some(location) = location(&response) else { return Ok(response) };
            if self.options.redirects == Redirects::Stop {
                return Ok(response);
            }
            let next = guard::read(&location, Some(&url), &self.options)?;
            guard::check_redirect(&url, &next)?;
            if self.options.redirects == Redirects::SameOrigin && next.origin() != start.origin() {
                return Err(NetError::refused(&next, AddressRefusal::OtherOrigin));
            }
            method = redirected(method, response.status().as_u16());
            if !method.is_reading() && next.origin() != start.origin() {
                return Err(NetError::refused(&next, AddressRefusal::MovedBody));
            }
            (url, from) = (next, Some(zone));
        }
        Err(NetError::TooManyRedirects { url: shown(&start), limit: MAX_REDIRECTS })
    }

    /// The address of a request, with its query.
    pub(crate) fn start(&self, plan: &Plan) -> Result<Url, NetError> {
        let mut url = guard::read(&plan.url, None, &self.options)?;
        if !plan.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&plan.query);
        }
        Ok(url)
    }

    /// Fails if a host is blocked, or the connection is not protected.
    pub(crate) async fn check_host(&self, host: &str) -> Result<(), NetError> {
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let url = guard::read(&format!("https://{host}/"), None, &self.options)?;
        self.admit(&url, None).await.map(drop)
    }

    /// Looks up a host and makes sure that the connection can only go where it may.
    async fn admit(&self, url: &Url, from: Option<Zone>) -> Result<Zone, NetError> {
        let host = url.host_str().unwrap_or_default();
        let addresses = match guard::literal(url) {
            Some(address) => vec![address],
            None if self.goes_through_proxy(url) => {
                if url.scheme() == "http" && !self.options.allow_http {
                    return Err(NetError::refused(url, AddressRefusal::NotHttps));
                }
                return Ok(Zone::Public);
            }
            None => guard::look_up(&self.options, host).await?,
        };
        let (zone, addresses) = guard::permitted(url, &addresses, from, &self.options)?;
        self.pins.set(host, addresses);
        Ok(zone)
    }

    /// Returns true if a proxy may get the request. Whether the host is an exception is for the client to decide; one that is
    /// gets looked up, and its addresses checked, when the connection is made.
    fn goes_through_proxy(&self, url: &Url) -> bool {
        let has_proxy = self.options.proxy.as_ref().is_some_and(|proxy| proxy.of(url.scheme()).is_some());
        has_proxy && !guard::is_loopback_url(url.as_str())
    }

    /// Sends a request to one server. What belongs to another origin stays here.
    async fn ask(
        &self,
        plan: &Plan,
        method: HttpMethod,
        start: &Url,
        url: &Url,
    ) -> Result<Response, NetError> {
        let is_own_origin = url.origin() == start.origin();
        let mut headers = HeaderMap::new();
        let encoding = if plan.accept_packed { "gzip" } else { "identity" };
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(encoding));
        for (name, value) in plan.headers.iter().filter(|_| is_own_origin) {
            let bad = || NetError::BadHeader { name: name.clone() };
            let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
            headers.insert(key, sensitive(value.expose()).ok_or_else(bad)?);
        }
        if let Some(token) = plan.bearer_for(url, is_own_origin, &self.options.credentials) {
            let value = sensitive(&format!("Bearer {}", token.expose()));
            let value = value.ok_or_else(|| NetError::BadHeader { name: "authorization".to_owned() })?;
            headers.insert(AUTHORIZATION, value);
        }
        let mut request = self.http.request(verb(method), url.clone()).headers(headers);
        if let Some(body) = plan.body.as_ref().filter(|_| !method.is_reading()) {
            request = request.body(body.clone());
        }
        request.send().await.map_err(|error| NetError::connection(url, error))
    }
}

/// Returns whether a header can be sent.
pub fn is_header(name: &str, value: &str) -> bool {
    HeaderName::from_bytes(name.as_bytes()).is_ok() && HeaderValue::from_str(value).is_ok()
}

fn sensitive(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn location(response: &Response) -> Option<String> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(LOCATION)?;
    Some(String::from_utf8_lossy(location.as_bytes()).into_owned())
}

/// Returns the method after a redirect, as browsers do: after a request that changes something, the result is read.
fn redirected(method: HttpMethod, status: u16) -> HttpMethod {
    match (method, status) {
        (HttpMethod::Head, _) => HttpMethod::Head,
        (_, 303) | (HttpMethod::Post, 301 | 302) => HttpMethod::Get,
        _ => method,
    }
}

fn verb(method: HttpMethod) -> reqwest::Method {
    match method {
        HttpMethod::Get => reqwest::Method::GET,
        HttpMethod::Head => reqwest::Method::HEAD,
        HttpMethod::Post => reqwest::Method::POST,
        HttpMethod::Put => reqwest::Method::PUT,
        HttpMethod::Patch => reqwest::Method::PATCH,
        HttpMethod::Delete => reqwest::Method::DELETE,
    }
}
