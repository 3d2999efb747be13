//! HTTP endpoints that the user configured, against a server of this machine.

use prowess_testkit::reached;
use prowess_testkit::web::{Answer, Fault, Web};
use serde_json::{Value, json};

use super::Run;

fn endpoint(url: &str) -> Value {
    json!({ "type": "http", "url": url, "description": "A test", "headers": { "Authorization": "Bearer planted-secret" } })
}

#[tokio::test]
async fn the_input_goes_there_and_the_answer_comes_back() {
    let server = Web::start(|_| Answer::ok("{\"ok\":true}"));
    let mut run = Run::new();
    run.configure("post", endpoint(&server.url("/hook?channel=1"))).await;
    let output = run.call("post", json!({ "text": "hi \"there\"" })).await;
    assert_eq!((output.ok, output.text.as_str()), (true, "{\"ok\":true}"));
    let request = server.requests().remove(0);
    assert_eq!(server.targets(), ["POST /hook?channel=1"]);
    assert_eq!(request.header("authorization"), Some("Bearer planted-secret"));
    assert_eq!(request.json(), json!({ "text": "hi \"there\"" }));
    let asked = run.consent("post", json!({ "text": "hi" })).unwrap();
    assert_eq!(asked, format!("send {{\"text\":\"hi\"}} to `http://127.0.0.1:{}` (POST)", server.port()));
}

#[tokio::test]
async fn a_get_puts_the_fields_into_the_query() {
    let server = Web::start(|_| Answer::ok("found"));
    let mut run = Run::new();
    let mut value = endpoint(&server.url("/find?a=1"));
    value["method"] = json!("get");
    run.configure("find", value).await;
    let output = run.call("find", json!({ "q": "a&b=c#d/../", "n": 2 })).await;
    assert_eq!(output.text, "found");
    assert_eq!(server.targets(), ["GET /find?a=1&q=a%26b%3Dc%23d%2F..%2F&n=2"]);
}

#[tokio::test]
async fn errors_of_the_server_are_told() {
    let server = Web::start(|_| Answer::status(403, "no such channel"));
    let mut run = Run::new();
    run.configure("post", endpoint(&server.url("/"))).await;
    let output = run.call("post", json!({})).await;
    assert_eq!((output.ok, output.text.as_str()), (false, "`post` answered 403 Forbidden\nno such channel"));
}

#[tokio::test]
async fn redirects_stay_on_the_same_origin() {
    let other = Web::start(|_| Answer::ok("stolen"));
    let elsewhere = other.url("/catch");
    let server = Web::start(move |request| {
        let target = match request.path.as_str() {
            "/same" => "/target",
            "/away" => elsewhere.as_str(),
            "/name" => "http://localhost/",
            "/loop" => "/loop",
            _ => return Answer::ok("arrived"),
        };
        Answer::redirect(307, target)
    });
    let mut run = Run::new();
    for path in ["same", "away", "name", "loop"] {
        run.configure(path, endpoint(&server.url(&format!("/{path}")))).await;
    }
    assert_eq!(run.call("same", json!({})).await.text, "arrived");
    for (path, reason) in [("away", "another origin"), ("name", "another origin"), ("loop", "too often")] {
        let output = run.call(path, json!({})).await;
        assert!(!output.ok && output.text.contains(reason), "{path}: {output:?}");
        assert!(!output.text.contains("planted"), "{path}: {output:?}");
    }
    assert!(other.requests().is_empty(), "no header reached another origin");
}

#[tokio::test]
async fn a_large_or_endless_answer_is_cut() {
    let server = Web::start(|_| Answer::ok([b'x'; 8192]).with(Fault::Endless));
    let mut run = Run::new();
    run.configure("flood", endpoint(&server.url("/"))).await;
    let output = run.call("flood", json!({})).await;
    assert!(output.ok && output.text.starts_with("xxx"), "{}", output.text.len());
    assert!(output.text.len() < 40 * 1024 && output.omitted_bytes > 1 << 20, "{}", output.omitted_bytes);
}

#[tokio::test]
async fn a_server_that_hangs_is_given_up() {
    let server = Web::start(|_| Answer::ok("").with(Fault::Silence));
    let mut run = Run::new();
    let mut value = endpoint(&server.url("/"));
    value["timeoutMs"] = json!(300);
    run.configure("hang", value.clone()).await;
    assert_eq!(run.call("hang", json!({})).await.text, "`hang` did not answer within 0.3 s");
    value.as_object_mut().unwrap().remove("timeoutMs");
    run.configure("wait", value).await;
    let cancel = run.context.cancel.clone();
    let stop = async {
        reached("the second request", || server.requests().len() == 2).await;
        cancel.cancel();
    };
    let (output, ()) = tokio::join!(run.call("wait", json!({})), stop);
    assert_eq!(output.text, "[stopped: the run was cancelled]");
}

#[tokio::test]
async fn nobody_there_is_told_without_the_address() {
    let gone = Web::start(|_| Answer::not_found()).url("/planted-token");
    let mut run = Run::new();
    run.configure("gone", endpoint(&gone)).await;
    let output = run.call("gone", json!({})).await;
    assert!(!output.ok && output.text.starts_with("cannot ask `gone`: "), "{output:?}");
    assert!(!output.text.contains("planted"), "{output:?}");
}

#[tokio::test]
async fn a_name_that_leads_to_this_machine_is_refused() {
    let mut run = Run::new();
    // The system resolves names below `localhost` to this machine, or to nothing: neither is connected to.
    run.configure("rebound", endpoint("https://rebound.localhost:9/")).await;
    let output = run.call("rebound", json!({})).await;
    assert!(!output.ok, "{output:?}");
}
