//! Requests that are awaited: the same policy, pieces of bodies, other protocols.

use prowess_net::{AddressRefusal, Client, HttpMethod, NetError, NetOptions, NetProxy, Redirects};
use prowess_testkit::web::{Answer, Web};
use prowess_types::Secret;

use super::options;

fn client(redirects: Redirects) -> Client {
    Client::new(NetOptions { redirects, ..options() }).unwrap()
}

#[tokio::test]
async fn a_body_is_read_piece_by_piece() {
    let web = Web::start(|_| Answer::ok(vec![7; 100_000]).header("x-a", "b"));
    let client = client(Redirects::Follow);
    let request = client.request(HttpMethod::Post, &web.url("/chat")).json(&[1]);
    let mut response = request.stream().await.unwrap();
    assert_eq!((response.head().status, response.head().header("x-a")), (200, Some("b")));
    assert_eq!(response.status_text(), "200 OK");
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.unwrap() {
        body.extend(chunk);
    }
    assert_eq!(body, vec![7; 100_000]);
    assert_eq!(web.requests()[0].body, b"[1]");
}

#[tokio::test]
async fn an_address_beyond_the_policy_is_not_asked() {
    let web = Web::start(|_| Answer::ok("inside"));
    let client = Client::new(NetOptions::default()).unwrap();
    let error = client.request(HttpMethod::Get, &web.url("/")).stream().await.unwrap_err();
    assert!(matches!(error, NetError::Refused { reason: AddressRefusal::Private, .. }), "{error}");
    assert!(web.requests().is_empty());
}

#[tokio::test]
async fn redirects_are_followed_as_far_as_they_may() {
    let other = Web::start(|_| Answer::ok("other"));
    let there = other.url("/");
    let web = Web::start(move |request| match request.path.as_str() {
        "/away" => Answer::redirect(307, &there),
        "/near" => Answer::redirect(307, "/here"),
        _ => Answer::ok("here"),
    });
    let ask = async |redirects, path: &str| {
        let client = client(redirects);
        client.request(HttpMethod::Get, &web.url(path)).stream().await.map(|response| response.head().status)
    };
    assert_eq!(ask(Redirects::Stop, "/near").await.unwrap(), 307);
    assert_eq!(ask(Redirects::SameOrigin, "/near").await.unwrap(), 200);
    let error = ask(Redirects::SameOrigin, "/away").await.unwrap_err();
    assert!(matches!(error, NetError::Refused { reason: AddressRefusal::OtherOrigin, .. }), "{error}");
    assert!(other.requests().is_empty());
    assert_eq!(ask(Redirects::Follow, "/away").await.unwrap(), 200);
}

#[tokio::test]
async fn a_server_that_keeps_its_protocol_is_reported() {
    let web = Web::start(|_| Answer::status(403, "no"));
    let client = client(Redirects::Stop);
    let error = client.request(HttpMethod::Get, &web.url("/")).upgrade().await.unwrap_err();
    assert!(matches!(error, NetError::Status { status: 403, .. }), "{error}");
}

#[tokio::test]
async fn a_proxy_is_asked_for_everything_but_exceptions() {
    let proxy = Web::start(|_| Answer::ok("proxy"));
    let web = Web::start(|_| Answer::ok("direct"));
    let ask = async |except: Option<&str>| {
        let proxy = NetProxy { except: except.map(str::to_owned), ..NetProxy::new(proxy.url("/")) };
        let client = Client::new(NetOptions { proxy: Some(proxy), allow_http: true, ..options() }).unwrap();
        let url = format!("http://model.example:{}/", web.port());
        let mut response = client.request(HttpMethod::Get, &url).stream().await.unwrap();
        String::from_utf8(response.chunk().await.unwrap().unwrap()).unwrap()
    };
    assert_eq!(ask(None).await, "proxy");
    assert_eq!(ask(Some("other.example,model.example")).await, "direct");
    let bad = NetOptions { proxy: Some(NetProxy::new("http://[")), ..options() };
    assert!(matches!(Client::new(bad).unwrap_err(), NetError::BadProxy));
}

#[test]
fn an_environment_names_a_proxy() {
    let find = |vars: &[(&'static str, &'static str)]| {
        let get = |name: &str| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        let proxy = NetProxy::from_environment(get)?;
        let shown = |url: Option<Secret>| url.map_or("-".to_owned(), |url| url.expose().to_owned());
        Some(
            [shown(proxy.https), shown(proxy.http), proxy.except.unwrap_or_else(|| "-".to_owned())].join(" "),
        )
    };
    let expect = |vars: &[(&'static str, &'static str)], expected: Option<&str>| {
        assert_eq!(find(vars).as_deref(), expected, "{vars:?}");
    };
    expect(&[], None);
    expect(&[("NO_PROXY", "x")], None);
    expect(&[("HTTP_PROXY", "http://a")], Some("- http://a -"));
    expect(&[("HTTP_PROXY", "http://a"), ("REQUEST_METHOD", "GET")], None);
    expect(&[("http_proxy", "http://a"), ("REQUEST_METHOD", "GET")], Some("- http://a -"));
    expect(&[("https_proxy", "a:3128")], Some("a:3128 - -"));
    expect(&[("all_proxy", "http://a")], Some("http://a http://a -"));
    expect(&[("ALL_PROXY", "http://a"), ("http_proxy", "http://b")], Some("http://a http://b -"));
    expect(
        &[("https_proxy", "http://a"), ("HTTPS_PROXY", "http://b"), ("no_proxy", "x")],
        Some("http://b - x"),
    );
}
