//! Where a connection comes from.

use std::net::IpAddr;

use axum::http::{HeaderMap, Uri, header};

/// What is known about a connection before anything was said on it.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    /// The machine at the other end.
    pub(crate) peer: Option<IpAddr>,
    /// Whether it is this machine, and nobody in between passed it on.
    pub(crate) is_local: bool,
    /// The page that opened it, if a browser did.
    pub(crate) origin: Option<String>,
    /// Whether that page may.
    pub(crate) is_origin_allowed: bool,
    /// What the device must sign.
    pub(crate) nonce: String,
}

impl Visit {
    /// Looks at a request. `allowed` are origins that the config names.
    pub(crate) fn new(peer: Option<IpAddr>, headers: &HeaderMap, allowed: &[String], nonce: String) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let is_passed_on = headers.keys().any(|name| {
            let name = name.as_str();
            name == "forwarded" || name == "x-real-ip" || name.starts_with("x-forwarded-")
        });
        let host = text(header::HOST).unwrap_or_default();
        let is_direct = peer.is_some_and(|peer| peer.to_canonical().is_loopback()) && !is_passed_on;
        let is_local = is_direct && is_loopback_name(without_port(host));
        let origin = headers.get(header::ORIGIN).map(|value| match value.to_str() {
            Ok(origin) => origin.to_owned(),
            // Not a page that anybody allowed.
            Err(_) => "null".to_owned(),
        });
        let is_origin_allowed =
            origin.as_deref().is_some_and(|origin| is_allowed(origin, host, is_direct, allowed));
        Self { peer, is_local, origin, is_origin_allowed, nonce }
    }
}

/// Pages on this machine may connect, those that the gateway itself served, and those that the config names. On this
/// machine a page with the gateway's own name is not enough: a name that leads here can be anybody's.
fn is_allowed(origin: &str, host: &str, is_direct: bool, allowed: &[String]) -> bool {
    let origin = origin.trim_end_matches('/').to_ascii_lowercase();
    if allowed.iter().any(|allowed| allowed.trim_end_matches('/').eq_ignore_ascii_case(&origin)) {
        return true;
    }
    let Ok(uri) = origin.parse::<Uri>() else { return false };
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    let (Some(name), Some(authority)) = (uri.host(), uri.authority()) else { return false };
    is_web && (is_loopback_name(name) || (!is_direct && authority.as_str().eq_ignore_ascii_case(host)))
}

/// Whether a host's name can only mean the machine itself.
fn is_loopback_name(name: &str) -> bool {
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(peer: &str, headers: &[(&'static str, &'static str)]) -> Visit {
        let headers = headers.iter().map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let headers: HeaderMap = headers.collect();
        let allowed = ["https://studio.example".to_owned()];
        Visit::new(Some(peer.parse().unwrap()), &headers, &allowed, String::new())
    }

    #[test]
    fn only_a_direct_connection_of_this_machine_is_local() {
        let host = ("host", "127.0.0.1:18789");
        assert!(visit("127.0.0.1", &[host]).is_local);
        assert!(visit("::1", &[("host", "[::1]:18789")]).is_local);
        assert!(visit("::ffff:127.0.0.1", &[("host", "localhost")]).is_local);
        assert!(!visit("192.0.2.1", &[host]).is_local);
        assert!(!visit("127.0.0.1", &[host, ("x-forwarded-for", "192.0.2.1")]).is_local);
        assert!(!visit("127.0.0.1", &[host, ("forwarded", "for=192.0.2.1")]).is_local);
        assert!(!visit("127.0.0.1", &[("host", "evil.example:18789")]).is_local);
    }

    #[test]
    fn pages_of_strangers_are_told_apart() {
        let origin =
            |peer, host, origin| visit(peer, &[("host", host), ("origin", origin)]).is_origin_allowed;
        for good in
            ["http://localhost:3000", "http://127.0.0.1:5173", "https://[::1]", "https://studio.example"]
        {
            assert!(origin("127.0.0.1", "127.0.0.1:18789", good), "{good}");
        }
        for bad in
            ["null", "", "http://evil.example", "file://", "http://localhost.evil.example", "app://localhost"]
        {
            assert!(!origin("127.0.0.1", "127.0.0.1:18789", bad), "{bad}");
        }
        assert!(origin("192.0.2.7", "gateway.lan:18789", "http://gateway.lan:18789"));
        assert!(!origin("192.0.2.7", "gateway.lan:18789", "http://gateway.lan:80"));
        assert!(
            !origin("127.0.0.1", "evil.example:18789", "http://evil.example:18789"),
            "a name that leads here"
        );
    }
}
