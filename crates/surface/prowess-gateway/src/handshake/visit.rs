//! The source of a connection.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};
use prowess_config::GatewaySettings;

use crate::origin::{is_near, may_talk, split};

/// The facts about a connection before its first message.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    /// The machine at the other end.
    pub(crate) peer: Option<IpAddr>,
    /// True if it is this machine, without a proxy in between.
    pub(crate) is_local: bool,
    /// The page that opened it, if a browser did.
    pub(crate) origin: Option<String>,
    /// True if that page may connect.
    pub(crate) is_origin_allowed: bool,
    /// What the device must sign.
    pub(crate) nonce: String,
}

impl Visit {
    /// Looks at a request for a host that is ours. `settings` are asked for only where they matter.
    pub(crate) fn new(
        peer: Option<IpAddr>,
        headers: &HeaderMap,
        settings: impl FnOnce() -> GatewaySettings,
        nonce: String,
    ) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let is_passed_on = headers.keys().any(|name| {
            let name = name.as_str();
            name == "forwarded" || name == "x-real-ip" || name.starts_with("x-forwarded-")
        });
        let host = text(header::HOST).unwrap_or_default();
        let is_direct = peer.is_some_and(|peer| peer.to_canonical().is_loopback()) && !is_passed_on;
        let is_local = is_direct && is_near(split(host).0);
        let origin = headers.get(header::ORIGIN).map(|value| match value.to_str() {
            Ok(origin) => origin.to_owned(),
            // Not an allowed page.
            Err(_) => "null".to_owned(),
        });
        let is_origin_allowed = origin.as_deref().is_some_and(|origin| may_talk(origin, host, settings));
        Self { peer, is_local, origin, is_origin_allowed, nonce }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(peer: &str, headers: &[(&'static str, &'static str)]) -> Visit {
        let headers = headers.iter().map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let headers: HeaderMap = headers.collect();
        Visit::new(Some(peer.parse().unwrap()), &headers, GatewaySettings::default, String::new())
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
    fn pages_are_told_apart_and_one_that_cannot_be_read_is_a_strangers() {
        let visit = |origin: &'static [u8]| {
            let origin = axum::http::HeaderValue::from_bytes(origin).unwrap();
            let headers = [(header::HOST, "localhost:1".parse().unwrap()), (header::ORIGIN, origin)];
            let headers = headers.into_iter().collect();
            Visit::new(None, &headers, GatewaySettings::default, String::new())
        };
        assert!(visit(b"http://localhost:3000").is_origin_allowed);
        assert!(!visit(b"http://evil.example").is_origin_allowed);
        let unreadable = visit(b"http://localhost\xff");
        assert!(unreadable.origin.is_some() && !unreadable.is_origin_allowed);
    }
}
