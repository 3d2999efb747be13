//! Parts of an address as the client reads it: what is checked here is what is asked later.

use reqwest::Url;

use crate::without_secrets;

/// The host of an address, an IPv6 address without its brackets; none if the text has none.
///
/// ```
/// use prowess_net::host_of;
/// assert_eq!(host_of("ssh://git@[::1]:22/a").as_deref(), Some("::1"));
/// assert_eq!(host_of("./folder"), None);
/// ```
pub fn host_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let host = url.host_str().filter(|host| !host.is_empty())?;
    Some(host.trim_start_matches('[').trim_end_matches(']').to_owned())
}

/// An address without the user name and the password before its host; all else stays as it is written.
///
/// ```
/// use prowess_net::without_user;
/// assert_eq!(without_user("https://ada:pw@hub.example:8080/a@b"), "https://hub.example:8080/a@b");
/// assert_eq!(without_user("git@hub.example:a/b"), "git@hub.example:a/b");
/// ```
pub fn without_user(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else {
        let names_host = address.contains("//");
        return if names_host { without_secrets(address) } else { address.to_owned() };
    };
    if url.username().is_empty() && url.password().is_none() {
        return address.to_owned();
    }
    if url.set_username("").is_err() || url.set_password(None).is_err() {
        return without_secrets(address);
    }
    let shown = String::from(url);
    // `Url` adds the slash of an empty path.
    match shown.strip_suffix('/') {
        Some(shorter) if !address.ends_with('/') => shorter.to_owned(),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        let table = [
            ("https://hub.example/a@b", "https://hub.example/a@b"),
            ("https://hub.example", "https://hub.example"),
            ("https://ada:pw@hub.example:8080/a", "https://hub.example:8080/a"),
            ("https://a@b:pw@hub.example", "https://hub.example"),
            ("ssh://git@hub.example/a/", "ssh://hub.example/a/"),
            ("https://ada:p w@hub example/a", "https://hub example/a"),
            ("git@hub.example:a/b", "git@hub.example:a/b"),
            ("hub", "hub"),
        ];
        for (address, shown) in table {
            assert_eq!(without_user(address), shown);
        }
    }

    #[test]
    fn a_host_is_read_as_the_client_reads_it() {
        let table = [
            ("https://hub.example/a", Some("hub.example")),
            ("http://[fd00::1]:80/", Some("fd00::1")),
            (r"https://evil.example\@10.0.0.7/", Some("evil.example")),
            ("http://0x7f.1/", Some("127.0.0.1")),
            ("git+file:///srv/skills", None),
            ("weather", None),
        ];
        for (address, host) in table {
            assert_eq!(host_of(address).as_deref(), host, "{address}");
        }
    }
}
