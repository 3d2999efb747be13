//! Which names are ours, and which pages may talk to us.
//!
//! A page of another site can make a browser send requests here, and can make its own name mean this machine (DNS
//! rebinding). The origin shows the first, the second is shown by the host that the browser believes to speak to.

use std::net::IpAddr;

use prowess_config::GatewaySettings;

/// Where a gateway listens, as far as names go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listening {
    pub(crate) port: u16,
    /// True if only this machine reaches it.
    pub(crate) is_loopback: bool,
}

/// Returns true if a request for this host is meant for us. `settings` are asked for only where they matter.
pub(crate) fn is_our_name(
    host: &str,
    listening: Listening,
    settings: impl FnOnce() -> GatewaySettings,
) -> bool {
    let (name, port) = split(host);
    let is_address = address(name).is_some();
    let is_near = is_near(name) || (is_address && !listening.is_loopback);
    if is_near && port.unwrap_or(80) == listening.port {
        return true;
    }
    let settings = settings();
    let public = settings.public_url.as_deref().and_then(authority);
    let is_same = |ours: &str| {
        let (our_name, our_port) = split(ours);
        our_name.eq_ignore_ascii_case(name) && (our_port.is_none() || our_port == port)
    };
    public.into_iter().chain(settings.hosts.iter().map(String::as_str)).any(is_same)
}

/// Returns true if a page of this origin may talk to us, when it asks for this host, which is [one of
/// ours](is_our_name): pages on
/// this machine may, those that the gateway itself served, and those that the config names.
pub(crate) fn may_talk(origin: &str, host: &str, settings: impl FnOnce() -> GatewaySettings) -> bool {
    let Some(theirs) = authority(origin) else { return false };
    if is_near(split(theirs).0) || theirs.eq_ignore_ascii_case(host) {
        return true;
    }
    let settings = settings();
    let is_same = |allowed: &str| allowed.trim_end_matches('/').eq_ignore_ascii_case(origin);
    settings.public_url.as_deref().and_then(origin_of).is_some_and(|ours| is_same(&ours))
        || settings.allowed_origins.iter().any(|allowed| is_same(allowed))
}

/// Returns true if a name always means the machine that says it.
pub(crate) fn is_near(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || address(name).is_some_and(|address| address.is_loopback())
}

fn address(name: &str) -> Option<IpAddr> {
    name.trim_matches(['[', ']']).parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

/// Name and port of a host.
pub(crate) fn split(host: &str) -> (&str, Option<u16>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => match port.parse() {
            Ok(port) => (name, Some(port)),
            Err(_) => (host, None),
        },
        _ => (host, None),
    }
}

/// Host and port of an address of the web.
fn authority(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|authority| !authority.is_empty() && !authority.contains('@'))
}

fn origin_of(url: &str) -> Option<String> {
    let scheme = url.split_once("://")?.0;
    Some(format!("{scheme}://{}", authority(url)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> GatewaySettings {
        GatewaySettings {
            public_url: Some("https://skills.example.org/".to_owned()),
            hosts: vec!["box.lan:9000".to_owned(), "other.lan".to_owned()],
            allowed_origins: vec!["https://studio.example.org/".to_owned()],
            ..GatewaySettings::default()
        }
    }

    fn is_ours(host: &str, is_loopback: bool) -> bool {
        is_our_name(host, Listening { port: 18789, is_loopback }, settings)
    }

    #[test]
    fn only_our_own_names_are_ours() {
        for host in [
            "localhost:18789",
            "LOCALHOST:18789",
            "127.0.0.1:18789",
            "[::1]:18789",
            "skills.example.org",
            "skills.example.org:443",
            "box.lan:9000",
            "other.lan:1",
        ] {
            assert!(is_ours(host, true), "{host}");
        }
        for host in [
            "",
            "localhost",
            "localhost:1",
            "evil.example:18789",
            "127.0.0.1.evil.example:18789",
            "localhost.evil.example:18789",
            "box.lan:9001",
            "192.0.2.7:18789",
            "::1:18789",
            "localhost:18789@evil.example",
        ] {
            assert!(!is_ours(host, true), "{host}");
        }
        assert!(is_ours("192.0.2.7:18789", false));
        assert!(!is_ours("evil.example:18789", false));
    }

    #[test]
    fn pages_of_this_machine_of_this_host_and_of_the_list_may_talk() {
        let may = |origin: &str| may_talk(origin, "box.lan:9000", settings);
        for origin in [
            "http://localhost:3000",
            "http://127.0.0.1:5173",
            "https://[::1]",
            "http://box.lan:9000",
            "https://studio.example.org",
            "https://skills.example.org",
        ] {
            assert!(may(origin), "{origin}");
        }
        for origin in [
            "null",
            "",
            "http://evil.example",
            "http://localhost.evil.example",
            "http://box.lan:9001",
            "http://studio.example.org",
            "file://",
            "app://localhost",
            "http://a@localhost",
        ] {
            assert!(!may(origin), "{origin}");
        }
    }
}
