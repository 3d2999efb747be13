//! Addresses without the secrets in them.

/// An address without user, password and query, whether or not it is a URL: nothing before its last `@` stays,
/// for a password that is not encoded may hold anything.
pub(crate) fn shown(url: &str) -> String {
    let url = url.trim();
    let url = &url[..url.find(['?', '#']).unwrap_or(url.len())];
    let (scheme, rest) = url.split_once("//").map_or(("", url), |(scheme, rest)| (scheme, rest));
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    if url.contains("//") { format!("{scheme}//{host}") } else { host.to_owned() }
}
