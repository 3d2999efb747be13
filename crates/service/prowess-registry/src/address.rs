//! Making addresses: encoding, joining, comparing.

use prowess_text::percent_encode;
use url::{Origin, Url};

/// An address with a query; what has no value is left out.
pub(crate) fn with_query(url: &str, query: &[(&str, Option<&str>)]) -> String {
    let pairs = query.iter().filter_map(|(key, value)| Some(format!("{key}={}", percent_encode((*value)?))));
    let query: Vec<String> = pairs.collect();
    if query.is_empty() { url.to_owned() } else { format!("{url}?{}", query.join("&")) }
}

/// `scheme://host[:port]` and the rest of a web address.
pub(crate) fn split(url: &str) -> Option<(&str, &str)> {
    let start = ["https://", "http://"].into_iter().find(|start| url.starts_with(start))?.len();
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |end| start + end);
    (end > start).then(|| url.split_at(end))
}

/// Returns true if two web addresses are on the same server: scheme, host and port.
pub fn is_same_origin(one: &str, other: &str) -> bool {
    let origin = |text: &str| Url::parse(text).ok().map(|url| url.origin()).filter(Origin::is_tuple);
    origin(one).is_some_and(|one| Some(one) == origin(other))
}

/// An address as found in a document at `base`; nothing but web addresses.
pub(crate) fn join(base: &str, found: &str) -> Option<String> {
    if split(found).is_some() {
        return Some(found.to_owned());
    }
    let (origin, path) = split(base)?;
    if found.starts_with("//") {
        let scheme = origin.split_once("//")?.0;
        let url = format!("{scheme}{found}");
        return split(&url).is_some().then_some(url);
    }
    let is_other_scheme = found.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':'));
    if is_other_scheme || found.contains(|letter: char| letter.is_control() || letter == '\\') {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let folder = &path[..path.rfind('/').unwrap_or(0)];
    let (place, query) = found.split_at(found.find(['?', '#']).unwrap_or(found.len()));
    let full = if place.starts_with('/') { place.to_owned() } else { format!("{folder}/{place}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/').skip(1) {
        match part {
            "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    Some(format!("{origin}/{}{query}", parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_joined() {
        let base = "https://a.b/x/.well-known/index.json?v=1";
        let cases = [
            ("https://c.d/e", Some("https://c.d/e")),
            ("//c.d/e", Some("https://c.d/e")),
            ("/e?f=/g", Some("https://a.b/e?f=/g")),
            ("e/f", Some("https://a.b/x/.well-known/e/f")),
            ("../e", Some("https://a.b/x/e")),
            ("../../../../e", Some("https://a.b/e")),
            ("./e/./f", Some("https://a.b/x/.well-known/e/f")),
            ("file:///etc/passwd", None),
            ("javascript:x", None),
            ("e\\f", None),
        ];
        for (found, expected) in cases {
            assert_eq!(join(base, found).as_deref(), expected, "{found}");
        }
        assert_eq!(join("https://a.b", "e").as_deref(), Some("https://a.b/e"));
    }

    #[test]
    fn texts_are_encoded() {
        assert_eq!(percent_encode("a b/ü&=#%"), "a%20b%2F%C3%BC%26%3D%23%25");
        assert_eq!(with_query("u", &[("a", Some("1 2")), ("b", None)]), "u?a=1%202");
        assert_eq!(with_query("u", &[("b", None)]), "u");
    }

    #[test]
    fn origins() {
        assert!(is_same_origin("https://A.b/x", "https://a.b?y"));
        assert!(
            is_same_origin("https://a.b:443/x", "https://a.b")
                && is_same_origin("http://a.b:80", "http://a.b")
        );
        for other in [
            "http://a.b/x",
            "https://a.b:444/x",
            "https://a.b:80",
            "https://a.b@c.d/x",
            "https://a.b.c/x",
            "ftp://a.b",
            "",
        ] {
            assert!(!is_same_origin("https://a.b/x", other), "{other}");
        }
    }
}
