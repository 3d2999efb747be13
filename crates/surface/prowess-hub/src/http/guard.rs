//! Authentication and size limits, both checked before a body is read.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use prowess_registry::{MAX_BUNDLE_BYTES, MAX_FILE_BYTES};
use prowess_store::registry::TokenRecord;
use tokio::sync::Semaphore;

use super::visit::{Visit, work};
use crate::Hub;
use crate::hub::host_of;
use crate::limits::{Asker, Kind, Standing};
use crate::peer::Peer;
use crate::refusal::Refusal;
use crate::token;

/// Bodies: of a question or a small change, of one file, of a whole publication.
pub(crate) const SMALL_BODY: usize = 1024 * 1024;
#[expect(clippy::cast_possible_truncation, reason = "some megabytes fit everywhere")]
pub(crate) const UPLOAD_BODY: usize = MAX_FILE_BYTES as usize;
#[expect(clippy::cast_possible_truncation, reason = "some megabytes fit everywhere")]
pub(crate) const WHOLE_BODY: usize = MAX_BUNDLE_BYTES as usize + 2 * SMALL_BODY;

/// The time limit of a request, and of a large one.
const USUAL_TIME: Duration = Duration::from_secs(30);
const TRANSFER_TIME: Duration = Duration::from_mins(2);
/// Requests at once, and those that bring much.
const MAX_REQUESTS: usize = 256;
const MAX_TRANSFERS: usize = 8;
/// The resolution of the time at which a token was used, in milliseconds.
const USE_NOTED: i64 = 60 * 60 * 1000;

/// The state of the guard.
pub(crate) struct Guard {
    hub: Arc<Hub>,
    requests: Semaphore,
    transfers: Semaphore,
}

impl Guard {
    pub(crate) fn new(hub: Arc<Hub>) -> Self {
        Self { hub, requests: Semaphore::new(MAX_REQUESTS), transfers: Semaphore::new(MAX_TRANSFERS) }
    }
}

/// Lets a request in, or not.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    // The head has come; from here on the request has a time of its own.
    let _working = peer.seat.work();
    peer.seat.settle();
    let mut response = match admit(&guard, peer.address, request, next).await {
        Ok(response) => response,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox"),
    );
    response
}

async fn admit(guard: &Guard, peer: IpAddr, mut request: Request, next: Next) -> Result<Response, Refusal> {
    let base = base_of(request.headers(), guard.hub.options.public_url.as_deref())?;
    let is_transfer = check_body(&request)?;
    let busy = || Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "Too many requests at once; try again");
    let _place = guard.requests.try_acquire().map_err(|_| busy())?;
    let known = identify(guard, request.headers()).await?;
    let asker =
        known.as_ref().map_or_else(|| Asker::from_address(peer), |token| Asker::Token(token.id.clone()));
    let kind = kind_of(request.method(), request.uri().path());
    let standing = guard.hub.limits.count(kind, asker, guard.hub.options.clock.now_ms());
    if standing.is_exceeded {
        let refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, "Rate limit exceeded");
        return Ok(with_limits(refusal.into_response(), standing));
    }
    request.extensions_mut().insert(Visit { base, handle: known.map(|token| token.handle) });
    let answered = async {
        let _transfer = if is_transfer { guard.transfers.acquire().await.ok() } else { None };
        next.run(request).await
    };
    let time = if is_transfer { TRANSFER_TIME } else { USUAL_TIME };
    let response = tokio::time::timeout(time, answered)
        .await
        .map_err(|_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "The request took too long"))?;
    Ok(with_limits(response, standing))
}

/// The address by which the client reaches this registry. Another name means a foreign page that asks through a browser.
fn base_of(headers: &HeaderMap, public: Option<&str>) -> Result<String, Refusal> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let is_public = public.and_then(host_of).is_some_and(|ours| {
        ours.eq_ignore_ascii_case(host) || without_port(ours).eq_ignore_ascii_case(without_port(host))
    });
    let name = without_port(host);
    let is_number = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    let is_ours = is_public || is_number || name.eq_ignore_ascii_case("localhost");
    if !is_ours {
        return Err(Refusal::new(
            StatusCode::MISDIRECTED_REQUEST,
            "This registry does not go by that name; its operator can set one with --public-url",
        ));
    }
    Ok(public.map_or_else(|| format!("http://{host}"), ToOwned::to_owned))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Returns true if the request transfers much; refused if its announced size is too large.
