//! The network policy of configured tools, and its refusals in the words of their configuration.
//!
//! The checks themselves are those of [`prowess_net`]: encrypted, or to this machine; never to a private network unless
//! the user allows it; redirects stay on the same origin, so that headers with secrets never reach another.

use std::time::Duration;

use prowess_net::{AddressRefusal, NetError, NetOptions, Redirects, check_url};
use url::Url;

use super::configured::ToolEndpoint;

/// The options of a client for one endpoint.
pub(super) fn net_options(reach: &ToolEndpoint, connect_timeout: Duration) -> NetOptions {
    NetOptions {
        reach: prowess_net::NetworkReach::Endpoint { allow_private: reach.allow_private },
        allow_http: reach.allow_insecure,
        redirects: Redirects::SameOrigin,
        connect_timeout,
        ..NetOptions::default()
    }
}

/// Checks what can be told from the URL. Returns the reason if it is refused.
pub(super) fn check(reach: &ToolEndpoint) -> Result<(), String> {
    let options = net_options(reach, NetOptions::default().connect_timeout);
    check_url(reach.url.as_str(), &options).map_err(|error| explain(&error, &reach.url))
}

/// Describes an error without the URL, which may have a secret in its path.
pub(super) fn explain(error: &NetError, url: &Url) -> String {
    match error {
        NetError::Refused { reason, .. } => explain_refusal(*reason, url),
        other => other.without_url(),
    }
}

/// Describes a refusal, with the setting that lifts it.
pub(super) fn explain_refusal(reason: AddressRefusal, url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match (reason, url.scheme()) {
        (AddressRefusal::NotHttps, "http") => {
            "`http` is used to reach this machine only (`allowInsecure` allows it)".to_owned()
        }
        (AddressRefusal::NotHttps, other) => format!("`{other}` is neither `https` nor `http`"),
        (AddressRefusal::UserInfo, _) => "it has a user name or a password; use `headers`".to_owned(),
        (AddressRefusal::Private, _) => {
            format!("`{host}` is in a private network (`allowPrivate` allows it)")
        }
        (AddressRefusal::Reserved, _) => format!("`{host}` is not an address that can be asked"),
        (other, _) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn reach(url: &str) -> ToolEndpoint {
        ToolEndpoint {
            url: url.parse().expect("a URL"),
            headers: BTreeMap::new(),
            allow_insecure: false,
            allow_private: false,
        }
    }

    #[test]
    fn encrypted_or_this_machine() {
        for url in [
            "https://chat.example/hook",
            "https://93.184.216.34/",
            "http://localhost:8080/",
            "http://127.0.0.1/",
            "http://127.9.9.9/",
            "http://[::1]:3000/",
            "http://0x7f.1/",
        ] {
            check(&reach(url)).unwrap_or_else(|error| panic!("{url}: {error}"));
        }
        for (url, expected) in [
            (
                "http://chat.example/hook",
                "`http` is used to reach this machine only (`allowInsecure` allows it)",
            ),
            ("ftp://chat.example/", "`ftp` is neither `https` nor `http`"),
            ("file:///etc/passwd", "`file` is neither `https` nor `http`"),
            ("https://u:p@chat.example/", "it has a user name or a password; use `headers`"),
        ] {
            assert_eq!(check(&reach(url)).unwrap_err(), expected, "{url}");
        }
        let allowed = ToolEndpoint { allow_insecure: true, ..reach("http://chat.example/hook") };
        assert!(check(&allowed).is_ok());
    }

    #[test]
    fn private_networks_in_every_spelling() {
        for url in [
            "https://10.0.0.1/",
            "https://192.168.1.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://0xa9fea9fe/",
            "https://2852039166/",
            "https://0251.0376.0251.0376/",
            "https://100.64.0.1/",
            "https://[::ffff:10.0.0.1]/",
            "https://[fd00::1]/",
            "https://[fe80::1]/",
        ] {
            let error = check(&reach(url)).unwrap_err();
            assert!(error.ends_with("is in a private network (`allowPrivate` allows it)"), "{url}: {error}");
            let allowed = ToolEndpoint { allow_private: true, ..reach(url) };
            assert!(check(&allowed).is_ok(), "{url}");
        }
    }

    #[test]
    fn reserved_addresses_are_always_refused() {
        for url in [
            "https://0.0.0.0/",
            "https://255.255.255.255/",
            "https://224.0.0.1/",
            "https://[::]/",
            "https://[2002:7f00:1::]/",
            "https://[2001:0:1::1]/",
            "https://[64:ff9b::7f00:1]/",
            "https://[::7f00:1]/",
            "https://[2606::5efe:7f00:1]/",
            "https://[ff02::1]/",
        ] {
            let allowed = ToolEndpoint { allow_private: true, allow_insecure: true, ..reach(url) };
            let error = check(&allowed).unwrap_err();
            assert!(error.ends_with("is not an address that can be asked"), "{url}: {error}");
        }
    }

    #[test]
    fn headers_are_not_shown() {
        let mut reach = reach("https://chat.example/");
        reach.headers.insert("Authorization".into(), prowess_types::Secret::new("Bearer planted-secret"));
        assert!(!format!("{reach:?}").contains("planted"));
        let options = net_options(&reach, Duration::from_secs(1));
        let headers: Vec<_> = reach.headers.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let transport = prowess_net::transport(reach.url.as_str(), &headers, &options).expect("a client");
        assert!(!format!("{transport:?}").contains("planted"));
    }
}
