//! The Studio's pages.

use crate::raw::{Answer, ask, host};
use crate::support::{GatewayHome as _, Home};

#[tokio::test(flavor = "multi_thread")]
async fn places_in_the_studio_lead_to_its_page_and_missing_files_do_not() {
    let address = Home::new().start().await.address;
    let host = host(address);
    let root = ask(address, "GET /", &[&host], "").await;
    assert_eq!((root.status, root.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(root.body.starts_with("<!doctype html>"));
    assert_eq!(root.header("cache-control"), Some("no-cache"));
    for place in [
        "/skills/my.skill",
        "/agents/main",
        "/agents/x/skills/name.md",
        "/skills/node.js",
        "/x/../y",
        "/%2e%2e/secret",
    ] {
        let page = ask(address, &format!("GET {place}"), &[&host], "").await;
        assert_eq!((page.status, page.body == root.body), (200, true), "{place}");
    }
    for file in ["/assets/gone-1a2b3c.js", "/assets/../../Cargo.toml"] {
        let answer = ask(address, &format!("GET {file}"), &[&host], "").await;
        assert_eq!(answer.status, 404, "{file}");
    }
    assert_eq!(ask(address, "POST /skills", &[&host], "").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_icon_is_an_icon_and_files_that_programs_look_for_are_no_page() {
    let address = Home::new().start().await.address;
    let host = host(address);
    let icon = ask(address, "GET /favicon.ico", &[&host], "").await;
    assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/svg+xml")));
    assert!(icon.body.starts_with("<svg"), "{}", icon.body);
    let linked = ask(address, "GET /favicon.svg", &[&host], "").await;
    assert_eq!(icon.body, linked.body);
    for file in ["/robots.txt", "/apple-touch-icon.png", "/site.webmanifest", "/.well-known/security.txt"] {
        let answer = ask(address, &format!("GET {file}"), &[&host], "").await;
        assert_eq!(answer.status, 404, "{file}");
        assert!(!answer.body.contains("<!doctype"), "{file}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_known_is_not_sent_again() {
    let address = Home::new().start().await.address;
    let host = host(address);
    let first = ask(address, "GET /", &[&host], "").await;
    let tag = first.header("etag").unwrap().to_owned();
    let again = ask(address, "GET /", &[&host, &format!("If-None-Match: \"x\", {tag}")], "").await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let head = ask(address, "HEAD /", &[&host], "").await;
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_may_load_and_reach_this_gateway_only() {
    let address = Home::new().start().await.address;
    let page = ask(address, "GET /", &[&host(address)], "").await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
    assert!(policy.contains(&format!("connect-src 'self' ws://{address} wss://{address};")), "{policy}");
    assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_compressed_for_clients_that_take_it() {
    let address = Home::new().start().await.address;
    let host = host(address);
    let plain = ask(address, "GET /", &[&host], "").await;
    assert_eq!((plain.status, plain.header("content-encoding")), (200, None));
    assert_eq!(plain.header("vary"), Some("accept-encoding"));
    let length = |answer: &Answer| answer.header("content-length").unwrap().parse::<usize>().unwrap();
    for offer in ["gzip", "br, GZIP;q=0.5", "zstd, gzip"] {
        let answer = ask(address, "GET /", &[&host, &format!("Accept-Encoding: {offer}")], "").await;
        assert_eq!((answer.status, answer.header("content-encoding")), (200, Some("gzip")), "{offer}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        assert!(length(&answer) < length(&plain), "{offer}");
        assert_ne!(answer.header("etag"), plain.header("etag"), "{offer}");
    }
    for offer in ["br", "gzip;q=0, br", "identity", ""] {
        let answer = ask(address, "GET /", &[&host, &format!("Accept-Encoding: {offer}")], "").await;
        assert_eq!((answer.header("content-encoding"), &answer.body), (None, &plain.body), "{offer}");
    }
}