fn check_body(request: &Request) -> Result<bool, Refusal> {
    let path = request.uri().path();
    let is_publication =
        request.method() == Method::POST && matches!(path, "/api/v1/skills" | "/api/cli/publish");
    let limit = if is_publication {
        WHOLE_BODY
    } else if path.starts_with("/api/v1/skills/-/upload/") {
        UPLOAD_BODY
    } else {
        SMALL_BODY
    };
    let headers = request.headers();
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > limit) {
        return Err(Refusal::too_large(format!("At most {limit} bytes can be sent here")));
    }
    let is_small = length.is_some_and(|length| length <= SMALL_BODY);
    Ok(is_publication || (limit > SMALL_BODY && !is_small))
}

/// The token of a request, if it is good. Any other one is as good as none.
async fn identify(guard: &Guard, headers: &HeaderMap) -> Result<Option<TokenRecord>, Refusal> {
    let Some(token) = bearer(headers).map(ToOwned::to_owned) else { return Ok(None) };
    work(Arc::clone(&guard.hub), move |hub| {
        let known = token::identify(&*hub.store, &token)?;
        if let Some(known) = &known {
            let now = hub.now();
            if known.used_at.is_none_or(|used| now.saturating_sub(used) >= USE_NOTED) {
                hub.store.touch_token(&known.id, now)?;
            }
        }
        Ok(known)
    })
    .await
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn kind_of(method: &Method, path: &str) -> Kind {
    let is_index = path.ends_with("/index.json");
    if !matches!(*method, Method::GET | Method::HEAD) {
        Kind::Write
    } else if path.starts_with("/api/v1/skills/-/scan/") && path.contains("/download") {
        Kind::Export
    } else if matches!(path, "/api/v1/download" | "/api/download")
        || path.starts_with("/api/v1/agent-skills/")
        || path.ends_with("/file")
        || (path.contains("/.well-known/") && !is_index)
    {
        Kind::Download
    } else {
        Kind::Read
    }
}

fn with_limits(mut response: Response, standing: Standing) -> Response {
    let headers = response.headers_mut();
    let mut put = |name: &'static str, value: u64| {
        headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
    };
    put("x-ratelimit-limit", standing.limit.into());
    put("x-ratelimit-reset", standing.reset_at);
    put("ratelimit-limit", standing.limit.into());
    put("ratelimit-reset", standing.reset_after);
    if standing.is_exceeded {
        put("x-ratelimit-remaining", 0);
        put("ratelimit-remaining", 0);
        put("retry-after", standing.reset_after);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(host: &str, public: Option<&str>) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        base_of(&headers, public).ok()
    }

    #[test]
    fn only_our_own_names_are_answered_to() {
        for host in ["127.0.0.1:8787", "localhost", "LOCALHOST:1", "[::1]:8787", "192.0.2.7"] {
            assert_eq!(base(host, None), Some(format!("http://{host}")));
        }
        for host in ["evil.example", "localhost.evil.example:8787", "127.0.0.1.evil.example", ""] {
            assert_eq!(base(host, None), None, "{host}");
        }
        let public = Some("https://skills.example.org/hub");
        assert_eq!(base("skills.example.org", public).as_deref(), public);
        assert_eq!(base("127.0.0.1:8787", public).as_deref(), public);
        assert_eq!(base("other.example.org", public), None);
    }

    #[test]
    fn kinds() {
        let get = |path: &str| kind_of(&Method::GET, path);
        assert_eq!(get("/api/v1/skills"), Kind::Read);
        assert_eq!(get("/api/v1/download"), Kind::Download);
        assert_eq!(get("/api/v1/skills/x/file"), Kind::Download);
        assert_eq!(get("/a/skills/x/.well-known/skills/index.json"), Kind::Read);
        assert_eq!(get("/a/skills/x/.well-known/skills/x/SKILL.md"), Kind::Download);
        assert_eq!(get("/api/v1/skills/-/scan/download/x"), Kind::Export);
        assert_eq!(kind_of(&Method::POST, "/api/v1/download"), Kind::Write);
    }

    #[test]
    fn tokens_in_headers() {
        let mut headers = HeaderMap::new();
        assert_eq!(bearer(&headers), None);
        headers.insert(header::AUTHORIZATION, "bearer  clh_1".parse().unwrap());
        assert_eq!(bearer(&headers), Some("clh_1"));
        headers.insert(header::AUTHORIZATION, "Basic clh_1".parse().unwrap());
        assert_eq!(bearer(&headers), None);
    }
}
