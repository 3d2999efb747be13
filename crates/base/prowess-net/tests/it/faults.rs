//! Servers that die, lie, stall, drip and inflate.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use prowess_net::{Client, DownloadLimits, Downloaded, HttpMethod, NetError, NetOptions};
use prowess_testkit::web::{Answer, Fault, Web};

use super::{client, options};

const LONG: Duration = Duration::from_mins(10);
const SHORT: Duration = Duration::from_millis(300);

fn fetch(client: &Client, web: &Web, limits: &DownloadLimits) -> (Result<Downloaded, NetError>, Vec<u8>) {
    let mut out = Vec::new();
    let result = client.download(&web.url("/file?key=hunter2"), &mut out, limits, &mut |_, _| {});
    if let Err(error) = &result {
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
    (result, out)
}

#[test]
fn a_download_is_hashed_and_told_about() {
    let body = vec![7; 300_000];
    let (sent, count) = (body.clone(), body.len() as u64);
    let web = Web::start(move |_| Answer::ok(sent.clone()));
    let sha256 = "a1b2".to_owned();
    let (mut out, mut steps) = (Vec::new(), Vec::new());
    let mut progress = |bytes, total| steps.push((bytes, total));
    let limits = DownloadLimits::new(count);
    let done = client().download(&web.url("/"), &mut out, &limits, &mut progress).unwrap();
    assert_eq!((done.bytes, out), (count, body));
    assert_eq!(steps.last(), Some(&(count, Some(count))));
    assert!(steps.is_sorted());
    assert_eq!(web.requests()[0].header("accept-encoding"), Some("identity"));

    let right = DownloadLimits { sha256: Some(done.sha256.to_uppercase()), ..limits.clone() };
    assert_eq!(fetch(&client(), &web, &right).0.unwrap(), done);
    let wrong = DownloadLimits { sha256: Some(sha256), ..limits };
    assert!(matches!(fetch(&client(), &web, &wrong).0, Err(NetError::WrongHash { .. })));
}

#[test]
fn a_body_that_ends_early_is_an_error() {
    let web = Web::start(|request| match request.path.as_str() {
        "/api" => Answer::ok("short").claiming(100),
        _ => Answer::ok(vec![1; 10_000]).with(Fault::DieAfter(4000)),
    });
    let (result, out) = fetch(&client(), &web, &DownloadLimits::new(1 << 20));
    assert!(matches!(result, Err(NetError::Truncated { received: 4000, expected: Some(10_000), .. })));
    assert_eq!((out.len(), web.requests().len()), (4000, 1), "what was written cannot be taken back");
    let options = NetOptions { retries: 0, ..options() };
    let error = Client::new(options).unwrap().request(HttpMethod::Get, &web.url("/api")).send().unwrap_err();
    assert!(matches!(error, NetError::Truncated { received: 5, expected: Some(100), .. }), "{error}");
}

#[test]
fn a_length_that_is_too_small_cuts_the_body_and_the_hash_tells() {
    let web = Web::start(|_| Answer::ok("0123456789").claiming(4));
    let whole = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882".to_owned();
    let limits = DownloadLimits { sha256: Some(whole), ..DownloadLimits::new(100) };
    assert!(matches!(fetch(&client(), &web, &limits).0, Err(NetError::WrongHash { .. })));
}

#[test]
fn what_is_too_large_is_not_taken() {
    let web = Web::start(|request| match request.path.as_str() {
        "/announced" => Answer::ok("").claiming(1 << 40).with(Fault::StallAfter(0, LONG)),
        _ => Answer::ok(vec![0; 5000]),
    });
    let client = client();
    let error = client.request(HttpMethod::Get, &web.url("/announced")).limit(1000).send().unwrap_err();
    assert!(matches!(error, NetError::TooLarge { limit: 1000, .. }));
    let error = client.request(HttpMethod::Get, &web.url("/")).limit(4999).send().unwrap_err();
    assert!(matches!(error, NetError::TooLarge { .. }));
    assert_eq!(client.request(HttpMethod::Get, &web.url("/")).limit(5000).send().unwrap().body.len(), 5000);
    assert!(matches!(fetch(&client, &web, &DownloadLimits::new(4999)).0, Err(NetError::TooLarge { .. })));
}

#[test]
fn packed_answers_are_unpacked_within_bounds() {
    let web = Web::start(|request| match request.path.as_str() {
        "/bomb" => Answer::gzip_bomb(64 << 20),
        "/small" => Answer::gzip_bomb(1000),
        "/broken" => Answer::ok("no gzip").header("content-encoding", "gzip"),
        "/odd" => Answer::ok("?").header("content-encoding", "br"),
        _ => Answer::gzip_bomb(1000).claiming(25).with(Fault::DieAfter(25)),
    });
    let client = client();
    let ask = |path: &str| client.request(HttpMethod::Get, &web.url(path)).limit(1 << 20).send();
    assert_eq!(ask("/small").unwrap().body, vec![b' '; 1000]);
    assert!(matches!(ask("/bomb"), Err(NetError::TooLarge { .. })));
    for path in ["/broken", "/odd", "/cut"] {
        assert!(matches!(ask(path), Err(NetError::Encoding { .. })), "{path}: {:?}", ask(path));
    }
    assert_eq!(web.requests()[0].header("accept-encoding"), Some("gzip"));
}

#[test]
fn silence_and_slowness_end() {
    let web = Web::start(|request| match request.path.as_str() {
        "/drip" => Answer::ok(vec![0; 100_000]).with(Fault::Drip(1, Duration::from_millis(10))),
        _ => Answer::ok(vec![0; 100]).with(Fault::StallAfter(50, LONG)),
    });
    let impatient = NetOptions { idle_timeout: SHORT, retries: 0, ..options() };
    let client = Client::new(impatient).unwrap();
    assert!(matches!(client.request(HttpMethod::Get, &web.url("/")).send(), Err(NetError::Silent { .. })));
    let (result, out) = fetch(&client, &web, &DownloadLimits::new(1000));
    assert!(matches!(result, Err(NetError::Silent { .. })) && out.len() == 50);
    let request = client.request(HttpMethod::Get, &web.url("/drip")).timeout(SHORT);
    let brief = NetOptions { total_timeout: SHORT, retries: 0, ..options() };
    let brief = Client::new(brief).unwrap();
    assert!(matches!(
        brief.request(HttpMethod::Get, &web.url("/drip")).timeout(SHORT).send(),
        Err(NetError::TimedOut { .. })
    ));
    assert!(matches!(request.send(), Err(NetError::TimedOut { .. } | NetError::Silent { .. })));
    let limits = DownloadLimits { timeout: SHORT, ..DownloadLimits::new(1 << 20) };
    let result = brief.download(&web.url("/drip"), &mut Vec::new(), &limits, &mut |_, _| {});
    assert!(matches!(result, Err(NetError::TimedOut { .. })));
}

#[test]
fn a_flag_ends_a_request_that_hangs() {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let web = Web::start(move |_| {
        raised.store(true, Ordering::SeqCst);
        Answer::ok(vec![0; 100]).with(Fault::StallAfter(50, LONG))
    });
    let client = client().cancelled_by(flag);
    assert!(matches!(client.request(HttpMethod::Get, &web.url("/")).send(), Err(NetError::Cancelled { .. })));
    let (result, out) = fetch(&client, &web, &DownloadLimits::new(1000));
    assert!(matches!(result, Err(NetError::Cancelled { .. })) && out.is_empty());
}

#[test]
fn a_download_that_is_refused_says_why() {
    let web = Web::start(|request| match request.path.as_str() {
        "/gone" => Answer::status(410, "removed by a moderator\n"),
        _ => Answer::status(429, "slow down").header("retry-after", "0"),
    });
    let get = |path: &str| {
        client().download(&web.url(path), &mut Vec::new(), &DownloadLimits::new(100), &mut |_, _| {})
    };
    let error = get("/gone").unwrap_err();
    assert!(
        matches!(&error, NetError::Status { status: 410, message, .. } if message == "removed by a moderator")
    );
    assert!(!error.is_transient());
    let error = get("/busy").unwrap_err();
    assert!(matches!(error, NetError::Status { status: 429, .. }) && error.is_transient());
    assert_eq!(web.requests().len(), 4, "once, and three times");
}

#[test]
fn a_full_disk_is_told() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let web = Web::start(|_| Answer::ok("something"));
    let result = client().download(&web.url("/"), &mut Full, &DownloadLimits::new(100), &mut |_, _| {});
    assert!(matches!(result, Err(NetError::Write { .. })));
}

