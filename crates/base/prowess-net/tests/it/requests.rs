//! What is sent, what comes back, and how often.

use std::sync::atomic::{AtomicUsize, Ordering};

use prowess_net::{Client, HttpMethod, NetError, NetOptions};
use prowess_testkit::web::{Answer, Fault, Web};
use prowess_types::Secret;
use serde_json::json;

use super::{client, options};

#[test]
fn a_request_arrives_as_it_was_put_together() {
    let web = Web::start(|_| Answer::ok(r#"{"ok":true}"#).header("X-Thing", "1"));
    let answer = client()
        .request(HttpMethod::Post, &web.url("/api?a=1"))
        .query("q", "two words & more")
        .bearer(&Secret::new("t0ken"))
        .header("x-own", "yes")
        .json(&json!({"n": 1}))
        .send()
        .unwrap();
    assert_eq!((answer.status, answer.header("x-thing")), (200, Some("1")));
    assert_eq!(answer.json::<serde_json::Value>().unwrap(), json!({"ok": true}));
    let request = &web.requests()[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/api?a=1&q=two+words+%26+more"));
    assert_eq!(request.header("authorization"), Some("Bearer t0ken"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("x-own"), Some("yes"));
    assert!(request.header("user-agent").unwrap().starts_with("prowess/"));
    assert_eq!(request.body, br#"{"n":1}"#);
}

#[test]
fn refusals_are_answers_too() {
    let web = Web::start(|_| Answer::status(404, "Skill not found"));
    let answer = client().request(HttpMethod::Get, &web.url("/x")).send().unwrap();
    assert_eq!((answer.status, answer.text().as_str(), answer.is_success()), (404, "Skill not found", false));
    assert!(matches!(answer.json::<u8>(), Err(NetError::Json { .. })));
}

#[test]
fn a_head_has_no_body() {
    let web = Web::start(|_| Answer::ok("").claiming(12345));
    let answer = client().request(HttpMethod::Head, &web.url("/")).send().unwrap();
    assert_eq!((answer.header("content-length"), answer.body.len()), (Some("12345"), 0));
}

/// A server that answers the first requests in one way and the others in another.
fn first_then(count: usize, first: Answer, then: Answer) -> Web {
    let seen = AtomicUsize::new(0);
    Web::start(
        move |_| {
            if seen.fetch_add(1, Ordering::SeqCst) < count { first.clone() } else { then.clone() }
        },
    )
}

#[test]
fn passing_trouble_is_asked_again() {
    for trouble in [
        Answer::status(429, "slow down").header("retry-after", "0"),
        Answer::status(500, "oops"),
        Answer::ok("").with(Fault::HangUp),
        Answer::ok("0123456789").with(Fault::DieAfter(3)),
    ] {
        let web = first_then(2, trouble.clone(), Answer::ok("fine"));
        let answer = client().request(HttpMethod::Get, &web.url("/")).send().unwrap();
        assert_eq!((answer.text().as_str(), web.requests().len()), ("fine", 3), "{trouble:?}");
    }
}

#[test]
fn lasting_trouble_is_told_in_the_end() {
    let web = first_then(9, Answer::status(503, "closed").header("retry-after", "0"), Answer::ok(""));
    let answer = client().request(HttpMethod::Get, &web.url("/")).send().unwrap();
    assert_eq!((answer.status, answer.text().as_str(), web.requests().len()), (503, "closed", 3));
}

#[test]
fn what_changes_something_is_not_repeated_unasked() {
    let trouble = || Answer::status(503, "").header("retry-after", "0");
    let web = first_then(1, trouble(), Answer::ok("done"));
    let client = client();
    assert_eq!(
        client.request(HttpMethod::Post, &web.url("/")).body(vec![1], "a/b").send().unwrap().status,
        503
    );
    assert_eq!(web.requests().len(), 1);
    let web = first_then(1, trouble(), Answer::ok("done"));
    let request = client.request(HttpMethod::Post, &web.url("/")).body(vec![1], "a/b");
    assert_eq!(request.idempotent().send().unwrap().text(), "done");
    assert!(web.requests().iter().all(|request| request.body == [1]));
}

#[test]
fn nobody_waits_for_longer_than_is_allowed() {
    let web = first_then(9, Answer::status(429, "").header("retry-after", "86400"), Answer::ok(""));
    let answer = client().request(HttpMethod::Get, &web.url("/")).send().unwrap();
    assert_eq!((answer.status, web.requests().len()), (429, 1));
}

#[test]
fn a_dead_port_is_a_connection_error() {
    let port = Web::start(|_| Answer::ok("")).port();
    let options = NetOptions { retries: 0, ..options() };
    let url = format!("http://127.0.0.1:{port}/?token=hunter2");
    let error = Client::new(options).unwrap().request(HttpMethod::Get, &url).send().unwrap_err();
    assert!(matches!(error, NetError::Connection { .. }) && error.is_transient());
    assert!(!format!("{error:?}").contains("hunter2"));
}

#[test]
fn a_download_is_asked_for_like_any_other_request() {
    let web = Web::start(|_| Answer::ok(vec![7; 100_000]).header("x-version", "1.2.0"));
    let (mut out, mut heard) = (Vec::new(), Vec::new());
    let answer = client()
        .request(HttpMethod::Get, &web.url("/zip"))
        .bearer(&Secret::new("t0ken"))
        .header("x-own", "yes")
        .download_to(&mut out, &mut |done, of| heard.push((done, of)))
        .unwrap();
    assert_eq!((answer.status, answer.header("x-version"), answer.body.len()), (200, Some("1.2.0"), 0));
    assert_eq!(out, vec![7; 100_000]);
    assert_eq!(heard.last(), Some(&(100_000, Some(100_000))));
    assert!(heard.is_sorted());
    let request = &web.requests()[0];
    assert_eq!(request.header("authorization"), Some("Bearer t0ken"));
    assert_eq!((request.header("x-own"), request.header("accept-encoding")), (Some("yes"), Some("identity")));
}

#[test]
fn a_download_that_is_refused_comes_back_as_an_answer() {
    let web = first_then(1, Answer::status(503, "busy"), Answer::status(409, "which?").header("x-a", "b"));
    let mut out = Vec::new();
    let answer =
        client().request(HttpMethod::Get, &web.url("/zip")).download_to(&mut out, &mut |_, _| {}).unwrap();
    assert_eq!((answer.status, answer.text().as_str(), answer.header("x-a")), (409, "which?", Some("b")));
    assert_eq!((out.len(), web.requests().len()), (0, 2));
    let large = Web::start(|_| Answer::status(403, vec![b'x'; 1_000_000]));
    let answer =
        client().request(HttpMethod::Get, &large.url("/")).download_to(&mut out, &mut |_, _| {}).unwrap();
    assert_eq!((answer.status, answer.body.len()), (403, 0));
}

#[test]
fn a_download_keeps_to_its_limit() {
    let web = Web::start(|_| Answer::ok(vec![7; 100_000]));
    let request = client();
    let request = request.request(HttpMethod::Get, &web.url("/zip")).limit(99_999);
    let result = request.download_to(&mut Vec::new(), &mut |_, _| {});
    assert!(matches!(result, Err(NetError::TooLarge { limit: 99_999, .. })), "{result:?}");
}
