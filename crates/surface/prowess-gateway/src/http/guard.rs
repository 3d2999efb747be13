//! Who is let in: decided before a body is read.
//!
//! Every request must name a host that is ours and come from a page that may talk to us, or from no page. Whatever
//! tells or changes something needs the token as well, which is taken from the header only: an address ends up in logs
//! and histories.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use prowess_config::GatewaySettings;
use serde_json::json;

use super::caller::caller;
use crate::access::{Caller, Scope};
use crate::door::Denied;
use crate::origin::{Listening, is_our_name, may_talk};
use crate::peer::Peer;
use crate::refusal::Refusal;
use crate::response::{refuse, refused};
use crate::state::Gateway;

/// Nothing is loaded, framed or run from an answer. Pages of the Studio say what they need themselves.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// What the guard needs.
pub(crate) struct Guard {
    gateway: Arc<Gateway>,
    listening: Listening,
}

impl Guard {
    pub(crate) fn new(gateway: Arc<Gateway>, address: SocketAddr) -> Self {
        let listening = Listening { port: address.port(), is_loopback: address.ip().is_loopback() };
        Self { gateway, listening }
    }

    /// The settings as they are now: names and pages can be added while the gateway serves.
    fn settings(&self) -> GatewaySettings {
        self.gateway.live.engine().config().gateway()
    }

    /// The origin of a page that asks, which must be one that may.
    fn check(&self, request: &Request) -> Result<Option<HeaderValue>, Box<Response>> {
        let headers = request.headers();
        let named = [text(headers, header::HOST), request.uri().authority().map(Authority::as_str)];
        let is_ours = |host: &&str| is_our_name(host, self.listening, || self.settings());
        let (Some(host), true) = (named.iter().flatten().next(), named.iter().flatten().all(is_ours)) else {
            let message = "the gateway does not go by this name; `gateway.hosts` can name more";
            let refusal = Refusal::forbidden(message);
            return Err(refuse(StatusCode::MISDIRECTED_REQUEST, &refusal).into());
        };
        // A WebSocket is answered in its own words, by the handshake.
        let Some(origin) = headers.get(header::ORIGIN).filter(|_| !is_upgrade(headers)) else {
            return Ok(None);
        };
        let may = origin.to_str().is_ok_and(|origin| may_talk(origin, host, || self.settings()));
        if !may {
            let refusal = Refusal::forbidden("origin not allowed")
                .with_details(json!({ "code": "ORIGIN_NOT_ALLOWED" }));
            return Err(refuse(StatusCode::FORBIDDEN, &refusal).into());
        }
        Ok(Some(origin.clone()))
    }
}

/// Lets a request in, or not.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let _working = peer.seat.work();
    peer.seat.settle();
    let method = request.method().clone();
    // Handshakes count addresses themselves.
    request.extensions_mut().insert(ConnectInfo(peer.socket));
    let mut response = match guard.check(&request) {
        Err(response) => *response,
        Ok(Some(origin)) if method == Method::OPTIONS => with_origin(preflight(), origin),
        Ok(Some(origin)) => with_origin(next.run(request).await, origin),
        Ok(None) => next.run(request).await,
    };
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        peer.seat.upgrade();
        return response;
    }
    guard.gateway.metrics.request(response.status().as_u16());
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NOTHING));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Authenticates a client by the token or by a device token, and notes its identity.
pub(crate) async fn known(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    match caller(&guard.gateway, peer.address, bearer(request.headers())).await {
        Ok(caller) => {
            request.extensions_mut().insert(Arc::new(caller));
            next.run(request).await
        }
        Err(denied) => {
            guard.gateway.metrics.denied(denied.reason());
            tracing::warn!(address = %peer.address, reason = denied.reason(), "authentication failed");
            unauthorized(denied)
        }
    }
}

/// Requires the admin scope: the mounted routes have no scopes.
pub(crate) async fn owner(
    Extension(caller): Extension<Arc<Caller>>,
    request: Request,
    next: Next,
) -> Response {
    if !caller.has(Scope::Admin) {
        return refused(&Refusal::missing_scope(Scope::Admin));
    }
    next.run(request).await
}

fn unauthorized(denied: Denied) -> Response {
    let (code, wait) = match denied {
        Denied::Missing => ("AUTH_TOKEN_MISSING", None),
        Denied::Mismatch => ("AUTH_TOKEN_MISMATCH", None),
        Denied::Locked { retry_after_ms } => ("AUTH_RATE_LIMITED", Some(retry_after_ms)),
    };
    let refusal = Refusal::invalid("unauthorized").with_details(json!({ "code": code }));
    if wait.is_some() {
        let refusal = Refusal { retryable: Some(true), retry_after_ms: wait, ..refusal };
        return refuse(StatusCode::TOO_MANY_REQUESTS, &refusal);
    }
    let mut response = refuse(StatusCode::UNAUTHORIZED, &refusal);
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// The token of a request.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = text(headers, header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Returns true if a request asks for a WebSocket.
pub(crate) fn is_upgrade(headers: &HeaderMap) -> bool {
    text(headers, header::UPGRADE).is_some_and(|protocol| protocol.eq_ignore_ascii_case("websocket"))
}

/// What a browser asks before it lets a page of another origin send a token.
fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    let allowed = HeaderValue::from_static("authorization, content-type");
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// Lets the page read the answer.
fn with_origin(mut response: Response, origin: HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_in_headers() {
        let mut headers = HeaderMap::new();
        assert_eq!(bearer(&headers), None);
        headers.insert(header::AUTHORIZATION, HeaderValue::from_static("bearer  t"));
        assert_eq!(bearer(&headers), Some("t"));
        headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Basic t"));
        assert_eq!(bearer(&headers), None);
    }
}