#[test]
fn a_transfer_that_breaks_off_begins_again() {
    let seen = std::sync::atomic::AtomicUsize::new(0);
    let web = Web::start(move |_| {
        let answer = Answer::ok(vec![7; 50_000]);
        let is_first = seen.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0;
        if is_first { answer.with(Fault::DieAfter(20_000)) } else { answer }
    });
    let mut heard = Vec::new();
    let (client, token) = (client(), prowess_types::Secret::new("t0ken"));
    let request = client.request(HttpMethod::Get, &web.url("/zip")).bearer(&token);
    let answer = request.download(&mut |done, of| heard.push((done, of))).unwrap();
    assert_eq!((answer.status, answer.body), (200, vec![7; 50_000]));
    assert_eq!(heard.last(), Some(&(50_000, Some(50_000))));
    let requests = web.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|request| request.header("authorization") == Some("Bearer t0ken")));
}

#[test]
fn a_transfer_that_always_breaks_off_is_an_error() {
    let web = Web::start(|_| Answer::ok(vec![7; 50_000]).with(Fault::DieAfter(20_000)));
    let result = client().request(HttpMethod::Get, &web.url("/zip")).download(&mut |_, _| {});
    assert!(matches!(result, Err(NetError::Truncated { .. })), "{result:?}");
    assert_eq!(web.requests().len(), 3);
}

#[test]
fn a_refused_transfer_keeps_the_servers_words() {
    let web = Web::start(|_| Answer::status(423, "Scan pending").header("x-a", "b"));
    let answer = client().request(HttpMethod::Get, &web.url("/zip")).download(&mut |_, _| {}).unwrap();
    assert_eq!((answer.status, answer.header("x-a")), (423, Some("b")));
    assert_eq!(answer.body, b"Scan pending");
}

#[test]
fn a_transfer_ends_when_it_is_cancelled() {
    let web =
        Web::start(|_| Answer::ok(vec![7; 50_000]).with(Fault::StallAfter(100, Duration::from_mins(5))));
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let client = client().cancelled_by(std::sync::Arc::clone(&flag));
    let request = client.request(HttpMethod::Get, &web.url("/zip"));
    let result = request.download(&mut |_, _| flag.store(true, std::sync::atomic::Ordering::Relaxed));
    assert!(matches!(result, Err(NetError::Cancelled { .. })), "{result:?}");
    assert_eq!(web.requests().len(), 1);
}
