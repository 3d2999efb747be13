//! Who is asked, who is not, and who gets to see what.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use prowess_net::{
    AddressLookup, AddressRefusal, Client, Credentials, HttpMethod, NetError, NetOptions, NetworkReach,
};
use prowess_testkit::web::{Answer, Web};
use prowess_types::Secret;

use super::{client, options};

fn refusal(result: Result<prowess_net::Response, NetError>) -> AddressRefusal {
    match result {
        Err(NetError::Refused { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn by_default_this_machine_is_not_asked() {
    let web = Web::start(|_| Answer::ok("inside"));
    let client = Client::new(NetOptions::default()).unwrap();
    assert_eq!(refusal(client.request(HttpMethod::Get, &web.url("/")).send()), AddressRefusal::Private);
    let named = NetOptions { reach: NetworkReach::Public, allow_http: true, ..options() };
    let client = Client::new(named).unwrap();
    let url = format!("http://rebound.example:{}/", web.port());
    assert_eq!(refusal(client.request(HttpMethod::Get, &url).send()), AddressRefusal::Private, "by its name");
    assert!(web.requests().is_empty());
}

#[test]
fn a_redirect_is_checked_like_a_request() {
    for (to, expected) in [
        ("http://10.0.0.1/", AddressRefusal::Private),
        ("https://169.254.169.254/latest/meta-data", AddressRefusal::Private),
        ("http://0x7f.1/", AddressRefusal::Disguised),
        ("http://user:word@127.0.0.1/", AddressRefusal::UserInfo),
        ("file:///etc/passwd", AddressRefusal::NotHttps),
    ] {
        let web = Web::start(move |_| Answer::redirect(302, to));
        let client = client();
        assert_eq!(refusal(client.request(HttpMethod::Get, &web.url("/")).send()), expected, "{to}");
        let result = client.download(
            &web.url("/"),
            &mut Vec::new(),
            &prowess_net::DownloadLimits::new(10),
            &mut |_, _| {},
        );
        assert!(matches!(result, Err(NetError::Refused { .. })), "{to}");
    }
}

#[test]
fn five_redirects_are_followed_and_no_more() {
    let web = Web::start(|request| match request.path.strip_prefix("/").and_then(|text| text.parse().ok()) {
        Some(0_u32) => Answer::ok("arrived"),
        Some(left) => Answer::redirect(307, &format!("/{}", left - 1)),
        None => Answer::status(404, ""),
    });
    assert_eq!(client().request(HttpMethod::Get, &web.url("/5")).send().unwrap().text(), "arrived");
    let error = client().request(HttpMethod::Get, &web.url("/6")).send().unwrap_err();
    assert!(matches!(error, NetError::TooManyRedirects { limit: 5, .. }));
}

#[test]
fn credentials_stay_with_their_origin() {
    let other = Web::start(|_| Answer::ok("other"));
    let there = other.url("/taken");
    let own = Web::start(move |request| match request.path.as_str() {
        "/away" => Answer::redirect(302, &there),
        "/near" => Answer::redirect(302, "/here"),
        _ => Answer::ok("own"),
    });
    let client = client();
    let ask = |path: &str| {
        let request = client.request(HttpMethod::Get, &own.url(path)).bearer(&Secret::new("t0ken"));
        request.header("x-api-key", "k3y").send().unwrap().text()
    };
    assert_eq!((ask("/away").as_str(), ask("/near").as_str()), ("other", "own"));
    let seen = &other.requests()[0];
    assert_eq!((seen.header("authorization"), seen.header("x-api-key")), (None, None));
    let last = own.requests().pop().unwrap();
    assert_eq!((last.path.as_str(), last.header("authorization")), ("/here", Some("Bearer t0ken")));
    assert_eq!(last.header("x-api-key"), Some("k3y"));
}

#[test]
fn a_client_knows_which_credential_is_for_whom() {
    let other = Web::start(|_| Answer::ok(""));
    let away = other.url("/x");
    let own = Web::start(move |_| Answer::redirect(302, &away));
    let credentials = vec![Credentials::bearer(&own.url("/any/path"), Secret::new("t0ken")).unwrap()];
    assert!(!format!("{credentials:?}").contains("t0ken"));
    let client = Client::new(NetOptions { credentials, ..options() }).unwrap();
    client.request(HttpMethod::Get, &own.url("/")).send().unwrap();
    assert_eq!(own.requests()[0].header("authorization"), Some("Bearer t0ken"));
    assert_eq!(other.requests()[0].header("authorization"), None);
}

#[test]
fn what_was_sent_is_not_sent_to_others() {
    let other = Web::start(|_| Answer::ok("other"));
    let away = other.url("/");
    let own = Web::start(move |request| match request.path.as_str() {
        "/keep" => Answer::redirect(307, &away),
        "/read" => Answer::redirect(303, &away),
        _ => Answer::ok(""),
    });
    let client = client();
    let post = |path: &str| client.request(HttpMethod::Post, &own.url(path)).body(vec![7], "a/b").send();
    assert_eq!(refusal(post("/keep")), AddressRefusal::MovedBody);
    assert_eq!(post("/read").unwrap().text(), "other");
    let seen = other.requests();
    assert_eq!((seen.len(), seen[0].method.as_str(), seen[0].body.len()), (1, "GET", 0));
}

/// A name that is outside when it is asked first, and inside afterwards.
struct Rebinding(AtomicBool);

impl AddressLookup for Rebinding {
    fn addresses(&self, _host: &str) -> std::io::Result<Vec<IpAddr>> {
        let was_asked = self.0.swap(true, Ordering::SeqCst);
        Ok(vec![IpAddr::from(if was_asked { [127, 0, 0, 1] } else { [192, 0, 2, 1] })])
    }
}

#[test]
fn the_checked_address_is_the_one_that_is_asked() {
    let web = Web::start(|_| Answer::ok("inside"));
    let lookup = Arc::new(Rebinding(AtomicBool::new(false)));
    let options = NetOptions {
        reach: NetworkReach::Public,
        allow_http: true,
        lookup,
        attempt_timeout: std::time::Duration::from_millis(200),
        retries: 0,
        ..NetOptions::default()
    };
    let client = Client::new(options).unwrap();
    let url = format!("http://rebinding.example:{}/", web.port());
    // 192.0.2.1 is nobody; what counts is that the second answer is never used, and refused when it comes.
    assert!(client.request(HttpMethod::Get, &url).send().is_err());
    assert_eq!(refusal(client.request(HttpMethod::Get, &url).send()), AddressRefusal::Private);
    assert!(web.requests().is_empty());
}

#[test]
fn a_name_without_addresses_is_told() {
    struct Nobody;
    impl AddressLookup for Nobody {
        fn addresses(&self, _host: &str) -> std::io::Result<Vec<IpAddr>> {
            Ok(Vec::new())
        }
    }
    let options = NetOptions { lookup: Arc::new(Nobody), retries: 0, ..options() };
    let error =
        Client::new(options).unwrap().request(HttpMethod::Get, "https://a.example/").send().unwrap_err();
    assert!(matches!(error, NetError::Lookup { .. }), "{error}");
}
